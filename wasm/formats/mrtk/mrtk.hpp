// MRTK2 input animation: recordings of head, hands and gaze (mrtk-input-animation.md).
#pragma once

#include "formats/format.hpp"

namespace rigcast {

extern const Format mrtkFormat;
extern const FormatReader mrtkReader;

}  // namespace rigcast
