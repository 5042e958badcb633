#include "formats/unreal/psaKeys.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

namespace rigcast::unreal {

namespace {

constexpr std::size_t windowBytes = 0x10000;

/// Iterates over the frames of a sequence in windows.
struct Window {
    Window(const SequenceKeys& keys, const Frames& frames) : keys(keys), of(frames) {}

    [[gnu::noinline]] bool next() {
        frame = end;
        if (frame == of.frames) return false;
        const auto most = static_cast<std::uint32_t>(std::max<std::size_t>(1, windowBytes / (std::size_t{of.stride} * of.tracks)));
        end = frame + std::min(most, of.frames - frame);
        records = keys.at(of, frame, end - frame);
        first = static_cast<std::size_t>(of.first) + std::size_t{frame} * of.tracks;
        return true;
    }

    const SequenceKeys& keys;
    const Frames& of;
    Records records;
    std::size_t first = 0;             // index of the first record in the chunk
    std::uint32_t frame = 0, end = 0;  // range of frames in the window
};

/// Sets `keys` to `all` if the track changes in the window: if its `count` floats at byte offset
/// `field` differ from those in the first frame.
[[gnu::noinline]] void compareTrack(Keys& keys, const Records& first, const Window& window, std::uint32_t track, std::size_t field,
                                    std::size_t count) {
    for (std::size_t i = track; keys == Keys::first && i < window.records.size(); i += window.of.tracks)
        for (std::size_t k = field; k < field + 4 * count; k += 4)
            if (window.records.get<float>(i, k) != first.get<float>(track, k)) keys = Keys::all;
}

using Four [[gnu::vector_size(16)]] = float;
using FourBits [[gnu::vector_size(16)]] = std::int32_t;

Four loadFour(const std::uint8_t* at) {
    Four four;
    std::memcpy(&four, at, sizeof four);
    return four;
}

/// Returns true if all positions remain finite after scaling and all quaternions can be normalized.
[[gnu::noinline]] bool keysAreSound(Bytes keys, std::size_t stride, float most) {
    const Four limits = {most, most, most, 1e30f}, least = {1e-12f, 1e-12f, 1e-12f, 1e-12f}, longest = {1e30f, 1e30f, 1e30f, 1e30f};
    FourBits sound = {-1, -1, -1, -1};
    for (std::size_t at = 0; at < keys.size(); at += stride) {
        const std::uint8_t* const key = keys.data() + at;
        Four position = loadFour(key + keyField::position),
             quat = loadFour(key + keyField::orientation);  // loads four floats: the position and the start of the quaternion
        position *= position;
        quat *= quat;
        FourBits hasLength = quat > least;  // one component above the minimum is enough
        hasLength |= __builtin_shufflevector(hasLength, hasLength, 2, 3, 0, 1);
        hasLength |= __builtin_shufflevector(hasLength, hasLength, 1, 0, 3, 2);
        sound &= (position < limits) & (quat < longest) & hasLength;
    }
    return (sound[0] & sound[1] & sound[2] & sound[3]) != 0;
}

/// Returns true if all scales are finite and not zero.
[[gnu::noinline]] bool scalesAreSound(const Records& keys) {
    bool isSound = true;
    for (std::size_t i = 0; i < keys.size(); ++i)
        for (std::size_t field = 0; field < scaleKeyField::time; field += 4) {
            const float size = std::abs(keys.get<float>(i, field));
            isSound = isSound && size > 0 && size < 1e30f;
        }
    return isSound;
}

/// Returns a copy of the first frame. Needed because the memory of windows is reused.
[[gnu::noinline]] Vector<std::uint8_t> firstFrameOf(const SequenceKeys& keys, const Frames& frames) {
    const Bytes bytes = keys.at(frames, 0, 1).bytes();
    return Vector<std::uint8_t>(bytes.begin(), bytes.end());
}

/// Describes how a position or scale in a key is converted to scene space: factor, sign, and the
/// replacement for non-finite numbers.
struct Axes {
    float factor, ySign, otherwise;
    bool isScale;
};

// The functions below convert the frames of a track in a window, up to frame `end`. `to`: first
// output number of the track.

/// Slow path of the next function: converts each component separately and counts damage.
[[gnu::noinline]] void repairVectors(const Window& window, std::uint32_t track, std::uint32_t end, const Axes& axes, float* to,
                                     Damage& damage) {
    std::size_t i = track;
    for (std::uint32_t frame = window.frame; frame < end; ++frame, i += window.of.tracks, to += 3) {
        const float x = window.records.get<float>(i, 0) * axes.factor, y = window.records.get<float>(i, 4) * axes.factor,
                    z = window.records.get<float>(i, 8) * axes.factor;
        const bool isSound = allFinite(x, y, z);
        to[0] = isSound ? x : axes.otherwise;
        to[1] = isSound ? z : axes.otherwise;
        to[2] = isSound ? y * axes.ySign : axes.otherwise;
        if (!isSound)
            Damage::add(damage.nonFinite, damage.firstNonFinite, window.first + i);
        else if (axes.isScale && (x == 0 || y == 0 || z == 0))
            Damage::add(damage.zeroScale, damage.firstZeroScale, window.first + i);
    }
}

[[gnu::noinline]] void writeThrees(const Window& window, std::uint32_t track, std::uint32_t end, const Axes& axes, float* to,
                                   Damage& damage) {
    static_assert(keyField::position == 0 && scaleKeyField::scale == 0 && scaleKeyField::size >= sizeof(Four));
    if (window.frame >= end) return;
    to += 3 * std::size_t{window.frame};
    if (axes.isScale) return repairVectors(window, track, end, axes, to, damage);
    const Four factor = {axes.factor, axes.factor, axes.factor, 0}, signs = {1, 1, axes.ySign, 1};
    const std::size_t step = std::size_t{window.of.tracks} * window.of.stride;
    const std::uint8_t* from = window.records.bytes(track, 0, sizeof(Four)).data();
    float* out = to;
    Four sound = {};
    std::size_t at = 0;
    for (std::uint32_t frame = window.frame; frame < end; ++frame, at += step, out += 3) {
        const Four position = loadFour(from + at) * factor;
        sound += position * 0.0f;  // infinity or NaN times zero is NaN
        const Four turned = __builtin_shufflevector(position, position, 0, 2, 1, 3) * signs;
        std::memcpy(out, &turned, 3 * sizeof(float));
    }
    if (!allFinite(sound[0], sound[1], sound[2])) repairVectors(window, track, end, axes, to, damage);
}

/// Returns the normalized quaternion. If it cannot be normalized, returns the identity and counts
/// the key in `damage`.
Quat unitOf(Quat quat, std::size_t key, Damage& damage) {
    if (!isFinite(quat))
        Damage::add(damage.nonFinite, damage.firstNonFinite, key);
    else if (lengthSquared(quat) <= 1e-24)
        Damage::add(damage.zeroLength, damage.firstZeroLength, key);
    return normalized(quat);
}

[[gnu::noinline]] void writeRotations(const Window& window, std::uint32_t track, std::uint32_t end, bool conjugated, float* to,
                                      Damage& damage) {
    if (window.frame >= end) return;  // a constant track has only the key of the first frame
    const float sign = conjugated ? -1.0f : 1.0f;
    const Four signs = {sign, sign, -sign, 1};
    const auto sum = [](const Four& of) { return of[0] + of[1] + of[2] + of[3]; };
    const std::size_t step = std::size_t{window.of.tracks} * window.of.stride;
    const std::uint8_t* from = window.records.bytes(track, keyField::orientation, sizeof(Four)).data();
    std::size_t i = track, at = 0;
    to += 4 * std::size_t{window.frame};
    // Negates quaternions so that adjacent ones are in the same hemisphere. The dot product uses
    // both quaternions as stored in the file. Using the previous result instead would take twice
    // the time, because each step would have to wait for the previous one.
    bool isOther = false;
    Four before = {};
    if (window.frame) std::memcpy(&before, to - 4, sizeof before);
    for (std::uint32_t frame = window.frame; frame < end; ++frame, i += window.of.tracks, at += step, to += 4) {
        Four quat = loadFour(from + at);
        if (!(std::abs(sum(quat * quat) - 1) < 1e-6f)) {  // does not change unit quaternions
            const Quat unit = unitOf({quat[0], quat[1], quat[2], quat[3]}, window.first + i, damage);
            quat = Four{static_cast<float>(unit.x), static_cast<float>(unit.y), static_cast<float>(unit.z), static_cast<float>(unit.w)};
        }
        const Four own = __builtin_shufflevector(quat, quat, 0, 2, 1, 3) * signs;
        const float product = sum(own * before);
        isOther = isOther ? product > 0 : product < 0;
        const Four out = isOther ? -own : own;
        std::memcpy(to, &out, sizeof out);
        before = own;
    }
}

}  // namespace

Records SequenceKeys::at(const Frames& frames, std::uint32_t frame, std::uint32_t count) const {
    const std::size_t row = std::size_t{frames.tracks} * frames.stride, size = count * row;
    const std::size_t offset = static_cast<std::size_t>(frames.offset) + frame * row;
    return {source_ ? source_->window(offset, size) : file_.subspan(offset, size), frames.stride, offset};
}

void SequenceKeys::announce() const {
    for (const Frames* frames : {&keys_, &scales_})
        if (source_ && frames->frames)
            source_->announce(static_cast<std::size_t>(frames->offset), std::size_t{frames->frames} * frames->tracks * frames->stride);
}

bool SequenceKeys::examine(std::span<BoneKeys> bones, bool isSoundWanted, float unitScale) const {
    // Positions below 1e18 remain finite after scaling by at most 1e15.
    constexpr float mostScale = 1e15f, mostSquared = 1e36f;
    bool isSound = isSoundWanted && unitScale < mostScale;
    const auto row = firstFrameOf(*this, keys_);
    const Records first({row.data(), row.size()}, keys_.stride);
    for (Window window(*this, keys_); window.next();) {
        isSound = isSound && keysAreSound(window.records.bytes(), keys_.stride, mostSquared);
        for (std::uint32_t b = 0; b < bones.size(); ++b) {
            if (bones[b].translation == Keys::first) compareTrack(bones[b].translation, first, window, b, keyField::position, 3);
            if (bones[b].rotation == Keys::first) compareTrack(bones[b].rotation, first, window, b, keyField::orientation, 4);
        }
    }
    if (scales_.frames == 0) return isSound;
    const auto scaleRow = firstFrameOf(*this, scales_);
    const Records firstScale({scaleRow.data(), scaleRow.size()}, scales_.stride);
    for (Window window(*this, scales_); window.next();) {
        isSound = isSound && scalesAreSound(window.records);
        for (std::uint32_t b = 0; b < bones.size(); ++b) compareTrack(bones[b].scale, firstScale, window, b, scaleKeyField::scale, 3);
    }
    return isSound;
}

void SequenceKeys::transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys,
                             Damage& scaleKeys) const {
    const std::uint32_t frames = keys_.frames;
    const Axes positions{unitScale, -1, 0, false}, scales{1, 1, 1, true};
    for (Window window(*this, keys_); window.next();) {
        for (std::uint32_t b = 0; b < bones.size(); ++b) {
            const BoneKeys& bone = bones[b];
            float* to = values.data() + bone.at;
            const std::uint32_t translations = lengthOf(bone.translation, frames), rotations = lengthOf(bone.rotation, frames);
            writeThrees(window, b, std::min(window.end, translations), positions, to, keys);
            writeRotations(window, b, std::min(window.end, rotations), bone.conjugated, to + std::size_t{3} * translations, keys);
        }
    }
    for (Window window(*this, scales_); window.next();) {
        for (std::uint32_t b = 0; b < bones.size(); ++b) {
            const BoneKeys& bone = bones[b];
            const std::size_t before =
                std::size_t{3} * lengthOf(bone.translation, frames) + std::size_t{4} * lengthOf(bone.rotation, frames);
            writeThrees(window, b, std::min(window.end, lengthOf(bone.scale, frames)), scales, values.data() + bone.at + before, scaleKeys);
        }
    }
}

