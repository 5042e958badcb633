// Converts a gaze direction (three curves) to keys of a rotation.
#pragma once

#include <array>

#include "core/math.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Keys of a rotation whose -Z axis is the gaze direction. Right-handed, interpolated by slerp.
struct GazeKeys {
    Vector<double> times, values;  // 4 values per key: x y z w
    Quat rest;                     // rotation at time 0
    bool isCoarse = false;         // true: the work budget did not suffice for all keys
};

/// Returns keys that are exact at every key of the curves in [begin, end] (seconds), including
/// repetitions. Additional keys limit the error between them to 0.01 degrees. `direction` is x y z
/// in Unity's left-handed space, of any length. Returns no keys if the curves have none.
GazeKeys gazeKeys(const std::array<PlayCurve, 3>& direction, double begin, double end);

}  // namespace rigcast
