// VGO 2.x, the avatar and scene container of UniVGO.
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format vgoFormat;
extern const FormatReader vgoReader;

}  // namespace rigcast
