// Playable curves of a recording (mrtk-input-animation.md section 6).
#pragma once

#include "formats/mrtk/document.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Repairs a curve of the file and reports the repairs under the curve's name. Returns an empty
/// curve if the index is out of range.
PlayCurve playable(const MrtkDocument& document, std::size_t curve, Diagnostics& diagnostics);

}  // namespace rigcast
