// Evaluates Euler curves, which files written before 2023-11 contain: one curve of angles in
// degrees per axis.
#pragma once

#include <cstdint>
#include <utility>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Pairs of a frame and an angle in degrees, sorted by frame.
using EulerKeys = Vector<std::pair<double, double>>;

/// An animated rotation about x, then y, then z. This is the order in the programs that wrote such
/// files. An axis can have no keys.
struct EulerAxes {
    EulerKeys keys[3];

    /// Returns the frames of the keys and all whole frames between them. A rotation track needs
    /// these frames, because slerp between keys differs from linear interpolation of angles.
    /// `most`: maximum number of whole frames. Subtracts their number from `most`, or omits them if
    /// there are too many.
    Vector<double> frames(std::uint32_t& most) const;
    /// Returns the rotation at a frame. Before the first key of an axis, its angle is that of the
    /// first key; after the last key, that of the last key.
    Quat at(double frame) const;
};

}  // namespace rigcast
