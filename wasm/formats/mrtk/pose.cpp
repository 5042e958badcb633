#include "formats/mrtk/pose.hpp"

#include <algorithm>
#include <cmath>

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// Weight of the anatomical cost. A rotation between keys costs its angle in radians (section 8.2
/// of docs/formats/mrtk-input-animation.md).
constexpr double shapeWeight = 0.2;

/// The two possible rotations at a key without w. For each: the minimum cost of a path that ends
/// with it, and the previous rotation on that path.
struct Step {
    Quat candidate[2];
    double cost[2];
    int from[2];
};

/// Returns the anatomical cost of a joint rotation, which is high if the joint points away from the
/// next joint or, for a tip, differs in orientation from the previous joint.
double shapeCost(const PoseCurves& pose, double t, const Quat& unit, const PoseCurves* along, const PoseCurves* finger) {
    if (along && along->hasPosition() && pose.hasPosition()) {
        const Vec3 direction = along->positionAt(t) - pose.positionAt(t);
        const double distance = length(direction);
        return distance > 1e-9 ? shapeWeight * (1 - dot(rotate(unit, {0, 0, 1}), direction) / distance) : 0;
    }
    if (!finger || !finger->hasRotation()) return 0;
    const double agreement = dot(unit, normalized(finger->rotationAt(t)));
    return shapeWeight * (1 - agreement * agreement);
}

Vector<Step> stepsOf(const PoseCurves& pose, const Vector<double>& times, double storedFirst, const PoseCurves* along,
                     const PoseCurves* finger) {
    Vector<Step> steps(times.size());
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double t = times[i];
        const bool isLeft = i + 1 < times.size() && times[i + 1] == t;
        Quat q = pose.rotationAt(t, isLeft);
        const double w = std::sqrt(std::max(0.0, 1 - q.x * q.x - q.y * q.y - q.z * q.z));
        Step& step = steps[i];
        for (int sign = 0; sign < 2; ++sign) {
            q.w = sign ? -w : w;
            const Quat unit = normalized(q);
            step.candidate[sign] = q;
            const double shape = shapeCost(pose, t, unit, along, finger);
            if (i == 0) {
                step.cost[sign] = shape + ((storedFirst < 0) == (sign == 1) ? 0 : 1e3);
                step.from[sign] = sign;
                continue;
            }
            const Step& before = steps[i - 1];
            double best = 0;
            for (int from = 0; from < 2; ++from) {
                const double cost = before.cost[from] + angleBetween(normalized(before.candidate[from]), unit);
                if (from == 0 || cost < best) {
                    best = cost;
                    step.from[sign] = from;
                }
            }
            step.cost[sign] = best + shape;
        }
    }
    return steps;
}

}  // namespace

bool PoseCurves::hasPosition() const {
    return std::any_of(position.begin(), position.end(), [](const PlayCurve& curve) { return !curve.empty(); });
}

bool PoseCurves::hasRotation() const {
    return std::any_of(rotation.begin(), rotation.end(), [](const PlayCurve& curve) { return !curve.empty(); });
}

Vec3 PoseCurves::positionAt(double t) const { return {evaluate(position[0], t), evaluate(position[1], t), evaluate(position[2], t)}; }

Quat PoseCurves::rotationAt(double t, bool leftLimit) const {
    return {evaluate(rotation[0], t, leftLimit), evaluate(rotation[1], t, leftLimit), evaluate(rotation[2], t, leftLimit),
            evaluate(rotation[3], t, leftLimit)};
}

bool lostW(const PoseCurves& pose) {
    const auto& [x, y, z, w] = pose.rotation;
    const std::size_t keys = x.size();
    if (keys < 2 || y.size() != keys || z.size() != keys) return false;
    if (w.size() == 1) return true;
    return keys > 2 && w.size() == 2 && w.time.front() == x.time.front() && w.time.back() == x.time.back();
}

void rebuildW(PoseCurves& pose, const PoseCurves* along, const PoseCurves* finger) {
    const Vector<double> times = mergedTimes({&pose.rotation[0], &pose.rotation[1], &pose.rotation[2]});
    const double storedFirst = pose.rotation[3].value.front();
    const Vector<Step> steps = stepsOf(pose, times, storedFirst, along, finger);
    PlayCurve& w = pose.rotation[3];
    const std::size_t count = times.size();
    w = {};
    w.time = times;
    w.value.resize(count);
    w.kind.assign(count, Interpolation::linear);
    if (!along && !finger) {
        // Extrapolates w for the head. Without an anatomical cost, both signs of w cost almost the
        // same near 0 and 180 degrees, and the cheapest path could reverse the rotation there.
        for (std::size_t i = 0; i < count; ++i) {
            const auto at = [&](std::size_t back) { return w.value[i - back]; };
            const double step = i > 1 ? times[i - 1] - times[i - 2] : 0;
            const double ahead = i == 0 ? storedFirst : step > 0 ? at(1) + (at(1) - at(2)) * (times[i] - times[i - 1]) / step : at(1);
            w.value[i] = std::copysign(steps[i].candidate[0].w, ahead);
        }
        return;
    }
    int sign = steps.back().cost[1] < steps.back().cost[0];
    for (std::size_t i = count; i-- > 0;) {
        w.value[i] = steps[i].candidate[sign].w;
        sign = steps[i].from[sign];
    }
    alignSigns(pose);
}

}  // namespace rigcast
