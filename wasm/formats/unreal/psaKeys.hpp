// The keys of a PSA: frame by frame in the file, bone by bone in the scene. What touches every key of the file is here and compiled for speed.
#pragma once

#include <cstdint>
#include <span>

#include "core/source.hpp"
#include "formats/unreal/psa.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

/// What became of a component (translation, rotation, scale) of a track.
enum class Keys : std::uint8_t { left, one, all };  // left out; constant: its first key says it all; one per frame

/// How the keys of one bone in one sequence are laid out, and where they go.
struct BoneKeys {
    std::uint32_t at = 0;  // in the clip's values: translations, then rotations, then scales
    Keys translation = Keys::left, rotation = Keys::left, scale = Keys::left;
    bool conjugated = true;
};

inline std::uint32_t lengthOf(Keys keys, std::uint32_t frames) { return keys == Keys::left ? 0 : keys == Keys::one ? 1 : frames; }

/// Keys that could not be taken as they are: how many, and the first record of each kind.
struct Damage {
    std::uint64_t nonFinite = 0, zeroLength = 0, zeroScale = 0;
    std::size_t firstNonFinite = 0, firstZeroLength = 0, firstZeroScale = 0;
    static void add(std::uint64_t& count, std::size_t& first, std::size_t record) { first = count++ ? std::min(first, record) : record; }
};

/// Where the records of a sequence lie, one a frame and track, in one chunk.
struct Frames {
    std::uint64_t offset = 0;  // of the first, in the file
    std::uint64_t first = 0;   // its number in the chunk
    std::uint32_t stride = 0, tracks = 0, frames = 0;
    std::uint32_t unused = 0;  // instead of padding, see RecipeHead

    Frames() = default;
    Frames(const Records& chunk, std::uint64_t first, std::uint32_t tracks, std::uint32_t frames)
        : offset(chunk.offsetOf(static_cast<std::size_t>(first))),
          first(first),
          stride(static_cast<std::uint32_t>(chunk.stride())),
          tracks(tracks),
          frames(frames) {}
};

/// The keys of one sequence. It has frames and tracks. Every pass goes over them by windows of some frames that fit the fast caches.
class SequenceKeys {
public:
    /// Of a file in memory, or where it has a source, of one that lies elsewhere.
    SequenceKeys(const Frames& keys, const Frames& scales, Bytes file, Source* source)
        : keys_(keys), scales_(scales), file_(file), source_(source) {}

    /// The keys of one frame, record by record; valid until another call.
    Records frame(std::uint32_t frame) const { return at(keys_, frame, 1); }

    /// `count` frames of one of the chunks, from one of them on; valid until another call.
    Records at(const Frames& frames, std::uint32_t frame, std::uint32_t count) const;

    /// Sets to `all` what is not the same in all frames, as most translations are; what is to be looked at comes in as `one`. With `isSoundWanted`, whether
    /// every key can be taken as it is, so that `transpose` finds no damage; it may say no where there is none.
    bool examine(std::span<BoneKeys> bones, bool isSoundWanted, float unitScale) const;

    /// Writes all keys that are kept into the clip's values, in scene space. Positions are multiplied by `unitScale`.
    void transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys, Damage& scaleKeys) const;

    /// What `makeKeys` needs beside the file to do the same.
    Vector<std::uint8_t> recipe(std::span<const BoneKeys> bones, float unitScale) const;

private:
    Frames keys_, scales_;
    Bytes file_;
    Source* source_;
};

/// `transpose` by a recipe. The keys were examined and are sound.
void makeKeys(Source& source, Bytes recipe, std::span<float> to);

}  // namespace rigcast::unreal
