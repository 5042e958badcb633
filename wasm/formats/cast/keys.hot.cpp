#include "formats/cast/keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "formats/cast/bulk.hpp"
#include "formats/cast/index.hpp"

namespace rigcast {

[[gnu::cold]] void CastKeys::begin(std::uint32_t block, double frameRate) {
    block_ = block;
    frameRate_ = frameRate;
    firstFrame_ = noFrame;
    lastFrame_ = 0;
    floatCurves_ = 0;
    recent_.clear();
    runs_.clear();
    placed_.clear();
    near_.clear();
}

void CastKeys::extendRange(double first, double last) {
    firstFrame_ = std::min(firstFrame_, first);
    lastFrame_ = std::max(lastFrame_, last);
}

bool CastKeys::accepts(std::uint32_t node, const CastProperty& values, Path path) {
    if (values.count == 0) return true;  // `read` reports empty curves
    const CastType type = values.type;
    const bool isNumber = type != CastType::text && type != CastType::u64 && infoOf(type).width == 1;
    const bool isInteger = isNumber && (castMask(type) & castIntegers);
    const bool fits = path == Path::rotation ? type == CastType::vec4 : path == Path::visible ? isInteger : type == CastType::f32;
    if (fits) return true;
    const bool converts = path != Path::rotation && isNumber;
    context_.warn(Code::CURVE_VALUES, node, {converts ? "{}, converted" : "{}, left out", {infoOf(type).spelling}}, "kv");
    return converts;
}

bool CastKeys::read(std::uint32_t node, const CastProperty& frames, const CastProperty& values) {
    frames_ = CastIntegers(frames);
    count_ = std::min(frames_.size(), values.count);
    order_.clear();
    if (count_ == 0) {
        context_.warn(Code::CURVE_EMPTY, node);
        return false;
    }
    if (frames_.size() != values.count)
        context_.warn(Code::KEY_PAIRS, node, {"{} frames, {} values", {frames_.size(), values.count}}, "kb");
    std::uint64_t misplaced = 0;
    known_ = recentTimes();
    if (!known_)
        for (std::uint32_t i = 1; i < count_; ++i) misplaced += stored(i) <= stored(i - 1);
    floatCurves_ += frames_.areFloats();
    if (misplaced) return putInOrder(node, misplaced);
    extendRange(stored(0), stored(count_ - 1));
    return true;
}

[[gnu::cold]] bool CastKeys::putInOrder(std::uint32_t node, std::uint64_t misplaced) {
    for (std::uint32_t i = 0; i < count_; ++i) extendRange(stored(i), stored(i));
    context_.warn(Code::KEY_ORDER, node, {}, "kb", misplaced);
    if (!Budget::affords(std::uint64_t{count_} * 8)) return false;
    Vector<double> frames(count_);
    for (std::uint32_t i = 0; i < count_; ++i) frames[i] = stored(i);
    order_ = ascendingOrder(frames);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < order_.size(); ++i)
        if (i + 1 == order_.size() || frames[order_[i + 1]] != frames[order_[i]]) order_[kept++] = order_[i];
    order_.resize(kept);
    count_ = static_cast<std::uint32_t>(kept);
    return true;
}

Bytes CastKeys::frameBytes() const {
    return frames_.payload().first(static_cast<std::size_t>(std::uint64_t{count_} * infoOf(frames_.type()).size));
}

/// Returns the times of a recent curve with the same frames, or nullptr if there is none. Sharing
/// them avoids storing equal times twice.
const Column<float>* CastKeys::recentTimes() const {
    const Bytes frames = frameBytes();
    for (const Recent& recent : recent_)
        if (recent.type == frames_.type() && recent.frames.size() == frames.size() &&
            std::memcmp(recent.frames.data(), frames.data(), frames.size()) == 0)
            return &recent.times;
    return nullptr;
}

bool CastKeys::setTimes(Column<float>& times) {
    if (known_) {
        times = *known_;
        return true;
    }
    auto made = context_.arena.allocate<float>(block_, count_);
    if (!made) return false;
    for (std::uint32_t i = 0; i < count_; ++i) made.values[i] = timeOf(frameOf(i));
    times = made.column;
    if (order_.empty()) {
        constexpr std::size_t most = 16;
        if (recent_.size() == most) recent_.erase(recent_.begin());
        const Bytes frames = frameBytes();
        recent_.push_back({frames_.type(), {frames.begin(), frames.end()}, times});
    }
    return true;
}

bool CastKeys::setValues(std::uint32_t node, const CastCurve& curve, Clip& clip, Track& track) {
    const CastProperty& values = curve.values;
    const bool isRotation = track.path == Path::rotation;
    const std::uint32_t width = isRotation ? 4 : 1;
    if (order_.empty() && areSound(values, track.path)) {
        const std::uint32_t at = runs_.empty() ? 0 : runs_.back().at + runs_.back().count;
        runs_.push_back({curve.valuesAt, count_ * width, at});
        const bool isNear = context_.source && !context_.isFar(values.payload);
        placed_.push_back({static_cast<std::uint32_t>(clip.tracks.size()), isNear});
        if (isNear) {
            const std::size_t before = near_.size(), count = std::size_t{count_} * width;
            near_.resize(before + count);
            std::memcpy(&near_[before], values.payload.data(), count * sizeof(float));
        }
        return true;
    }
    context_.load(values.payload);
    auto made = context_.arena.allocate<float>(block_, std::uint64_t{count_} * width);
    if (!made) return false;
    track.values = made.column;
    if (isRotation)
        copyRotations(node, values.payload.data(), made.values);
    else
        copyNumbers(node, values, track.path == Path::visible, made.values);
    return true;
}

