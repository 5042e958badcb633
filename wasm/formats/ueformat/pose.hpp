// Converts a .uepose file to additive clips (docs/formats/ueformat.md section 5.1).
#pragma once

#include "core/outline.hpp"
#include "formats/ueformat/document.hpp"
#include "scene/scene.hpp"

namespace rigcast::ueformat {

Vector<Part> readPoseParts(const Document& document, Diagnostics& diagnostics);

/// Adds a clip with one key for each pose to a scene that contains only nodes[0]. Influences become
/// weights of morph targets.
void addPoses(const Document& document, const Vector<Part>& parts, Scene& scene, Arena& arena, Diagnostics& diagnostics);

/// Adds a node for each part, with a node for each pose.
void outlinePoses(const Document& document, const Vector<Part>& parts, Outline& outline, Diagnostics& diagnostics);

}  // namespace rigcast::ueformat
