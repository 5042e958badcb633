// The Cast format: models, materials, animations and worlds in a tree of typed properties
// (container by DTZxPorter).
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format castFormat;
extern const FormatReader castReader;

}  // namespace rigcast
