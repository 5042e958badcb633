// Checks the guarantees that a scene must fulfil for any input. Every test and fuzz run validates
// its scenes. The browser does not, because validation reads all data and would be a tenth of the
// download.
#pragma once

#include <string>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Returns at most `limit` violations, each as a path and a sentence. The list is empty for a valid
/// scene. Checks that indices are in range, floats finite (except tangents), quaternions of unit
/// length, weights not negative with sum 1 or 0, key times ascending, parents before children with
/// one root, morph vertices ascending and in range, strings valid UTF-8, and columns of the
/// required length and inside their block.
Vector<std::string> validateScene(const Scene& scene, const Arena& arena, std::size_t limit = 20);

}  // namespace rigcast
