#include "scene/unityCurve.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/order.hpp"
#include "core/text.hpp"

namespace rigcast {

namespace {

constexpr float aDay = 86400;

enum WeightedMode : std::int32_t { weightedIn = 1, weightedOut = 2 };

/// The bezier parameter s at which the time polynomial 3(1-s)^2 s w0 + 3(1-s) s^2 (1-w1) + s^3 reaches u. It never decreases for weights in
/// [0, 1], so bisection always closes in; Newton only speeds it up.
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

}  // namespace

bool PlayCurve::isPolyline() const {
    return before == Extrapolation::hold && after == Extrapolation::hold &&
           (kind.empty() || std::all_of(kind.begin(), kind.end() - 1, [](Interpolation k) { return k == Interpolation::linear; }));
}

void PlayCurve::scale(double factor) {
    for (auto* numbers : {&value, &inSlope, &outSlope})
        for (double& number : *numbers) number *= factor;
}

PlayCurve playable(std::span<const UnityKey> keys, UnityKeys kind, const CurvePlace& at, Diagnostics& diagnostics) {
    const bool boolean = kind == UnityKeys::state, full = kind == UnityKeys::full;
    const Place whole{.offset = at.offset, .path = at.path};
    const auto keyPlace = [&](std::uint32_t k) {
        return Place{.offset = at.keys ? std::optional(*at.keys + k * at.stride) : at.offset, .path = at.path};
    };
    PlayCurve curve;
    std::vector<std::uint32_t> order;
    order.reserve(keys.size());
    for (std::uint32_t k = 0; k < keys.size(); ++k) {
        const float time = keys[k].time;
        const Place place = keyPlace(k);
        if (!std::isfinite(time)) {
            diagnostics.add(Code::NON_FINITE, Severity::warning, place, "a key without a time was left out");
            continue;
        }
        if (std::fabs(time) > aDay) diagnostics.add(Code::TIME_SUSPICIOUS, place, {"{} s", {time}});
        order.push_back(k);
    }
    const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return keys[a].time < keys[b].time; };
    if (!std::is_sorted(order.begin(), order.end(), earlier)) {
        diagnostics.add(Code::KEYS_UNSORTED, whole);
        std::vector<double> times;
        for (const std::uint32_t k : order) times.push_back(keys[k].time);
        std::vector<std::uint32_t> sorted;
        for (const std::uint32_t i : ascendingOrder(times)) sorted.push_back(order[i]);
        order = std::move(sorted);
    }

