// VGO 2.x, the container for avatars and scenes of UniVGO.
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format vgoFormat;
extern const FormatReader vgoReader;

}  // namespace rigcast
