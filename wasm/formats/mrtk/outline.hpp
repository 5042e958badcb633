#pragma once

#include "core/outline.hpp"
#include "formats/mrtk/document.hpp"

namespace rigcast {

/// camera, states, hand.left, hand.right, gaze with a node a curve, then markers: in the order of the file (design.md section 7).
void outlineRecording(const MrtkDocument& document, Outline& outline);

}  // namespace rigcast
