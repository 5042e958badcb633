// Recordings made from scratch: a pair of hands that wave and pinch, and curves of every kind. For fixtures, tests and the demo.
#pragma once

#include <cstdint>
#include <vector>

namespace rigcast {

/// Five seconds, version 1.1: two hands come up, wave, the right one pinches twice; head and gaze follow; three markers.
std::vector<std::uint8_t> wavingHands();

/// Version 1.0: tangents weighted and not, infinite ones, jumps, wrap modes, a pre-roll. Camera and the right wrist only.
std::vector<std::uint8_t> everyCurve();

}  // namespace rigcast
