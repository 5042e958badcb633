// Converts keys of a PSA from frame order to one track per bone. The functions process every key,
// so they are in a *.hot.cpp file.
#pragma once

#include <cstdint>
#include <span>

#include "core/source.hpp"
#include "formats/unreal/psa.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

/// Selects the keys of a bone's translation, rotation or scale that the clip contains. none: there
/// is no track. first: only the first key, because the value is constant. all: one key per frame.
enum class Keys : std::uint8_t { none, first, all };

/// The tracks of a bone in a sequence, and their position in the clip's array of values.
struct BoneKeys {
    // Index of the bone's first float in the clip's values. The order is translations, rotations,
    // scales.
    std::uint32_t at = 0;
    Keys translation = Keys::none, rotation = Keys::none, scale = Keys::none;
    bool conjugated = true;
};

inline std::uint32_t lengthOf(Keys keys, std::uint32_t frames) { return keys == Keys::none ? 0 : keys == Keys::first ? 1 : frames; }

/// Counts damaged keys. For each type of damage, stores the first record.
struct Damage {
    std::uint64_t nonFinite = 0, zeroLength = 0, zeroScale = 0;
    std::size_t firstNonFinite = 0, firstZeroLength = 0, firstZeroScale = 0;
    static void add(std::uint64_t& count, std::size_t& first, std::size_t record) { first = count++ ? std::min(first, record) : record; }
};

/// The records of a sequence in a chunk, one per frame and track.
struct Frames {
    std::uint64_t offset = 0;  // offset of the first record in the file
    std::uint64_t first = 0;   // index of the first record in the chunk
    std::uint32_t stride = 0, tracks = 0, frames = 0;
    std::uint32_t unused = 0;  // avoids padding (see DecodeHeader)

    Frames() = default;
    Frames(const Records& chunk, std::uint64_t first, std::uint32_t tracks, std::uint32_t frames)
        : offset(chunk.offsetOf(static_cast<std::size_t>(first))),
          first(first),
          stride(static_cast<std::uint32_t>(chunk.stride())),
          tracks(tracks),
          frames(frames) {}
};

/// The keys of a sequence with at least one frame and one track. Reads several frames at a time, in
/// windows that fit into the CPU caches.
class SequenceKeys {
public:
    /// Reads from `source`, or from `file` if `source` is null.
    SequenceKeys(const Frames& keys, const Frames& scales, Bytes file, Source* source)
        : keys_(keys), scales_(scales), file_(file), source_(source) {}

    /// Returns the keys of a frame, one record per track. They are valid until the next call.
    Records frame(std::uint32_t frame) const { return at(keys_, frame, 1); }

    /// Returns the records of `count` frames starting at `frame`. They are valid until the next
    /// call.
    Records at(const Frames& frames, std::uint32_t frame, std::uint32_t count) const;

    /// Announces the keys to the source.
    void announce() const;

    /// Changes `first` to `all` for translations, rotations and scales that are not constant. If
    /// `isSoundWanted` is true, also searches for damage and returns true if the keys are certainly
    /// undamaged, so that `transpose` has nothing to repair.
    bool examine(std::span<BoneKeys> bones, bool isSoundWanted, float unitScale) const;

    /// Converts keys to scene space and writes them to the clip's values. Multiplies positions by
    /// `unitScale`.
    void transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys, Damage& scaleKeys) const;

    /// Returns the decode parameters for `decodeKeys`.
    Vector<std::uint8_t> decodeParameters(std::span<const BoneKeys> bones, float unitScale) const;

private:
    Frames keys_, scales_;
    Bytes file_;
    Source* source_;
};

/// Writes the values that `transpose` would write. Uses only the file and the parameters. The keys
/// must have been checked and contain no damage.
void decodeKeys(Source& source, Bytes parameters, std::span<float> to);

}  // namespace rigcast::unreal