    const std::size_t count = order.size();
    for (auto* numbers : {&curve.time, &curve.value, &curve.inSlope, &curve.outSlope}) numbers->reserve(count);
    std::vector<std::int32_t> modes(count, 0);
    std::uint32_t duplicates = 0, states = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t k = order[i];
        const UnityKey& key = keys[k];
        const Place place = keyPlace(k);
        double value = key.value, in = 0, out = 0;
        float inWeight = 0, outWeight = 0;
        if (!std::isfinite(value)) {
            diagnostics.add(Code::NON_FINITE, Severity::warning, place, boolean ? "counts as not set" : "the value before it was used");
            value = boolean || i == 0 ? 0 : curve.value.back();
        }
        if (boolean) {
            states += value != 0 && value != 1;
            value = value > 0.5 ? 1 : 0;
        }
        if (full) {
            in = key.inTangent;
            out = key.outTangent;
            inWeight = key.inWeight;
            outWeight = key.outWeight;
            modes[i] = key.weightedMode;
            if (modes[i] & ~3) diagnostics.add(Code::WEIGHTED_MODE_UNKNOWN, place, {"mode {}", {modes[i]}});
            if (std::isnan(in) || std::isnan(out)) {
                diagnostics.add(Code::NON_FINITE, Severity::warning, place, "a tangent counts as flat");
                if (std::isnan(in)) in = 0;
                if (std::isnan(out)) out = 0;
            }
            const auto clampWeight = [&](float& weight, bool used) {
                if (weight >= 0 && weight <= 1) return;
                if (used) diagnostics.add(Code::WEIGHT_RANGE, place, {"{}", {weight}});
                weight = weight > 1 ? 1.f : 0.f;
            };
            clampWeight(inWeight, modes[i] & weightedIn);
            clampWeight(outWeight, modes[i] & weightedOut);
            if (!(modes[i] & weightedIn)) inWeight = 1.f / 3;
            if (!(modes[i] & weightedOut)) outWeight = 1.f / 3;
        }
        const double time = key.time;
        duplicates += i > 0 && curve.time.back() == time;
        curve.time.push_back(time);
        curve.value.push_back(value);
        curve.inSlope.push_back(in);
        curve.outSlope.push_back(out);
        curve.inWeight.push_back(inWeight);
        curve.outWeight.push_back(outWeight);
    }
    diagnostics.add(Code::KEYS_DUPLICATE, whole, {}, duplicates);
    diagnostics.add(Code::STATE_VALUE, whole, {}, states);

    curve.kind.assign(count, boolean ? Interpolation::step : Interpolation::linear);
    if (full)
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const bool weighted = (modes[i] & weightedOut) || (modes[i + 1] & weightedIn);
            if (std::isinf(curve.outSlope[i]) || std::isinf(curve.inSlope[i + 1]))
                curve.kind[i] = Interpolation::step;
            else if (!weighted)
                curve.kind[i] = Interpolation::hermite;
            else if (curve.outWeight[i] != 0 || curve.inWeight[i + 1] != 0)
                curve.kind[i] = Interpolation::bezier;
        }
    if (count > 1 && curve.time.front() == curve.time.back()) {
        // All keys at one time: the last one holds everywhere (section 6.2, L = 0).
        for (auto* numbers : {&curve.time, &curve.value, &curve.inSlope, &curve.outSlope})
            numbers->erase(numbers->begin(), numbers->end() - 1);
        for (auto* weights : {&curve.inWeight, &curve.outWeight}) weights->erase(weights->begin(), weights->end() - 1);
        curve.kind.erase(curve.kind.begin(), curve.kind.end() - 1);
    }
    return curve;
}

namespace {

double evaluateExactly(const PlayCurve& curve, double t, bool leftLimit) {
    t = wrapped(curve, t);
    const auto begin = curve.time.begin(), end = curve.time.end();
    const auto right = leftLimit ? std::lower_bound(begin, end, t) : std::upper_bound(begin, end, t);
    if (right == end) return curve.value.back();
    if (right == begin) return curve.value.front();
    const std::size_t b = static_cast<std::size_t>(right - begin), a = b - 1;
    const double t0 = curve.time[a], t1 = curve.time[b], v0 = curve.value[a], v1 = curve.value[b], d = t1 - t0;
    if (!(d > 0)) return v1;
    const double u = (t - t0) / d, m0 = curve.outSlope[a] * d, m1 = curve.inSlope[b] * d;
    switch (curve.kind[a]) {
        case Interpolation::step:
            return u >= 1 ? v1 : v0;
        case Interpolation::hermite: {
            const double u2 = u * u, u3 = u2 * u;
            return (2 * u3 - 3 * u2 + 1) * v0 + (u3 - 2 * u2 + u) * m0 + (3 * u2 - 2 * u3) * v1 + (u3 - u2) * m1;
        }
        case Interpolation::bezier: {
            const double w0 = curve.outWeight[a], w1 = curve.inWeight[b], s = solveBezier(u, w0, w1), r = 1 - s;
            return r * r * r * v0 + 3 * r * r * s * (v0 + w0 * m0) + 3 * r * s * s * (v1 - w1 * m1) + s * s * s * v1;
        }
        default:
            return v0 + (v1 - v0) * u;
    }
}

}  // namespace

