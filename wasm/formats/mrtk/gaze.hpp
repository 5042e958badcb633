// Converts gaze, a direction of three curves, to keys of a rotation.
#pragma once

#include <array>

#include "core/math.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Keys of a rotation whose -Z is the gaze direction, in right-handed space, to be interpolated by
/// slerp.
struct GazeKeys {
    Vector<double> times, values;  // values: x y z w per key
    Quat rest;                     // at time 0
    bool isCoarse = false;         // the work budget did not suffice for all keys
};

/// `direction` is x y z in Unity's left-handed space, of any length. The result is exact at every
/// key in [begin, end] (seconds; also of repeating curves). Additional keys limit the error between
/// them to 0.01 degrees. Returns no keys if the curves have none.
GazeKeys gazeKeys(const std::array<PlayCurve, 3>& direction, double begin, double end);

}  // namespace rigcast
