#include "formats/mrtk/gaze.hpp"

#include <algorithm>

#include "core/budget.hpp"
#include "core/order.hpp"
#include "core/vector.hpp"
#include "formats/mrtk/pose.hpp"

namespace rigcast {

namespace {

// Maximum error of a gaze direction: 0.01 degrees, expressed as the distance between unit vectors.
constexpr double mostError = 0.01 * 3.14159265358979323846 / 180;
constexpr int mostHalvings = 10;
// Steps of the work budget per additional key. Limits the number of keys, because damaged files can
// require millions of keys.
constexpr std::uint64_t keySteps = 256;

/// Returns the rotation that turns -Z to `direction` and keeps +Y as upright as possible.
Quat lookingAlong(const Vec3& direction) {
    const Vec3 back = direction * (-1 / length(direction));
    Vec3 right = cross({0, 1, 0}, back);
    if (length(right) < 1e-6) right = {1, 0, 0};
    right = right * (1 / length(right));
    const Vec3 up = cross(back, right);
    return decompose({{right.x, right.y, right.z, 0, up.x, up.y, up.z, 0, back.x, back.y, back.z, 0, 0, 0, 0, 1}}).rotation;
}

Quat halfway(const Quat& a, const Quat& b) {
    const double sign = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w < 0 ? -1 : 1;
    return normalized({a.x + sign * b.x, a.y + sign * b.y, a.z + sign * b.z, a.w + sign * b.w});
}

/// Adds the times of all keys in [begin, end] to `breaks`, including repetitions of the curve.
/// Returns false if the work budget is exceeded.
bool addBreaks(const PlayCurve& curve, double begin, double end, Vector<double>& breaks) {
    if (curve.empty()) return true;
    const double first = curve.time.front(), length = curve.time.back() - first;
    breaks.insert(breaks.end(), curve.time.begin(), curve.time.end());
    if (length <= 0) return true;
    const auto repeat = [&](Extrapolation mode, int direction) {
        if (mode == Extrapolation::hold) return true;
        for (int cycle = direction;; cycle += direction) {
            const double start = first + cycle * length;
            if (start > end || start + length < begin) return true;
            if (!Budget::spend(curve.size() * keySteps)) return false;
            const bool isBackwards = mode == Extrapolation::pingPong && cycle % 2 != 0;
            for (const double time : curve.time) breaks.push_back(start + (isBackwards ? length - (time - first) : time - first));
        }
    };
    const bool isWholeAfter = repeat(curve.after, 1);
    return repeat(curve.before, -1) && isWholeAfter;
}

class GazeBuilder {
public:
    explicit GazeBuilder(const std::array<PlayCurve, 3>& direction) : direction_(direction) {}

    GazeKeys build(const Vector<double>& breaks) {
        push(breaks.front(), rotationAt(breaks.front()));
        for (std::size_t i = 1; i < breaks.size(); ++i) addBetween(breaks[i - 1], breaks[i]);
        keys_.rest = rotationAt(0);
        return std::move(keys_);
    }

private:
    Vec3 directionAt(double t) const {
        return mirrored(Vec3{evaluate(direction_[0], t), evaluate(direction_[1], t), evaluate(direction_[2], t)});
    }

    /// Returns the rotation at time `t`, or the previous rotation if the direction has zero length.
    Quat rotationAt(double t) const {
        const Vec3 direction = directionAt(t);
        return length(direction) > 1e-6 ? lookingAlong(direction) : last_;
    }

    /// Returns the error of `rotation` at time `t`: the distance between its direction and the
    /// direction of the curves, both as unit vectors.
    double offBy(const Quat& rotation, double t) const {
        const Vec3 wanted = directionAt(t);
        const double size = length(wanted);
        return size > 1e-6 ? length(rotate(rotation, {0, 0, -1}) - wanted * (1 / size)) : 0;
    }

    void push(double t, const Quat& q) {
        last_ = q;
        keys_.times.push_back(t);
        keys_.values.insert(keys_.values.end(), {q.x, q.y, q.z, q.w});
    }

    /// Adds a key at `to`, and all keys between `from` and `to` that the maximum error requires.
    void addBetween(double from, double to) {
        struct Span {
            double from, to;
            int depth;
        };
        Vector<Span> open{{from, to, 0}};
        while (!open.empty()) {
            const Span span = open.back();
            open.pop_back();
            const double middle = (span.from + span.to) / 2;
            const Quat a = rotationAt(span.from), b = rotationAt(span.to), half = halfway(a, b);
            // Measures the error at one quarter and three quarters of the span between two keys,
            // because slerp is exact in the middle of symmetric spans.
            const double error =
                std::max(offBy(halfway(a, half), (span.from + middle) / 2), offBy(halfway(half, b), (middle + span.to) / 2));
            if (error > mostError && span.depth < mostHalvings && affordsKey()) {
                open.push_back({middle, span.to, span.depth + 1});
                open.push_back({span.from, middle, span.depth + 1});
            } else {
                push(span.to, b);
            }
        }
    }

    bool affordsKey() {
        keys_.isCoarse |= !Budget::spend(keySteps);
        return !keys_.isCoarse;
    }

    const std::array<PlayCurve, 3>& direction_;
    Quat last_;
    GazeKeys keys_;
};

}  // namespace

GazeKeys gazeKeys(const std::array<PlayCurve, 3>& direction, double begin, double end) {
    Vector<double> breaks;
    bool isWhole = true;
    for (const PlayCurve& curve : direction) isWhole &= addBreaks(curve, begin, end, breaks);
    sortBy(breaks, [](double time) { return time; });
    breaks.erase(std::unique(breaks.begin(), breaks.end()), breaks.end());
    if (breaks.empty()) return {};
    GazeKeys keys = GazeBuilder(direction).build(breaks);
    keys.isCoarse |= !isWhole;
    return keys;
}

}  // namespace rigcast
