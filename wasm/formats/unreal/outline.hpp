// Outline of PSK and PSA: a node per chunk.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

OutlineResult outlinePsk(const Input& input, Outline& outline, Diagnostics& diagnostics);
OutlineResult outlinePsa(const Input& input, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
