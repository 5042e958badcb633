// Recordings made from scratch: a pair of hands that wave and pinch, and curves of every kind. For fixtures, tests and the demo.
#pragma once

#include <cstdint>

#include "core/vector.hpp"

namespace rigcast {

/// Five seconds, version 1.1: two hands come up, wave, the right one pinches twice; head and gaze follow; three markers.
Vector<std::uint8_t> wavingHands();

/// Version 1.0: tangents weighted and not, infinite ones, jumps, wrap modes, a pre-roll. Camera and the right wrist only.
Vector<std::uint8_t> everyCurve();

/// Two hands that tumble through full turns while their fingers curl, and a head that looks around: version 1.1, a rotation key a frame,
/// as trackers give them (q and -q by chance). `damaged`: as toolkit 2.6.0 to 2.7.2 wrote it, w kept as its first key (left hand), or as two
/// keys of which the second is the last z (right hand, head).
Vector<std::uint8_t> turningHands(bool damaged);

}  // namespace rigcast
