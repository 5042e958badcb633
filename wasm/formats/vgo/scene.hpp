// From a VGO document to a scene.
#pragma once

#include "core/diagnostics.hpp"
#include "formats/vgo/document.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Fills a scene that has nodes[0], to which the layout's extensions move. False where there is nothing to show; `diagnostics` says why. Stops early when arena.exhausted().
bool addVgoScene(VgoDocument& document, const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);

}  // namespace rigcast
