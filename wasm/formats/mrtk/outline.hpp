#pragma once

#include "core/outline.hpp"
#include "formats/mrtk/document.hpp"

namespace rigcast {

/// Converts a recording to an outline. Nodes are in file order: camera, states, hand.left,
/// hand.right and gaze, each with one node per curve, then markers.
void outlineRecording(const MrtkDocument& document, Outline& outline);

}  // namespace rigcast
