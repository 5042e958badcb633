#include "scene/unityCurve.hpp"

#include <algorithm>
#include <cmath>

#include "core/code.hpp"
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

namespace {

/// Converts the keys of one curve. Repairs damaged keys and reports the repairs.
class CurveBuilder {
public:
    CurveBuilder(std::span<const UnityKey> keys, UnityKeys kind, const CurveLocation& location, Diagnostics& diagnostics)
        : keys_(keys),
          isState_(kind == UnityKeys::state),
          isFull_(kind == UnityKeys::full),
          location_(location),
          diagnostics_(diagnostics) {}

    PlayCurve build() {
        const Vector<std::uint32_t> order = keysInOrder();
        const std::size_t count = order.size();
        const Location whole{.offset = location_.offset, .path = location_.path};
        curve_.time.resize(count);
        curve_.value.resize(count);
        for (auto* slopes : {&curve_.inSlope, &curve_.outSlope}) slopes->resize(isFull_ ? count : 0);
        for (auto* weights : {&curve_.inWeight, &curve_.outWeight}) weights->resize(isFull_ ? count : 0);
        std::uint32_t duplicates = 0;
        for (std::size_t i = 0; i < count; ++i) {
            const UnityKey& key = keys_[order[i]];
            curve_.time[i] = key.time;
            curve_.value[i] = valueOf(key, i, locationOf(order[i]));
            if (isFull_) readTangents(key, i, locationOf(order[i]));
            duplicates += i > 0 && curve_.time[i - 1] == curve_.time[i];
        }
        diagnostics_.add(Code::KEYS_DUPLICATE, whole, {}, duplicates);
        diagnostics_.add(Code::STATE_VALUE, whole, {}, states_);
        setKinds(order);
        return std::move(curve_);
    }

private:
    Location locationOf(std::uint32_t key) const {
        return {.offset = location_.keys ? std::optional(*location_.keys + key * location_.stride) : location_.offset,
                .path = location_.path};
    }

    /// Returns the indices of the keys with a valid time, sorted by time.
    Vector<std::uint32_t> keysInOrder() {
        Vector<std::uint32_t> order;
        order.reserve(keys_.size());
        for (std::uint32_t k = 0; k < keys_.size(); ++k) {
            const float time = keys_[k].time;
            if (!std::isfinite(time)) {
                diagnostics_.add(Code::NON_FINITE, Severity::warning, locationOf(k), "a key without a time was left out");
                continue;
            }
            if (std::fabs(time) > secondsPerDay) diagnostics_.add(Code::TIME_SUSPICIOUS, locationOf(k), {"{} s", {time}});
            order.push_back(k);
        }
        const auto earlier = [&](std::uint32_t a, std::uint32_t b) { return keys_[a].time < keys_[b].time; };
        if (std::is_sorted(order.begin(), order.end(), earlier)) return order;
        diagnostics_.add(Code::KEYS_UNSORTED, {.offset = location_.offset, .path = location_.path});
        Vector<double> times;
        for (const std::uint32_t k : order) times.push_back(keys_[k].time);
        Vector<std::uint32_t> sorted;
        for (const std::uint32_t i : ascendingOrder(times)) sorted.push_back(order[i]);
        return sorted;
    }

    double valueOf(const UnityKey& key, std::size_t i, const Location& location) {
        double value = key.value;
        if (!std::isfinite(value)) {
            diagnostics_.add(Code::NON_FINITE, Severity::warning, location, isState_ ? "read as false" : "the previous value was used");
            value = isState_ || i == 0 ? 0 : curve_.value[i - 1];
        }
        if (!isState_) return value;
        states_ += value != 0 && value != 1;
        return value > 0.5 ? 1 : 0;
    }

    void readTangents(const UnityKey& key, std::size_t i, const Location& location) {
        double in = key.inTangent, out = key.outTangent;
        const std::int32_t mode = key.weightedMode;
        if (mode & ~3) diagnostics_.add(Code::WEIGHTED_MODE_UNKNOWN, location, {"mode {}", {mode}});
        if (std::isnan(in) || std::isnan(out)) {
            diagnostics_.add(Code::NON_FINITE, Severity::warning, location, "a tangent was set to flat");
            if (std::isnan(in)) in = 0;
            if (std::isnan(out)) out = 0;
        }
        const auto weightOf = [&](float weight, bool isUsed) {
            if (!(weight >= 0 && weight <= 1)) {
                if (isUsed) diagnostics_.add(Code::WEIGHT_RANGE, location, {"{}", {weight}});
                weight = weight > 1 ? 1.f : 0.f;
            }
            return isUsed ? weight : 1.f / 3;
        };
        curve_.inSlope[i] = in;
        curve_.outSlope[i] = out;
        curve_.inWeight[i] = weightOf(key.inWeight, mode & weightedIn);
        curve_.outWeight[i] = weightOf(key.outWeight, mode & weightedOut);
    }

    /// Sets the interpolation of each segment. Clears slopes and weights if no segment uses them.
    void setKinds(std::span<const std::uint32_t> order) {
        const std::size_t count = order.size();
        curve_.kind.assign(count, isState_ ? Interpolation::step : Interpolation::linear);
        bool isCurved = false;
        for (std::size_t i = 0; isFull_ && i + 1 < count; ++i) {
            const bool isWeighted = (keys_[order[i]].weightedMode & weightedOut) || (keys_[order[i + 1]].weightedMode & weightedIn);
            if (std::isinf(curve_.outSlope[i]) || std::isinf(curve_.inSlope[i + 1]))
                curve_.kind[i] = Interpolation::step;
            else if (!isWeighted)
                curve_.kind[i] = Interpolation::hermite;
            else if (curve_.outWeight[i] != 0 || curve_.inWeight[i + 1] != 0)
                curve_.kind[i] = Interpolation::bezier;
            isCurved |= curve_.kind[i] == Interpolation::hermite || curve_.kind[i] == Interpolation::bezier;
        }
        if (count > 1 && curve_.time.front() == curve_.time.back()) {
            // If all keys have the same time, the last key applies at any time
            // (mrtk-input-animation.md section 6.2, L = 0).
            for (auto* numbers : {&curve_.time, &curve_.value}) numbers->erase(numbers->begin(), numbers->end() - 1);
            curve_.kind.erase(curve_.kind.begin(), curve_.kind.end() - 1);
            isCurved = false;
        }
        if (isCurved) return;
        for (auto* slopes : {&curve_.inSlope, &curve_.outSlope}) Vector<double>().swap(*slopes);
        for (auto* weights : {&curve_.inWeight, &curve_.outWeight}) Vector<float>().swap(*weights);
    }

    std::span<const UnityKey> keys_;
    bool isState_, isFull_;
    const CurveLocation& location_;
    Diagnostics& diagnostics_;
    std::uint32_t states_ = 0;  // number of state values other than 0 and 1
    PlayCurve curve_;
};

}  // namespace

PlayCurve playable(std::span<const UnityKey> keys, UnityKeys kind, const CurveLocation& location, Diagnostics& diagnostics) {
    PlayCurve curve;
    if (readPolyline(keys, kind, curve)) return curve;
    return CurveBuilder(keys, kind, location, diagnostics).build();
}

Vector<double> mergedTimes(std::initializer_list<const PlayCurve*> curves) {
    Vector<double> all;
    for (const PlayCurve* curve : curves) {
        if (isSame(curve->time, all)) continue;
        if (all.empty() && isAscending(curve->time)) {
            all = curve->time;
            continue;
        }
        Vector<double> merged;
        merged.reserve(all.size() + curve->size());
        // If a time occurs several times in one curve, keeps it twice.
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
