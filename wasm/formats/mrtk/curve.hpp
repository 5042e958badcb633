// Converts the curves of a recording so that they can be evaluated (mrtk-input-animation.md section
// 6).
#pragma once

#include "formats/mrtk/document.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Converts curve number `curve`. Repairs damage and reports it under the curve's name. Returns an
/// empty curve if the number is out of range.
PlayCurve playable(const MrtkDocument& document, std::size_t curve, Diagnostics& diagnostics);

}  // namespace rigcast
