// Generates recordings for fixtures, tests and the demo.
#pragma once

#include <cstdint>

#include "core/vector.hpp"

namespace rigcast {

/// Returns five seconds of version 1.1: two hands rise and wave, the right one pinches twice; head
/// and gaze follow; three markers.
Vector<std::uint8_t> wavingHands();

/// Returns a recording of version 1.0 with the camera and the right wrist: weighted and unweighted
/// tangents, infinite ones, jumps, wrap modes, a pre-roll.
Vector<std::uint8_t> everyCurve();

/// Returns a recording of version 1.1: two hands rotate fully while their fingers curl, and the
/// head looks around; one rotation key per frame, with random signs of q as in tracked data.
/// `damaged`: as written by toolkit 2.6.0 to 2.7.2, where w is a single key (left hand), or two
/// keys of which the second is the last z (right hand, head).
Vector<std::uint8_t> turningHands(bool damaged);

}  // namespace rigcast
