// Converts a VGO document to a scene.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/vgo/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Adds the content of a document to `scene`, which contains only the root (nodes[0]). Moves the
/// extensions of the layout to the properties of the asset. Returns false and reports a finding if there is nothing to show.
/// Stops early if arena.exhausted().
bool addVgoScene(VgoDocument& document, const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast
