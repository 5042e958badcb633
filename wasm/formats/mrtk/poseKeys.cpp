// What is done for every key of a pose.
// Compiled for speed, without vectors.
#include <cmath>

#include "core/vector.hpp"
#include "formats/mrtk/pose.hpp"

namespace rigcast {

std::size_t alignSigns(PoseCurves& pose) {
    auto& rotation = pose.rotation;
    const std::size_t count = rotation[0].size();
    for (const PlayCurve& curve : rotation)
        if (!isSame(curve.time, rotation[0].time)) return 0;
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

OddLengths oddLengths(const PoseCurves& pose) {
    const auto& rotation = pose.rotation;
    OddLengths odd;
    for (std::size_t i = 0; i < rotation[0].size(); ++i) {
        const double squared = lengthSquared({rotation[0].value[i], rotation[1].value[i], rotation[2].value[i], rotation[3].value[i]});
        odd.zero += squared < 1e-12;
        odd.off += squared >= 1e-12 && std::fabs(std::sqrt(squared) - 1) > 1e-2;
    }
    return odd;
}

Vector<double> mirroredRotations(const PoseCurves& pose, const Vector<double>& times) {
    const auto& rotation = pose.rotation;
    Vector<double> values = valuesAt({&rotation[0], &rotation[1], &rotation[2], &rotation[3]}, times);
    Quat last;
    for (std::size_t i = 0; i < values.size(); i += 4) {
        double* const at = &values[i];
        const Quat q = mirrored(Quat{at[0], at[1], at[2], at[3]});
        if (lengthSquared(q) > 1e-12) last = q;
        at[0] = last.x;
        at[1] = last.y;
        at[2] = last.z;
        at[3] = last.w;
    }
    return values;
}

}  // namespace rigcast
