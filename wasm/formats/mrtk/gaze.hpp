// Converts a gaze direction, which consists of three curves, to keys of a rotation.
#pragma once

#include <array>

#include "core/math.hpp"
#include "scene/unityCurve.hpp"

namespace rigcast {

/// Keys of a rotation whose -Z axis is the gaze direction. The rotations are right-handed and must
/// be interpolated by slerp.
struct GazeKeys {
    Vector<double> times, values;  // 4 values per key: x y z w
    Quat rest;                     // rotation at time 0
    bool isCoarse = false;         // true: keys are missing because the work budget was exceeded
};

/// Returns a key for every key of the curves between `begin` and `end` (in seconds), including
/// repetitions of the curve. Adds more keys to limit the error between keys to 0.01 degrees.
/// `direction`: curves of the x, y and z components in Unity's left-handed space; vectors can have
/// any length. Returns no keys if the curves are empty.
GazeKeys gazeKeys(const std::array<PlayCurve, 3>& direction, double begin, double end);

}  // namespace rigcast
