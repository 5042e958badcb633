#pragma once

#include "core/outline.hpp"
#include "formats/mrtk/document.hpp"

namespace rigcast {

/// camera, states, hand.left, hand.right and gaze with one node per curve, then markers: the order of the file.
void outlineRecording(const MrtkDocument& document, Outline& outline);

}  // namespace rigcast
