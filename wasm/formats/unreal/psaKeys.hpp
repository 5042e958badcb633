// Keys of a PSA, which are stored by frame and converted to tracks by bone. Contains the passes
// over every key, compiled for speed.
#pragma once

#include <cstdint>
#include <span>

#include "core/source.hpp"
#include "formats/unreal/psa.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

/// Number of keys of a component (translation, rotation, scale) of a track.
// omitted; constant: only its first key; one per frame
enum class Keys : std::uint8_t { left, one, all };

/// Keys of a bone in a sequence, and their position in the clip.
struct BoneKeys {
    // Position in the clip's values: translations, then rotations, then scales.
    std::uint32_t at = 0;
    Keys translation = Keys::left, rotation = Keys::left, scale = Keys::left;
    bool conjugated = true;
};

inline std::uint32_t lengthOf(Keys keys, std::uint32_t frames) { return keys == Keys::left ? 0 : keys == Keys::one ? 1 : frames; }

/// Numbers of damaged keys, and the first record of each kind.
struct Damage {
    std::uint64_t nonFinite = 0, zeroLength = 0, zeroScale = 0;
    std::size_t firstNonFinite = 0, firstZeroLength = 0, firstZeroScale = 0;
    static void add(std::uint64_t& count, std::size_t& first, std::size_t record) { first = count++ ? std::min(first, record) : record; }
};

/// Position of a sequence's records in a chunk: one per frame and track.
struct Frames {
    std::uint64_t offset = 0;  // of the first record, in the file
    std::uint64_t first = 0;   // index of the first record in the chunk
    std::uint32_t stride = 0, tracks = 0, frames = 0;
    std::uint32_t unused = 0;  // avoids padding, see DecodeHeader

    Frames() = default;
    Frames(const Records& chunk, std::uint64_t first, std::uint32_t tracks, std::uint32_t frames)
        : offset(chunk.offsetOf(static_cast<std::size_t>(first))),
          first(first),
          stride(static_cast<std::uint32_t>(chunk.stride())),
          tracks(tracks),
          frames(frames) {}
};

/// Keys of a sequence with at least one frame and track. All passes read windows of some frames,
/// which fit into the CPU caches.
class SequenceKeys {
public:
    /// `file` is in memory unless there is a source.
    SequenceKeys(const Frames& keys, const Frames& scales, Bytes file, Source* source)
        : keys_(keys), scales_(scales), file_(file), source_(source) {}

    /// Returns the keys of a frame, a record per track. Valid until the next call.
    Records frame(std::uint32_t frame) const { return at(keys_, frame, 1); }

    /// Returns `count` frames starting at `frame` of one of the chunks. Valid until the next call.
    Records at(const Frames& frames, std::uint32_t frame, std::uint32_t count) const;

    /// Detects constant components: sets those that change between frames from `one` to `all`. Most
    /// translations are constant. With `isSoundWanted`, also returns whether all keys are without
    /// damage, so that `transpose` has nothing to repair. May return false although there is no
    /// damage.
    bool examine(std::span<BoneKeys> bones, bool isSoundWanted, float unitScale) const;

    /// Writes all kept keys into the clip's values, in scene space. Positions are multiplied by
    /// `unitScale`.
    void transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys, Damage& scaleKeys) const;

    /// Returns the decode parameters for `decodeKeys`.
    Vector<std::uint8_t> decodeParameters(std::span<const BoneKeys> bones, float unitScale) const;

private:
    Frames keys_, scales_;
    Bytes file_;
    Source* source_;
};

/// Same as `transpose`, from a parameters. The keys were checked and are without damage.
void decodeKeys(Source& source, Bytes parameters, std::span<float> to);

}  // namespace rigcast::unreal
