// Evaluates the Euler curves of files before 2023-11: one curve per axis, in degrees.
#pragma once

#include <cstdint>
#include <utility>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Pairs of frame and degrees, sorted by frame.
using EulerKeys = Vector<std::pair<double, double>>;

/// An animated rotation about x, then y, then z, the order of the programs that wrote such files.
/// An axis can have no keys.
struct EulerAxes {
    EulerKeys keys[3];

    /// Returns the frames that a rotation track needs: the frames of the keys and all whole frames
    /// between them, because angles are linear and slerp is not. Subtracts the number of whole
    /// frames from `most`, or omits them if there are more.
    Vector<double> frames(std::uint32_t& most) const;
    /// Returns the rotation at a frame. Before its first and after its last key, an axis keeps the
    /// value of that key.
    Quat at(double frame) const;
};

}  // namespace rigcast
