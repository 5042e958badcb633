// Functions that process every key of every recorded joint.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scene/unityCurve.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// Solves 3(1-s)^2 s w0 + 3(1-s) s^2 (1-w1) + s^3 = u for the Bézier parameter s. If the weights
/// are in [0, 1], the polynomial never decreases, so bisection converges. Newton steps make it
/// faster.
double solveBezier(double u, double w0, double w1) {
    double low = 0, high = 1, s = u;
    for (int i = 0; i < 80 && high - low > 1e-15; ++i) {
        const double r = 1 - s;
        const double f = 3 * r * r * s * w0 + 3 * r * s * s * (1 - w1) + s * s * s - u;
        (f > 0 ? high : low) = s;
        const double slope = 3 * r * r * w0 + 6 * r * s * (1 - w1 - w0) + 3 * s * s * w1;
        const double next = slope > 1e-9 ? s - f / slope : low - 1;
        s = next > low && next < high ? next : (low + high) / 2;
    }
    return s;
}

double wrapped(const PlayCurve& curve, double t) {
    const double first = curve.time.front(), last = curve.time.back(), length = last - first;
    const Extrapolation mode = t < first ? curve.before : t > last ? curve.after : Extrapolation::hold;
    if (mode == Extrapolation::hold || length <= 0) return std::clamp(t, first, last);
    const auto modulo = [](double a, double b) { return a - b * std::floor(a / b); };
    if (mode == Extrapolation::loop) return first + modulo(t - first, length);
    return first + length - std::fabs(modulo(t - first, 2 * length) - length);
}

/// Returns the index of the first key after `t`, or at or after `t` if `leftLimit` is true. Returns
/// the number of keys if all keys are earlier.
std::size_t keyAfter(const PlayCurve& curve, double t, bool leftLimit) {
    const auto& times = curve.time;
    const auto isAfter = [&](std::size_t key) { return leftLimit ? times[key] >= t : times[key] > t; };
    const auto isFirst = [&](std::size_t key) { return (key == times.size() || isAfter(key)) && (key == 0 || !isAfter(key - 1)); };
    // Callers evaluate curves in order of time, so the result is usually the key of the previous
    // call or the key after it.
    std::size_t key = std::min(curve.lastFound, times.size());
    if (!isFirst(key) && !(key < times.size() && isFirst(++key))) {
        const auto found = leftLimit ? std::lower_bound(times.begin(), times.end(), t) : std::upper_bound(times.begin(), times.end(), t);
        key = static_cast<std::size_t>(found - times.begin());
    }
    return curve.lastFound = key;
}

/// Clamps a value to the range of float. Values are stored as floats, and slopes in damaged files
/// can exceed the range.
double limited(double value) {
    constexpr double largest = std::numeric_limits<float>::max();
    return std::clamp(value, -largest, largest);
}

double evaluateExactly(const PlayCurve& curve, double t, bool leftLimit) {
    t = wrapped(curve, t);
    const std::size_t b = keyAfter(curve, t, leftLimit), a = b - 1;
    if (b == curve.size()) return curve.value.back();
    if (b == 0) return curve.value.front();
    const double t0 = curve.time[a], t1 = curve.time[b], v0 = curve.value[a], v1 = curve.value[b], d = t1 - t0;
    if (!(d > 0)) return v1;
    const double u = (t - t0) / d;
    switch (curve.kind[a]) {
        case Interpolation::step:
            return u >= 1 ? v1 : v0;
        case Interpolation::hermite: {
            const double u2 = u * u, u3 = u2 * u, m0 = curve.outSlope[a] * d, m1 = curve.inSlope[b] * d;
            return (2 * u3 - 3 * u2 + 1) * v0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * v1 + (u3 - u2) * m1;
        }
        case Interpolation::bezier: {
            const double w0 = curve.outWeight[a], w1 = curve.inWeight[b], s = solveBezier(u, w0, w1), r = 1 - s;
            const double m0 = curve.outSlope[a] * d, m1 = curve.inSlope[b] * d;
            return r * r * r * v0 + 3 * r * r * s * (v0 + w0 * m0) + 3 * r * s * s * (v1 - w1 * m1) + s * s * s * v1;
        }
        default:
            return v0 + (v1 - v0) * u;
    }
}

}  // namespace

bool readPolyline(std::span<const UnityKey> keys, UnityKeys kind, PlayCurve& curve) {
    constexpr std::int32_t bothWeighted = 3;
    if (kind == UnityKeys::state) return false;
    float last = -secondsPerDay;
    bool isStraight = true;
    for (const UnityKey& key : keys) {
        isStraight &= key.time > last && key.time <= secondsPerDay && std::isfinite(key.value);
        last = key.time;
        if (kind == UnityKeys::full)
            isStraight &= key.weightedMode == bothWeighted && key.inWeight == 0 && key.outWeight == 0 && std::isfinite(key.inTangent) &&
                          std::isfinite(key.outTangent);
    }
    if (!isStraight) return false;
    curve.time.resize(keys.size());
    curve.value.resize(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        curve.time[i] = keys[i].time;
        curve.value[i] = keys[i].value;
    }
    curve.kind.assign(keys.size(), Interpolation::linear);
    return true;
}

bool isSame(const Vector<double>& a, const Vector<double>& b) {
    if (a.size() != b.size()) return false;
    std::size_t same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) same += a[i] == b[i];
    return same == a.size();
}

bool isAscending(const Vector<double>& times) {
    bool is = true;
    for (std::size_t i = 1; i < times.size(); ++i) is &= times[i] > times[i - 1];
    return is;
}

double evaluate(const PlayCurve& curve, double t, bool leftLimit) {
    return curve.empty() ? 0 : limited(evaluateExactly(curve, t, leftLimit));
}

Vector<double> valuesAt(std::initializer_list<const PlayCurve*> curves, const Vector<double>& times) {
    const std::size_t count = times.size(), width = curves.size();
    Vector<double> values(count * width);
    if (values.empty()) return values;
    const bool isEach = isAscending(times);
    std::size_t at = 0;
    for (const PlayCurve* curve : curves) {
        double* const to = values.data() + at++;
        // Fast path for curves with the same key times, as recorders write them. The result is
        // identical to that of the general path, including the sign of zero.
        if (isEach && isSame(curve->time, times)) {
            const auto& value = curve->value;
            for (std::size_t i = 0; i + 1 < count; ++i) to[i * width] = limited(value[i] + (value[i + 1] - value[i]) * 0.0);
            to[(count - 1) * width] = limited(value[count - 1]);
        } else {
            for (std::size_t i = 0; i < count; ++i) to[i * width] = evaluate(*curve, times[i], i + 1 < count && times[i + 1] == times[i]);
        }
    }
    return values;
}

}  // namespace rigcast