double evaluate(const PlayCurve& curve, double t, bool leftLimit) {
    if (curve.empty()) return 0;
    // Slopes of damaged files lead beyond what a float, which is what all of it becomes, can hold.
    constexpr double largest = std::numeric_limits<float>::max();
    return std::clamp(evaluateExactly(curve, t, leftLimit), -largest, largest);
}

std::vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves) {
    std::vector<double> all;
    for (const PlayCurve* curve : curves) {
        std::vector<double> merged;
        merged.reserve(all.size() + curve->size());
        // A union in which a time occurs as often as in the curve that has it most often, at most twice.
        std::size_t i = 0, j = 0;
        const auto runOf = [](const std::vector<double>& times, std::size_t& at, double time) {
            std::size_t run = 0;
            while (at < times.size() && times[at] == time) {
                ++at;
                ++run;
            }
            return run;
        };
        while (i < all.size() || j < curve->time.size()) {
            const double time = i == all.size() ? curve->time[j] : j == curve->time.size() ? all[i] : std::min(all[i], curve->time[j]);
            const std::size_t run = std::min<std::size_t>(std::max(runOf(all, i, time), runOf(curve->time, j, time)), 2);
            merged.insert(merged.end(), run, time);
        }
        all = std::move(merged);
    }
    return all;
}

void TrackWriter::component(std::uint32_t node, Path path, std::uint8_t component, const PlayCurve& curve, std::string_view property) {
    if (curve.empty()) return;
    Track track = make(node, path);
    track.component = component;
    track.property = scene_.strings.intern(property);
    track.before = curve.before;
    track.after = curve.after;
    track.times = times(curve.time);
    track.values = column(curve.value);
    const bool uniform = std::all_of(curve.kind.begin(), curve.kind.end(), [&](Interpolation kind) { return kind == curve.kind.front(); });
    track.interpolation = uniform ? curve.kind.front() : Interpolation::perKey;
    if (!uniform) {
        std::vector<std::uint8_t> kinds(curve.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint8_t>(curve.kind[i]);
        track.kinds = arena_.copy(clip_.block, std::span<const std::uint8_t>(kinds));
    }
    const auto has = [&](Interpolation kind) { return std::find(curve.kind.begin(), curve.kind.end(), kind) != curve.kind.end(); };
    if (has(Interpolation::hermite) || has(Interpolation::bezier)) {
        std::vector<float> slopes, weights;
        for (std::size_t i = 0; i < curve.size(); ++i) {
            slopes.push_back(static_cast<float>(curve.inSlope[i]));
            slopes.push_back(static_cast<float>(curve.outSlope[i]));
            weights.push_back(curve.inWeight[i]);
            weights.push_back(curve.outWeight[i]);
        }
        track.tangents = arena_.copy(clip_.block, std::span<const float>(slopes));
        if (has(Interpolation::bezier)) track.weights = arena_.copy(clip_.block, std::span<const float>(weights));
    }
    clip_.tracks.push_back(track);
}

void TrackWriter::whole(std::uint32_t node, Path path, Interpolation interpolation, const std::vector<double>& keyTimes,
                        const std::vector<double>& values) {
    if (keyTimes.empty()) return;
    Track track = make(node, path);
    track.interpolation = interpolation;
    track.times = times(keyTimes);
    track.values = column(values);
    clip_.tracks.push_back(track);
}

Track TrackWriter::make(std::uint32_t node, Path path) {
    Track track;
    if (node != none) track.target = scene_.nodes[node].name;
    track.node = node;
    track.path = path;
    return track;
}

Column<float> TrackWriter::column(const std::vector<double>& numbers) {
    auto made = arena_.allocate<float>(clip_.block, numbers.size());
    for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = static_cast<float>(numbers[i]);
    return made.column;
}

Column<float> TrackWriter::times(const std::vector<double>& keyTimes) {
    if (keyTimes != lastTimes_ || !lastColumn_.present()) {
        lastTimes_ = keyTimes;
        lastColumn_ = column(keyTimes);
    }
    return lastColumn_;
}

}  // namespace rigcast
