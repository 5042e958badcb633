// Converts the curves of a recording to curves that can be evaluated (mrtk-input-animation.md
// section 6).
#pragma once

#include "formats/mrtk/document.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Converts the curve with index `curve`. Repairs damage and reports it with the curve's name.
/// Returns an empty curve if the index is out of range.
PlayCurve playable(const MrtkDocument& document, std::size_t curve, Diagnostics& diagnostics);

}  // namespace rigcast
