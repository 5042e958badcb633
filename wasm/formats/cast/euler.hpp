// Evaluates the Euler curves that files written before 2023-11 contain: one curve per axis, in
// degrees.
#pragma once

#include <cstdint>
#include <utility>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Pairs of a frame and an angle in degrees, sorted by frame.
using EulerKeys = Vector<std::pair<double, double>>;

/// An animated rotation about x, then y, then z, which is the order in the programs that wrote such
/// files. Axes without keys are possible.
struct EulerAxes {
    EulerKeys keys[3];

    /// Returns the frames that a rotation track needs: the frames of the keys and all whole frames
    /// between them, because slerp between keys would differ from the linear interpolation of
    /// angles. Subtracts the number of whole frames from `most`, or omits these frames if there are
    /// more than `most`.
    Vector<double> frames(std::uint32_t& most) const;
    /// Returns the rotation at a frame. Before its first and after its last key, an axis keeps the
    /// value of that key.
    Quat at(double frame) const;
};

}  // namespace rigcast
