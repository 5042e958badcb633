// The output contract as a function: what every scene promises, for any bytes. Runs on every scene in every test and fuzz run,
// not on pages: it costs a read of everything and a tenth of the download.
#pragma once

#include <string>

#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// Broken promises, in plain words with the path of the offender (at most `limit`); empty for a sound scene. Checked: indices in range,
/// floats finite (tangents may be infinite), quaternions unit, weights >= 0 with sum 1 or 0, times ascending, parents before children with one
/// root, morph vertices ascending and in range, text valid UTF-8, columns inside their block, present columns of the length their
/// owner needs, every track's columns in its clip's block.
Vector<std::string> validateScene(const Scene& scene, const Arena& arena, std::size_t limit = 20);

}  // namespace rigcast
