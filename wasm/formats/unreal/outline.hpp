// Converts the chunks of a PSK or PSA to an outline with one node per chunk.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

OutlineResult outlinePsk(const Input& input, Outline& outline, Diagnostics& diagnostics);
OutlineResult outlinePsa(const Input& input, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
