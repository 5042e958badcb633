// Curves of a recording as they are played (mrtk-input-animation.md section 6).
#pragma once

#include "formats/mrtk/document.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Reports what is odd about the raw curve under its name and makes it playable. Empty where the file has none of that index.
PlayCurve playable(const MrtkDocument& document, std::size_t curve, Diagnostics& diagnostics);

}  // namespace rigcast
