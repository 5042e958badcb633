// Checks the guarantees that every scene must fulfil, for any input. Runs in every test and fuzz
// run, but not in the browser, because it reads all data and would be a tenth of the download.
#pragma once

#include <string>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Returns violations in plain words with their path, at most `limit`; empty for a valid scene.
/// Checked: indices in range, finite floats (tangents may be infinite), unit quaternions, weights
/// >= 0 with sum 1 or 0, ascending times, parents before children with one root, morph vertices
/// ascending and in range, valid UTF-8, columns inside their block and of the required length,
/// columns of tracks in the block of their clip.
Vector<std::string> validateScene(const Scene& scene, const Arena& arena, std::size_t limit = 20);

}  // namespace rigcast
