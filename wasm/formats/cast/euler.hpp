// The Euler curves that files had before 2023-11: one curve per axis, in degrees.
#pragma once

#include <cstdint>
#include <utility>

#include "core/math.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Frame and degrees, by frame.
using EulerKeys = Vector<std::pair<double, double>>;

/// About x, then y, then z: the rotation order of the hosts that wrote them. Each axis has keys of its own, or none.
struct EulerAxes {
    EulerKeys keys[3];

    /// Frames at which the rotation needs a key so that it may be played by slerp: those of the file and, since between them the angles are linear
    /// and the rotation is not, every whole frame. Without those where there are more than `most`, of which it takes what it adds.
    Vector<double> frames(std::uint32_t& most) const;
    /// Before the first key of an axis its angle is that of the first, behind the last that of the last.
    Quat at(double frame) const;
};

}  // namespace rigcast
