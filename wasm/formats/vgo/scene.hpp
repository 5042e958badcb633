// Converts a VGO document to a scene.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/vgo/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Converts a document to a scene that contains only nodes[0]. Moves the extensions from the layout
/// to the asset's properties. Returns false and reports a finding if there is nothing to show.
/// Stops early if arena.exhausted().
bool addVgoScene(VgoDocument& document, const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast
