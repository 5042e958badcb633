#pragma once

#include "core/outline.hpp"
#include "formats/mrtk/document.hpp"

namespace rigcast {

/// Converts a recording to an outline. The nodes camera, states, hand.left, hand.right and gaze
/// contain one node per curve. Markers follow them, as in the file.
void outlineRecording(const MrtkDocument& document, Outline& outline);

}  // namespace rigcast
