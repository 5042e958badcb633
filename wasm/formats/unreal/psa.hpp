// The content of a PSA: the records of its chunks, and the positions of the keys of each sequence
// (psk-psa.md section 7).
#pragma once

#include <cstdint>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/chunks.hpp"

namespace rigcast::unreal {

struct Psa {
    Directory directory;
    Records tracks, sequences, keys, scaleKeys;
    Vector<const Chunk*> curves;  // in file order
};

Psa readPsa(Bytes bytes, Diagnostics& diagnostics);

/// A sequence with checked properties. The key of a track at a frame is record `firstKey + frame *
/// tracksPerFrame + track` of ANIMKEYS.
struct Sequence {
    std::size_t record = 0;  // index of the record in ANIMINFO
    std::string name, group;
    std::uint64_t firstKey = 0;
    std::uint32_t tracksPerFrame = 0;
    std::uint32_t frames = 0;  // number of complete frames
    double rate = 30;          // frames per second; finite and positive
    bool hasScale = false;
    std::uint64_t firstScale = 0;   // index of the first record in SCALEKEYS
    const Chunk* curves = nullptr;  // blend curves, or nullptr
};

/// Returns the playable sequences. Derives the positions of keys from key counts, because many
/// writers store wrong values in FirstRawFrame, TrackTime and ScaleInclude.
Vector<Sequence> planSequences(const Psa& psa, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
