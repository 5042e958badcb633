#include <algorithm>
#include <cmath>

#include "core/budget.hpp"
#include "core/order.hpp"
#include "formats/ueformat/keys.hpp"
#include "formats/ueformat/space.hpp"

namespace rigcast::ueformat {

namespace {

constexpr auto unit = static_cast<float>(metresPerUnit);

/// Maximum difference of a quaternion's length from 1 that is not reported.
constexpr float lengthTolerance = 1e-3f;
/// Rotations whose length differs from 1 by no more than this are not normalized. The bits of such a
/// rotation are kept, so that files that are read and written again do not change.
constexpr float unitTolerance = 1e-6f;

bool isFinite(const float* values, std::size_t count) {
    float sum = 0;  // zero times infinity or NaN is NaN
    for (std::size_t i = 0; i < count; ++i) sum += values[i] * 0;
    return sum == 0;
}

void writeRotation(float* q, float side, float* to, std::uint64_t offset, KeyDamage& damage) {
    const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(std::abs(length - 1) <= lengthTolerance) && damage.notUnit++ == 0) damage.firstNotUnit = offset;
    const bool isUsable = length > 1e-12f && length < 1e18f;
    const bool isUnit = std::abs(length - 1) <= unitTolerance;
    const float scale = isUnit ? 1 : isUsable ? 1 / length : 0;
    // The mirror of early versions also negates w, which results in the negative of the quaternion
    // that a mirror of the axes requires. Both are the same rotation.
    to[0] = -q[0] * scale;
    to[1] = -q[2] * scale;
    to[2] = -q[1] * side * scale;
    to[3] = isUsable ? q[3] * side * scale : 1;
}

}  // namespace

void Keys::add(std::int32_t frame, std::uint32_t record, bool holds) {
    if (holds && !frames_.empty() && std::int64_t{frame} - frames_.back() > 1) {
        frames_.push_back(frame - 1);
        records_.push_back(records_.back());
    }
    frames_.push_back(frame);
    records_.push_back(record);
}

bool Keys::plan(const Records& records, bool holds) {
    frames_.clear();
    records_.clear();
    misplaced_ = repeated_ = 0;
    const std::size_t count = records.size();
    const auto frameOf = [&](std::size_t record) { return records.get<std::int32_t>(record, 0); };
    for (std::size_t i = 1; i < count; ++i) {
        misplaced_ += frameOf(i) < frameOf(i - 1);
        repeated_ += frameOf(i) == frameOf(i - 1);
    }
    if (!Budget::affords(count * (misplaced_ ? 36 : 16))) return false;
    frames_.reserve(holds ? 2 * count : count);
    records_.reserve(holds ? 2 * count : count);
    Vector<std::uint32_t> order;
    if (misplaced_) {
        Vector<std::uint64_t> sortable;
        sortable.reserve(count);
        for (std::size_t i = 0; i < count; ++i) sortable.push_back(static_cast<std::uint64_t>(std::int64_t{frameOf(i)} + 0x80000000ll));
        order = ascendingOrder(std::span<const std::uint64_t>(sortable));
    }
    const auto at = [&](std::size_t i) { return misplaced_ ? order[i] : static_cast<std::uint32_t>(i); };
    for (std::size_t i = 0; i < count; ++i)
        if (i + 1 == count || frameOf(at(i + 1)) != frameOf(at(i))) add(frameOf(at(i)), at(i), holds);
    return true;
}

void Keys::write(const Records& records, KeyKind kind, bool isMirrored, std::span<float> to, KeyDamage& damage) const {
    const std::size_t width = widthOf(kind);
    const float side = isMirrored ? -1.f : 1.f;
    float value[4];
    for (std::size_t i = 0; i < records_.size(); ++i) {
        const std::size_t record = records_[i];
        for (std::size_t k = 0; k < width; ++k) value[k] = records.get<float>(record, 4 + 4 * k);
        if (!isFinite(value, width)) {
            if (damage.nonFinite++ == 0) damage.firstNonFinite = records.offsetOf(record);
            std::fill(value, value + width, kind == KeyKind::scale ? 1.f : 0.f);
            if (kind == KeyKind::rotation) value[3] = side;
        }
        float* out = &to[i * width];
        switch (kind) {
            case KeyKind::position:
                out[0] = value[0] * unit;
                out[1] = value[2] * unit;
                out[2] = value[1] * side * unit;
                break;
            case KeyKind::rotation:
                writeRotation(value, side, out, records.offsetOf(record), damage);
                break;
            case KeyKind::scale:
                out[0] = value[0];
                out[1] = value[2];
                out[2] = value[1];
                break;
            case KeyKind::number:
                out[0] = value[0];
                break;
        }
    }
}

}  // namespace rigcast::ueformat
