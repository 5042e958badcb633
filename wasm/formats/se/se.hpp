// SEModel and SEAnim, the predecessors of Cast.
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format seModelFormat;
extern const FormatReader seModelReader;
extern const Format seAnimFormat;
extern const FormatReader seAnimReader;

}  // namespace rigcast
