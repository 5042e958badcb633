// Generates recordings for fixtures, tests and the demo.
#pragma once

#include <cstdint>

#include "core/vector.hpp"

namespace rigcast {

/// Returns a five-second recording of format version 1.1, in which both hands rise and wave, the
/// right one pinches twice, and head and gaze follow it. It has three markers.
Vector<std::uint8_t> wavingHands();

/// Returns a recording of format version 1.0 with the camera and the right wrist. It has tangents
/// with and without weights, infinite tangents, jumps, wrap modes, and a pre-roll.
Vector<std::uint8_t> everyCurve();

/// Returns a recording of format version 1.1 in which both hands rotate fully while their fingers
/// curl, and the head looks around. It has one rotation key per frame, with random signs of
/// quaternions as in tracked data. If `damaged` is true, w is lost as in recordings of toolkit
/// 2.6.0 to 2.7.2: it has one key (left hand), or two keys of which the second is the last z (right
/// hand, head).
Vector<std::uint8_t> turningHands(bool damaged);

}  // namespace rigcast
