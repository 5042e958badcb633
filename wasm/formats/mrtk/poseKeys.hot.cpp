// Functions that process every key of a pose.
#include <algorithm>
#include <cmath>

#include "core/vector.hpp"
#include "formats/mrtk/pose.hpp"

namespace rigcast {

bool haveSameTimes(const std::array<PlayCurve, 4>& rotation) {
    return std::all_of(rotation.begin() + 1, rotation.end(), [&](const PlayCurve& curve) { return isSame(curve.time, rotation[0].time); });
}

std::size_t alignSigns(PoseCurves& pose) {
    auto& rotation = pose.rotation;
    const std::size_t count = rotation[0].size();
    if (!haveSameTimes(rotation)) return 0;
    std::size_t flips = 0;
    Quat before;
    bool negated = false;
    for (std::size_t i = 0; i < count; ++i) {
        const Quat q{rotation[0].value[i], rotation[1].value[i], rotation[2].value[i], rotation[3].value[i]};
        if (i > 0 && dot(before, q) < 0) {
            ++flips;
            negated = !negated;
        }
        if (lengthSquared(q) > 1e-12) before = q;
        if (!negated) continue;
        for (PlayCurve& curve : rotation) {
            curve.value[i] = -curve.value[i];
            if (curve.inSlope.empty()) continue;
            curve.inSlope[i] = -curve.inSlope[i];
            curve.outSlope[i] = -curve.outSlope[i];
        }
    }
    return flips;
}

namespace {

/// Maximum deviation of a squared length from 1. scene/validate.hpp allows twice this deviation,
/// because values are later rounded to float.
constexpr double notUnitSquare = 5e-4;

}  // namespace

void IrregularLengths::add(double squared) {
    const bool isZero = squared < 1e-12;
    zero += isZero;
    off += !isZero && std::fabs(std::sqrt(squared) - 1) > 1e-2;
    notUnit += !isZero && std::fabs(squared - 1) > notUnitSquare;
}

IrregularLengths irregularLengths(const PoseCurves& pose) {
    const auto& rotation = pose.rotation;
    IrregularLengths odd;
    for (std::size_t i = 0; i < rotation[0].size(); ++i)
        odd.add(lengthSquared({rotation[0].value[i], rotation[1].value[i], rotation[2].value[i], rotation[3].value[i]}));
    return odd;
}

IrregularLengths irregularLengths(std::span<const double> rotations) {
    IrregularLengths odd;
    for (std::size_t i = 0; i + 4 <= rotations.size(); i += 4)
        odd.add(lengthSquared({rotations[i], rotations[i + 1], rotations[i + 2], rotations[i + 3]}));
    return odd;
}

Vector<double> rotationsAt(const PoseCurves& pose, const Vector<double>& times) {
    const auto& rotation = pose.rotation;
    return valuesAt({&rotation[0], &rotation[1], &rotation[2], &rotation[3]}, times);
}

void mirrorUnit(std::span<double> rotations) {
    Quat last;
    for (std::size_t i = 0; i + 4 <= rotations.size(); i += 4) {
        double* const at = &rotations[i];
        const Quat q = mirrored(Quat{at[0], at[1], at[2], at[3]});
        const double squared = lengthSquared(q);
        if (squared > 1e-12) last = std::fabs(squared - 1) > notUnitSquare ? normalized(q) : q;
        at[0] = last.x;
        at[1] = last.y;
        at[2] = last.z;
        at[3] = last.w;
    }
}

}  // namespace rigcast
