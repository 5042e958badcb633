// Euler curves of files before 2023-11: one curve per axis, in degrees.
#pragma once

#include <cstdint>
#include <utility>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Frame and degrees, sorted by frame.
using EulerKeys = Vector<std::pair<double, double>>;

/// Rotation about x, then y, then z, the order of the programs that wrote them. Each axis has its
/// own keys, or none.
struct EulerAxes {
    EulerKeys keys[3];

    /// Returns the frames at which a rotation needs keys for slerp. These are the frames of the
    /// file and all whole frames between, because angles are linear and rotations are not. Omits
    /// the whole frames if they are more than `most`; otherwise subtracts their number from it.
    Vector<double> frames(std::uint32_t& most) const;
    /// Each axis is clamped to its first and last key.
    Quat at(double frame) const;
};

}  // namespace rigcast
