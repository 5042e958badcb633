#include "formats/cast/keys.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "formats/cast/bulk.hpp"

namespace rigcast {

void CastKeys::begin(std::uint32_t block, double frameRate) {
    block_ = block;
    frameRate_ = frameRate;
    firstFrame_ = noFrame;
    lastFrame_ = 0;
    floatCurves_ = 0;
    recent_.clear();
}

void CastKeys::reach(double first, double last) {
    firstFrame_ = std::min(firstFrame_, first);
    lastFrame_ = std::max(lastFrame_, last);
}

bool CastKeys::accepts(std::uint32_t node, const CastProperty& values, Path path) {
    if (values.count == 0) return true;  // told as an empty curve
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
    reach(stored(0), stored(count_ - 1));
    return true;
}

bool CastKeys::putInOrder(std::uint32_t node, std::uint64_t misplaced) {
    for (std::uint32_t i = 0; i < count_; ++i) reach(stored(i), stored(i));
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

/// Frames are written out for each curve; times are stored once. nullptr for frames that are new.
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
        recent_.push_back({frames_.type(), frameBytes(), times});
    }
    return true;
}

bool CastKeys::setValues(std::uint32_t node, const CastProperty& values, Track& track) {
    const bool isRotation = track.path == Path::rotation, isFlag = track.path == Path::visible;
    auto made = context_.arena.allocate<float>(block_, std::uint64_t{count_} * (isRotation ? 4 : 1));
    if (!made) return false;
    track.values = made.column;
    const std::uint8_t* from = values.payload.data();
    if (isRotation) {
        if (!order_.empty() || !copyUnitRotations(from, count_, made.values.data())) copyRotations(node, from, made.values);
    } else if (isFlag || !order_.empty() || values.type != CastType::f32 || !copyFloats(from, count_, made.values.data())) {
        copyNumbers(node, values, isFlag, made.values);
    }
    return true;
}

void CastKeys::copyRotations(std::uint32_t node, const std::uint8_t* from, std::span<float> to) {
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

void CastKeys::copyNumbers(std::uint32_t node, const CastProperty& values, bool isFlag, std::span<float> to) {
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
