// The keys of a PSA: frame by frame in the file, bone by bone in the scene. What touches every key of the file is here and compiled for speed.
#pragma once

#include <cstdint>
#include <span>

#include "formats/unreal/psa.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

/// What became of a component (translation, rotation, scale) of a track.
enum class Keys : std::uint8_t { left, one, all };  // left out; constant: its first key says it all; one per frame

/// How the keys of one bone in one sequence are laid out, and where they go.
struct BoneKeys {
    Keys translation = Keys::left, rotation = Keys::left, scale = Keys::left;
    std::uint32_t at = 0;  // in the clip's values: translations, then rotations, then scales
    bool conjugated = true;
};

inline std::uint32_t lengthOf(Keys keys, std::uint32_t frames) { return keys == Keys::left ? 0 : keys == Keys::one ? 1 : frames; }

/// Keys that could not be taken as they are: how many, and the first record of each kind.
struct Damage {
    std::uint64_t nonFinite = 0, zeroLength = 0, zeroScale = 0;
    std::size_t firstNonFinite = 0, firstZeroLength = 0, firstZeroScale = 0;
    static void add(std::uint64_t& count, std::size_t& first, std::size_t record) {
        if (count++ == 0) first = record;
    }
};

/// The keys of one sequence.
class SequenceKeys {
public:
    SequenceKeys(const Psa& psa, const Sequence& sequence) : psa_(psa), sequence_(sequence) {}

    std::size_t keyOf(std::uint32_t frame, std::uint32_t bone) const {
        return static_cast<std::size_t>(sequence_.firstKey) + std::size_t{frame} * sequence_.tracksPerFrame + bone;
    }
    std::size_t scaleOf(std::uint32_t frame, std::uint32_t bone) const {
        return static_cast<std::size_t>(sequence_.firstScale) + std::size_t{frame} * sequence_.tracksPerFrame + bone;
    }

    /// Whether a component of a bone is the same in all frames, as most translations are. The sequence has frames.
    Keys translation(std::uint32_t bone) const;
    Keys rotation(std::uint32_t bone) const;
    Keys scale(std::uint32_t bone) const;

    /// Writes all keys that are kept into the clip's values, in scene space. Positions are multiplied by `unitScale`.
    void transpose(std::span<const BoneKeys> bones, float unitScale, std::span<float> values, Damage& keys, Damage& scaleKeys) const;

private:
    const Psa& psa_;
    const Sequence& sequence_;
};

}  // namespace rigcast::unreal
