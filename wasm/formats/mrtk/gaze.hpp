// Where somebody looks: a direction of three curves as keys of a rotation.
#pragma once

#include <array>

#include "core/math.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Rotations whose -Z looks along the direction, in right-handed space, to be turned between by slerp.
struct GazeKeys {
    Vector<double> times, values;  // values: x y z w of every key
    Quat rest;                     // at time 0
    bool isCoarse = false;         // more keys were wanted than are made
};

/// `direction` is x y z in Unity's left-handed space, of any length. Exact at every key in [begin, end] (seconds; also of curves that repeat) and, by
/// adding keys where it is not, within a hundredth of a degree between them. No keys where the curves have none.
GazeKeys gazeKeys(const std::array<PlayCurve, 3>& direction, double begin, double end);

}  // namespace rigcast
