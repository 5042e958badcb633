// Converts a .ueworld file to a scene (docs/formats/ueformat.md section 5.2).
#pragma once

#include "formats/ueformat/model.hpp"

namespace rigcast::ueformat {

ReadResult readWorldScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);
OutlineResult outlineOfWorld(const Input& input, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