namespace {

/// Header of the decode parameters. An array of BoneKeys follows it. JavaScript stores both as
/// bytes, so these structs must not have padding.
struct DecodeHeader {
    Frames keys, scales;
    std::array<std::uint8_t, sizeof(float)> unitScale;
    std::uint32_t unused = 0;
};

static_assert(std::has_unique_object_representations_v<DecodeHeader> && std::has_unique_object_representations_v<BoneKeys>);

}  // namespace

Vector<std::uint8_t> SequenceKeys::decodeParameters(std::span<const BoneKeys> bones, float unitScale) const {
    DecodeHeader head{keys_, scales_, {}};
    std::memcpy(head.unitScale.data(), &unitScale, sizeof unitScale);
    Vector<std::uint8_t> parameters(sizeof head + bones.size_bytes());
    std::memcpy(parameters.data(), &head, sizeof head);
    if (!bones.empty()) std::memcpy(parameters.data() + sizeof head, bones.data(), bones.size_bytes());
    return parameters;
}

void decodeKeys(Source& source, Bytes parameters, std::span<float> to) {
    const auto head = loadValue<DecodeHeader>(parameters.data());
    const Bytes rest = parameters.subspan(sizeof head);
    Vector<BoneKeys> bones(rest.size() / sizeof(BoneKeys));
    if (!rest.empty()) std::memcpy(bones.data(), rest.data(), rest.size());
    Damage none;
    SequenceKeys(head.keys, head.scales, {}, &source)
        .transpose({bones.data(), bones.size()}, loadValue<float>(head.unitScale.data()), to, none, none);
}

}  // namespace rigcast::unreal
