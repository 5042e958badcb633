// What a PSA says: its chunks, and where the keys of every sequence lie (psk-psa.md section 7).
#pragma once

#include <cstdint>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/chunks.hpp"

namespace rigcast::unreal {

struct Psa {
    Directory directory;
    Records tracks, sequences, keys, scaleKeys;
    Vector<const Chunk*> curves;  // in the order of the file
};

Psa readPsa(Bytes bytes, Diagnostics& diagnostics);

/// One sequence with all that is proven of it. Key (frame, track) is record `firstKey + frame * tracksPerFrame + track` of ANIMKEYS.
struct Sequence {
    std::size_t record = 0;  // in ANIMINFO
    std::string name, group;
    std::uint64_t firstKey = 0;
    std::uint32_t tracksPerFrame = 0;
    std::uint32_t frames = 0;  // that are there with all their keys
    double rate = 30;          // frames a second, usable
    bool hasScale = false;
    std::uint64_t firstScale = 0;   // as firstKey, in SCALEKEYS
    const Chunk* curves = nullptr;  // blend curves, or none
};

/// The sequences that can be played. FirstRawFrame, TrackTime and ScaleInclude are what many writers get wrong: sums decide.
Vector<Sequence> planSequences(const Psa& psa, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
