// Generated recordings: two hands that wave and pinch, and curves of every kind. For fixtures,
// tests and the demo.
#pragma once

#include <cstdint>

#include "core/vector.hpp"

namespace rigcast {

/// Five seconds, version 1.1: two hands rise and wave, the right one pinches twice; head and gaze
/// follow; three markers.
Vector<std::uint8_t> wavingHands();

/// Version 1.0: weighted and unweighted tangents, infinite ones, jumps, wrap modes, a pre-roll.
/// Camera and the right wrist only.
Vector<std::uint8_t> everyCurve();

/// Two hands that rotate fully while their fingers curl, and a head that looks around: version 1.1,
/// one rotation key per frame, with random signs of q like in tracked data. `damaged`: as written by
/// toolkit 2.6.0 to 2.7.2, with w stored as its first key only (left hand), or as two keys of which
/// the second is the last z (right hand, head).
Vector<std::uint8_t> turningHands(bool damaged);

}  // namespace rigcast
