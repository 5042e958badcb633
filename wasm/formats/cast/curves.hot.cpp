#include "formats/cast/curves.hpp"

#include <algorithm>
#include <cmath>

#include "formats/cast/bulk.hpp"
#include "formats/cast/index.hpp"
#include "formats/cast/values.hpp"

namespace rigcast {

namespace {

constexpr std::size_t largestWindow = isUnderSanitizer ? castFarSize : 0x10000;

constexpr std::uint16_t text = castMask(CastType::text), real = castMask(CastType::f32);
constexpr std::uint16_t allowed[] = {
    text, text, castIntegers | real | castMask(CastType::f64), castIntegers | real | castMask(CastType::vec4), text, real};
constexpr unsigned required = 0x1F, unused = std::size(allowed);

/// Returns the index of a property in CastCurve::found. Returns `unused` for the ignored property
/// `ts`, and a larger number for unknown properties.
unsigned indexOf(std::uint32_t name) {
    switch (name) {
        case 0x6E6E:
            return 0;
        case 0x706B:
            return 1;
        case 0x626B:
            return 2;
        case 0x766B:
            return 3;
        case 'm':
            return 4;
        case 0x6261:
            return 5;
        case 0x7374:
            return unused;
        default:
            return unused + 1;
    }
}

/// Returns the length of an ASCII text with its terminator. Returns 0 if the text has no terminator
/// or contains characters outside ASCII.
std::size_t textLength(const std::uint8_t* from, std::size_t most) {
    for (std::size_t i = 0; i < most; ++i) {
        if (from[i] == 0) return i + 1;
        if (from[i] >= 0x80) return 0;
    }
    return 0;
}

bool isRotationPlain(const std::uint8_t* from, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        const auto q = loadValue<FourFloats>(from + i * sizeof(FourFloats));
        const float numbers[4] = {q[0], q[1], q[2], q[3]};
        if (isUnit(numbers)) continue;
        if (!(std::fabs(std::sqrt(lengthSquared(Quat{q[0], q[1], q[2], q[3]})) - 1) <= 1e-3)) return false;
    }
    return true;
}

}  // namespace

const CastCurveRule* castCurveRule(CastName kind) {
    for (const CastCurveRule& rule : castCurveRules)
        if (rule.name == kind) return &rule;
    return nullptr;
}

bool castModeOf(std::string_view text, Mode& mode) {
    if (text == "absolute")
        mode = Mode::absolute;
    else if (text == "relative")
        mode = Mode::relative;
    else if (text == "additive")
        mode = Mode::additive;
    else
        return false;
    return true;
}

/// Returns a pointer to at least `count` bytes at the current position. The file must contain these
/// bytes.
const std::uint8_t* CastCurveWalk::ensure(std::size_t count) {
    if (!source_) return file_.data() + position_;
    if (position_ < windowStart_ || position_ + count > windowEnd_) {
        windowStart_ = position_;
        windowEnd_ = position_ + std::min(windowSize_, file_.size() - position_);
        windowSize_ = std::min(2 * windowSize_, largestWindow);
        source_->window(windowStart_, windowEnd_ - windowStart_, window_);
    }
    return window_.data() + (position_ - windowStart_);
}

/// Returns the header of the next curve if it is short and ends before `end`, otherwise nullptr.
const std::uint8_t* CastCurveWalk::header(std::size_t end) {
    if (end - position_ < CastNode::headerSize) return nullptr;
    const std::uint8_t* const node = ensure(CastNode::headerSize);
    const auto size = loadValue<std::uint32_t>(node + 4);
    const bool isShort = size >= CastNode::headerSize && size < castFarSize && size <= end - position_;
    return loadValue<std::uint32_t>(node) == castIds::curve && isShort ? node : nullptr;
}

[[gnu::noinline]] std::uint32_t CastCurveWalk::pass(std::size_t end, std::uint32_t most) {
    std::uint32_t count = 0;
    for (; count < most; ++count) {
        const std::uint8_t* const node = header(end);
        if (!node) break;
        position_ += loadValue<std::uint32_t>(node + 4);
    }
    return count;
}

[[gnu::noinline]] bool CastCurveWalk::next(std::size_t end, CastCurve& curve) {
    const std::uint8_t* node = header(end);
    if (!node) return false;
    const std::size_t size = loadValue<std::uint32_t>(node + 4);
    node = ensure(size);
    if (loadValue<std::uint32_t>(node + 20) != 0) return false;
    unsigned seen = 0;
    std::size_t at = CastNode::headerSize;
    for (auto left = loadValue<std::uint32_t>(node + 16); left > 0; --left) {
        if (size - at < CastProperty::headerSize + 2) return false;  // minimum: a name of one letter and a value of one byte
        const auto code = loadValue<std::uint16_t>(node + at), nameLength = loadValue<std::uint16_t>(node + at + 2);
        const auto count = loadValue<std::uint32_t>(node + at + 4);
        at += CastProperty::headerSize;
        if (nameLength == 0 || nameLength > 2) return false;
        const unsigned index = indexOf(nameLength == 1 ? node[at] : loadValue<std::uint16_t>(node + at));
        const CastType type = castTypeOf(code);
        const CastTypeInfo& info = infoOf(type);
        if (index > unused || (seen >> index & 1) || info.code != code || count == 0) return false;
        seen |= 1u << index;
        const std::size_t start = at + nameLength;
        std::uint64_t length = std::uint64_t{count} * info.size;
        if (type == CastType::text) length = count == 1 ? textLength(node + start, size - start) : 0;
        if (length == 0 || length > size - start) return false;
        if (index < unused) {
            if (!(allowed[index] & castMask(type))) return false;
            curve.found[index] = {
                {reinterpret_cast<const char*>(node + at), nameLength}, {node + start, static_cast<std::size_t>(length)}, count, type};
        } else if (type != CastType::text) {
            return false;
        }
        at = start + static_cast<std::size_t>(length);
    }
    if (at != size || (seen & required) != required) return false;
    if (!(seen >> 5 & 1)) curve.weight = {};
    curve.valuesAt = position_ + static_cast<std::size_t>(curve.values.payload.data() - node);
    position_ += size;
    return true;
}

[[gnu::noinline]] bool isPlainCurve(const CastCurve& curve) {
    Mode mode;
    const CastCurveRule* const rule = castCurveRule(curve.kind.text());
    if (!rule || !castModeOf(curve.mode.text(), mode)) return false;
    const CastProperty& values = curve.values;
    const std::uint8_t* const data = values.payload.data();
    const CastIntegers frames(curve.frames);
    if (frames.size() != values.count) return false;
    for (std::uint32_t i = 1; i < frames.size(); ++i)
        if (!(frames.unrounded(i) > frames.unrounded(i - 1))) return false;
    if (curve.weight && !areFinite(curve.weight.payload.data(), 1)) return false;
    if (rule->path == Path::rotation) return values.type == CastType::vec4 && isRotationPlain(data, values.count);
    if (rule->path == Path::visible) return castMask(values.type) & castIntegers;
    return values.type == CastType::f32 && areFinite(data, values.count);
}

}  // namespace rigcast
