// Cast: models, materials, motions and worlds in one tree of typed properties (the container by DTZxPorter).
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format castFormat;
extern const FormatReader castReader;

}  // namespace rigcast
