// Compiled for speed.
#include "formats/unreal/psaKeys.hpp"

#include <algorithm>
#include <cmath>

namespace rigcast::unreal {

namespace {

/// How many bones are transposed at a time: their input of a frame and their output streams fit the first cache.
constexpr std::size_t tileSize = 32;

/// Whether `N` floats at `field` are the same in all frames, as most translations are.
template <std::size_t N, class RecordOf>
Keys keysOf(const Records& records, std::size_t field, std::uint32_t frames, RecordOf recordOf) {
    const std::size_t first = recordOf(0);
    for (std::uint32_t frame = 1; frame < frames; ++frame) {
        const std::size_t other = recordOf(frame);
        for (std::size_t i = 0; i < N; ++i)
            if (records.get<float>(other, field + 4 * i) != records.get<float>(first, field + 4 * i)) return Keys::all;
    }
    return Keys::one;
}

void writeTranslation(const Records& keys, std::size_t key, float scale, float* to, Damage& damage) {
    if (!writePoint(keys, key, keyField::position, scale, to)) Damage::add(damage.nonFinite, damage.firstNonFinite, key);
}

void writeRotation(const Records& keys, std::size_t key, bool conjugated, std::uint32_t frame, float* to, Damage& damage) {
    constexpr std::size_t field = keyField::orientation;
    float x = keys.get<float>(key, field), y = keys.get<float>(key, field + 4), z = keys.get<float>(key, field + 8),
          w = keys.get<float>(key, field + 12);
    const float squared = x * x + y * y + z * z + w * w;
    if (!(std::abs(squared - 1) < 1e-6f)) {  // a unit quaternion stays as it is, to the bit
        const Quat quat{x, y, z, w};
        if (!isFinite(quat))
            Damage::add(damage.nonFinite, damage.firstNonFinite, key);
        else if (lengthSquared(quat) <= 1e-24)
            Damage::add(damage.zeroLength, damage.firstZeroLength, key);
        const Quat unit = normalized(quat);
        x = static_cast<float>(unit.x);
        y = static_cast<float>(unit.y);
        z = static_cast<float>(unit.z);
        w = static_cast<float>(unit.w);
    }
    float sign = conjugated ? -1.0f : 1.0f;
    float out[4] = {x * sign, z * sign, -y * sign, w};
    if (frame) {  // neighbours on one hemisphere
        const float* before = to - 4;
        if (out[0] * before[0] + out[1] * before[1] + out[2] * before[2] + out[3] * before[3] < 0)
            for (float& value : out) value = -value;
    }
    std::copy(out, out + 4, to);
}

void writeScale(const Records& keys, std::size_t key, float* to, Damage& damage) {
    const float x = keys.get<float>(key, scaleKeyField::scale), y = keys.get<float>(key, scaleKeyField::scale + 4),
                z = keys.get<float>(key, scaleKeyField::scale + 8);
    if (allFinite(x, y, z)) {
        to[0] = x;
        to[1] = z;
        to[2] = y;
        if (x == 0 || y == 0 || z == 0) Damage::add(damage.zeroScale, damage.firstZeroScale, key);
    } else {
        to[0] = to[1] = to[2] = 1;
        Damage::add(damage.nonFinite, damage.firstNonFinite, key);
    }
}

}  // namespace

[[gnu::noinline]] Keys SequenceKeys::translation(std::uint32_t bone) const {
    return keysOf<3>(psa_.keys, keyField::position, sequence_.frames, [&](std::uint32_t frame) { return keyOf(frame, bone); });
}

[[gnu::noinline]] Keys SequenceKeys::rotation(std::uint32_t bone) const {
    return keysOf<4>(psa_.keys, keyField::orientation, sequence_.frames, [&](std::uint32_t frame) { return keyOf(frame, bone); });
}

[[gnu::noinline]] Keys SequenceKeys::scale(std::uint32_t bone) const {
    return keysOf<3>(psa_.scaleKeys, scaleKeyField::scale, sequence_.frames, [&](std::uint32_t frame) { return scaleOf(frame, bone); });
}

[[gnu::noinline]] void SequenceKeys::transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys,
                                               Damage& scaleKeys) const {
    const std::uint32_t frames = sequence_.frames;
    for (std::size_t first = 0; first < bones.size(); first += tileSize) {
        const std::size_t end = std::min(first + tileSize, bones.size());
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            for (std::size_t b = first; b < end; ++b) {
                const BoneKeys& bone = bones[b];
                const auto track = static_cast<std::uint32_t>(b);
                std::uint32_t at = bone.at;
                if (frame < lengthOf(bone.translation, frames))
                    writeTranslation(psa_.keys, keyOf(frame, track), unitScale, &values[at + std::size_t{3} * frame], keys);
                at += 3 * lengthOf(bone.translation, frames);
                if (frame < lengthOf(bone.rotation, frames))
                    writeRotation(psa_.keys, keyOf(frame, track), bone.conjugated, frame, &values[at + std::size_t{4} * frame], keys);
                at += 4 * lengthOf(bone.rotation, frames);
                if (frame < lengthOf(bone.scale, frames))
                    writeScale(psa_.scaleKeys, scaleOf(frame, track), &values[at + std::size_t{3} * frame], scaleKeys);
            }
        }
    }
}

}  // namespace rigcast::unreal
