// The content of a PSK: the records of all chunks that the conversion uses.
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/unreal/chunks.hpp"

namespace rigcast::unreal {

/// Wedges, which are corners of faces: a point index with texture coordinates. The size of a record
/// depends on the exporter (section 3, VTXW0000).
struct Wedges {
    Records records;
    bool wideIndex = false;  // true: point indices have 32 bits
    std::size_t uv = 4, material = 12;

    std::size_t size() const { return records.size(); }
    std::uint32_t point(std::size_t wedge) const {
        return wideIndex ? records.get<std::uint32_t>(wedge, 0) : records.get<std::uint16_t>(wedge, 0);
    }
    std::uint8_t materialOf(std::size_t wedge) const { return records.get<std::uint8_t>(wedge, material); }
};

/// Triangles of three wedges in clockwise order, with 16-bit or 32-bit indices (section 3,
/// FACE0000).
struct Faces {
    Records records;
    bool wideIndex = false;
    std::size_t material = 6, smoothing = 8;

    std::size_t size() const { return records.size(); }
    void wedgesOf(std::size_t face, std::uint32_t (&wedges)[3]) const {
        for (std::size_t i = 0; i < 3; ++i)
            wedges[i] = wideIndex ? records.get<std::uint32_t>(face, i * 4) : records.get<std::uint16_t>(face, i * 2);
    }
    std::uint8_t materialOf(std::size_t face) const { return records.get<std::uint8_t>(face, material); }
    std::uint32_t smoothingOf(std::size_t face) const { return records.get<std::uint32_t>(face, smoothing); }
};

struct ExtraUvs {
    std::uint32_t channel = 0;  // number at the end of the chunk id: the index of the UV set, minus 1
    Records records;
    Location location;  // its path refers to text of the directory
};

struct Psk {
    Directory directory;
    Records points, materials, bones, influences, colors, normals, morphInfos, morphDeltas, sockets;
    Wedges wedges;
    Faces faces;
    Vector<ExtraUvs> extraUvs;         // at most ten, sorted by channel
    std::string_view wedgeId, faceId;  // refer to text of the directory
};

/// Maximum number of points that a 16-bit index can address.
inline constexpr std::size_t narrowLimit = 65536;

/// Reads chunks in windows or, if the file is in the heap, directly.
struct Windows {
    Source* source = nullptr;  // null if the file is in the heap

    /// Returns `count` records starting at `first`. They are valid until `buffer` is used again.
    Records part(const Records& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        if (!source) return all.slice(first, count);
        const std::uint64_t offset = all.offsetOf(first);
        return {source->window(static_cast<std::size_t>(offset), count * all.stride(), buffer), all.stride(), offset};
    }
};

/// Selects the chunks that the conversion uses. Resolves aliases and duplicates, and derives the
/// index sizes of wedges and faces from record sizes and ids. Does not read records that
/// `loadIndex` skipped.
Psk readPsk(Bytes bytes, Diagnostics& diagnostics);

/// Sets `target` to the records of a chunk that may occur only once. Returns false and reports a
/// finding if the chunk is a duplicate or its records are too small.
bool useRecords(const Chunk& chunk, std::size_t minimum, Records& target, Diagnostics& diagnostics);

void reportUnknown(const Chunk& chunk, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
