#include "scene/unityCurve.hpp"

#include <algorithm>
#include <cmath>

#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

enum WeightedMode : std::int32_t { weightedIn = 1, weightedOut = 2 };

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
    if (takeStraight(keys, kind, curve)) return curve;
    Vector<std::uint32_t> order;
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
        Vector<double> times;
        for (const std::uint32_t k : order) times.push_back(keys[k].time);
        Vector<std::uint32_t> sorted;
        for (const std::uint32_t i : ascendingOrder(times)) sorted.push_back(order[i]);
        order = std::move(sorted);
    }

    const std::size_t count = order.size();
    curve.time.resize(count);
    curve.value.resize(count);
    for (auto* slopes : {&curve.inSlope, &curve.outSlope}) slopes->resize(full ? count : 0);
    for (auto* weights : {&curve.inWeight, &curve.outWeight}) weights->resize(full ? count : 0);
    Vector<std::int32_t> modes(count, 0);
    std::uint32_t duplicates = 0, states = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t k = order[i];
        const UnityKey& key = keys[k];
        const Place place = keyPlace(k);
        double value = key.value;
        if (!std::isfinite(value)) {
            diagnostics.add(Code::NON_FINITE, Severity::warning, place, boolean ? "counts as not set" : "the value before it was used");
            value = boolean || i == 0 ? 0 : curve.value[i - 1];
        }
        if (boolean) {
            states += value != 0 && value != 1;
            value = value > 0.5 ? 1 : 0;
        }
        if (full) {
            double in = key.inTangent, out = key.outTangent;
            float inWeight = key.inWeight, outWeight = key.outWeight;
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
            curve.inSlope[i] = in;
            curve.outSlope[i] = out;
            curve.inWeight[i] = inWeight;
            curve.outWeight[i] = outWeight;
        }
        curve.time[i] = key.time;
        curve.value[i] = value;
        duplicates += i > 0 && curve.time[i - 1] == curve.time[i];
    }
    diagnostics.add(Code::KEYS_DUPLICATE, whole, {}, duplicates);
    diagnostics.add(Code::STATE_VALUE, whole, {}, states);

    curve.kind.assign(count, boolean ? Interpolation::step : Interpolation::linear);
    bool isCurved = false;
    if (full)
        for (std::size_t i = 0; i + 1 < count; ++i) {
            const bool weighted = (modes[i] & weightedOut) || (modes[i + 1] & weightedIn);
            if (std::isinf(curve.outSlope[i]) || std::isinf(curve.inSlope[i + 1]))
                curve.kind[i] = Interpolation::step;
            else if (!weighted)
                curve.kind[i] = Interpolation::hermite;
            else if (curve.outWeight[i] != 0 || curve.inWeight[i + 1] != 0)
                curve.kind[i] = Interpolation::bezier;
            isCurved |= curve.kind[i] == Interpolation::hermite || curve.kind[i] == Interpolation::bezier;
        }
    if (count > 1 && curve.time.front() == curve.time.back()) {
        // All keys at one time: the last one holds everywhere (mrtk-input-animation.md section 6.2, L = 0).
        for (auto* numbers : {&curve.time, &curve.value}) numbers->erase(numbers->begin(), numbers->end() - 1);
        curve.kind.erase(curve.kind.begin(), curve.kind.end() - 1);
        isCurved = false;
    }
    if (!isCurved) {
        for (auto* slopes : {&curve.inSlope, &curve.outSlope}) Vector<double>().swap(*slopes);
        for (auto* weights : {&curve.inWeight, &curve.outWeight}) Vector<float>().swap(*weights);
    }
    return curve;
}

Vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves) {
    Vector<double> all;
    for (const PlayCurve* curve : curves) {
        if (isSame(curve->time, all)) continue;
        Vector<double> merged;
        merged.reserve(all.size() + curve->size());
        // A union in which a time occurs as often as in the curve that has it most often, at most twice.
        std::size_t i = 0, j = 0;
        const auto runOf = [](const Vector<double>& times, std::size_t& at, double time) {
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
        Vector<std::uint8_t> kinds(curve.size());
        for (std::size_t i = 0; i < kinds.size(); ++i) kinds[i] = static_cast<std::uint8_t>(curve.kind[i]);
        track.kinds = arena_.copy(clip_.block, std::span<const std::uint8_t>(kinds));
    }
    const auto has = [&](Interpolation kind) { return std::find(curve.kind.begin(), curve.kind.end(), kind) != curve.kind.end(); };
    if (has(Interpolation::hermite) || has(Interpolation::bezier)) {
        Vector<float> slopes, weights;
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

void TrackWriter::whole(std::uint32_t node, Path path, Interpolation interpolation, const Vector<double>& keyTimes,
                        const Vector<double>& values) {
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

Column<float> TrackWriter::column(const Vector<double>& numbers) {
    auto made = arena_.allocate<float>(clip_.block, numbers.size());
    for (std::size_t i = 0; i < made.values.size(); ++i) made.values[i] = static_cast<float>(numbers[i]);
    return made.column;
}

Column<float> TrackWriter::times(const Vector<double>& keyTimes) {
    if (!isSame(keyTimes, lastTimes_) || !lastColumn_.present()) {
        lastTimes_ = keyTimes;
        lastColumn_ = column(keyTimes);
    }
    return lastColumn_;
}

}  // namespace rigcast
