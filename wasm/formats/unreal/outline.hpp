// The outline of PSK and PSA: one node a chunk.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

std::string outlinePsk(const Input& input, Outline& outline, Diagnostics& diagnostics);
std::string outlinePsa(const Input& input, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