bool CastKeys::areSound(const CastProperty& values, Path path) {
    const bool isRotation = path == Path::rotation;
    if (path == Path::visible || !(isRotation || values.type == CastType::f32)) return false;
    const auto areGood = [isRotation](Bytes part) {
        return isRotation ? areUnitRotations(part.data(), part.size() / 16) : areFinite(part.data(), part.size() / 4);
    };
    const Bytes bytes = values.payload.first(std::size_t{count_} * (isRotation ? 16 : 4));
    if (!context_.isFar(values.payload)) return areGood(bytes);
    constexpr std::size_t most = 0x10000;
    const auto offset = static_cast<std::size_t>(context_.document.offsetOf(bytes));
    for (std::size_t at = 0; at < bytes.size(); at += most)
        if (!areGood(context_.source->window(offset + at, std::min(most, bytes.size() - at)))) return false;
    return true;
}

void CastKeys::finish(Clip& clip) {
    if (runs_.empty()) return;
    const std::uint64_t count = std::uint64_t{runs_.back().at} + runs_.back().count;
    const Bytes parameters{reinterpret_cast<const std::uint8_t*>(runs_.data()), runs_.size() * sizeof(CastRun)};
    Column<float> column;
    if (context_.source && count * sizeof(float) >= 4 * parameters.size()) {
        column = context_.arena.defer(block_, count, Vector<std::uint8_t>(parameters.begin(), parameters.end()));
    } else {
        const auto made = context_.arena.allocate<float>(block_, count);
        column = made.column;
        const float* near = near_.data();
        for (std::size_t i = 0; made && i < runs_.size(); ++i) {
            const CastRun& run = runs_[i];
            const std::size_t bytes = run.count * sizeof(float);
            const auto offset = static_cast<std::size_t>(run.offset);
            auto* const to = reinterpret_cast<std::uint8_t*>(&made.values[run.at]);
            if (placed_[i].isNear) {
                std::memcpy(to, near, bytes);
                near += run.count;
            } else if (context_.source) {
                context_.source->copy(offset, bytes, to);
            } else {
                std::memcpy(to, context_.document.input.data() + offset, bytes);
            }
        }
    }
    if (!column.present()) return;
    for (std::size_t i = 0; i < runs_.size(); ++i) clip.tracks[placed_[i].track].values = column.slice(runs_[i].at, runs_[i].count);
}

[[gnu::cold]] void decodeCastValues(Source& source, Bytes parameters, std::span<float> to) {
    for (std::size_t i = 0; i < parameters.size(); i += sizeof(CastRun)) {
        const auto run = loadValue<CastRun>(parameters.data() + i);
        source.copy(static_cast<std::size_t>(run.offset), std::size_t{run.count} * sizeof(float),
                    reinterpret_cast<std::uint8_t*>(to.data() + run.at));
    }
}

[[gnu::cold]] void CastKeys::copyRotations(std::uint32_t node, const std::uint8_t* from, std::span<float> to) {
    std::uint64_t damaged = 0, notUnit = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        float* out = &to[std::size_t{i} * 4];
        std::memcpy(out, from + std::size_t{sourceOf(i)} * 16, 16);
        if (isUnit(out)) continue;
        const Quat stored{out[0], out[1], out[2], out[3]};
        const double squared = lengthSquared(stored);
        if (!std::isfinite(squared))
            ++damaged;
        else if (!(std::fabs(std::sqrt(squared) - 1) <= 1e-3))
            ++notUnit;
        const Quat unit = normalized(stored);
        out[0] = static_cast<float>(unit.x);
        out[1] = static_cast<float>(unit.y);
        out[2] = static_cast<float>(unit.z);
        out[3] = static_cast<float>(unit.w);
    }
    if (damaged) context_.warn(Code::NON_FINITE, node, {}, "kv", damaged);
    if (notUnit) context_.warn(Code::QUATERNION_NOT_UNIT, node, {}, "kv", notUnit);
}

[[gnu::cold]] void CastKeys::copyNumbers(std::uint32_t node, const CastProperty& values, bool isFlag, std::span<float> to) {
    std::uint64_t damaged = 0;
    for (std::uint32_t i = 0; i < count_; ++i) {
        double value = castNumber(values, sourceOf(i));
        if (!(std::fabs(value) <= 3.4028234663852886e38)) {
            ++damaged;
            value = 0;
        }
        to[i] = isFlag ? (value >= 1 ? 1.f : 0.f) : static_cast<float>(value);
    }
    if (damaged) context_.warn(Code::NON_FINITE, node, {}, "kv", damaged);
}

}  // namespace rigcast
