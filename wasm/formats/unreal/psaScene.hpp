// Converts a PSA to clips.
#pragma once

#include "formats/format.hpp"

namespace rigcast::unreal {

ReadResult readPsaScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
