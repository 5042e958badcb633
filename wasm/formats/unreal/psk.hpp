// Content of a PSK: the chunks that are used, as records of the file.
#pragma once

#include <cstdint>

#include "core/vector.hpp"
#include "formats/unreal/chunks.hpp"

namespace rigcast::unreal {

/// Corners of the mesh: a point index with texture coordinates. They have several sizes (section 3,
/// VTXW0000).
struct Wedges {
    Records records;
    bool wideIndex = false;  // 32-bit point index
    std::size_t uv = 4, material = 12;

    std::size_t size() const { return records.size(); }
    std::uint32_t point(std::size_t wedge) const {
        return wideIndex ? records.get<std::uint32_t>(wedge, 0) : records.get<std::uint16_t>(wedge, 0);
    }
    std::uint8_t materialOf(std::size_t wedge) const { return records.get<std::uint8_t>(wedge, material); }
};

/// Triangles of three wedges, clockwise. They have 16-bit, 32-bit or aligned 32-bit indices
/// (section 3, FACE0000).
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
    std::uint32_t channel = 0;  // the number in the id: UV set - 1
    Records records;
    Place place;  // path points into the directory
};

struct Psk {
    Directory directory;
    Records points, materials, bones, influences, colors, normals, morphInfos, morphDeltas, sockets;
    Wedges wedges;
    Faces faces;
    Vector<ExtraUvs> extraUvs;         // ascending, at most ten
    std::string_view wedgeId, faceId;  // point into the directory
};

/// Number of points that a 16-bit index can address.
inline constexpr std::size_t narrowLimit = 65536;

/// Reads records of a chunk in windows.
struct Windows {
    Source* source = nullptr;  // null if the file is in the heap

    /// Returns records that are valid until `buffer` is used again.
    Records part(const Records& all, std::size_t first, std::size_t count, Vector<std::uint8_t>& buffer) const {
        if (!source) return all.slice(first, count);
        const std::uint64_t offset = all.offsetOf(first);
        return {source->window(static_cast<std::size_t>(offset), count * all.stride(), buffer), all.stride(), offset};
    }
};

/// Selects the chunks that are used: resolves aliases and duplicates, and derives the widths of
/// wedges and faces from sizes and ids. Does not access records that `loadIndex` skipped.
Psk readPsk(Bytes bytes, Diagnostics& diagnostics);

/// Uses a chunk that can occur only once. Returns false, with a finding, if it is a duplicate or
/// its records are too small.
bool takeRecords(const Chunk& chunk, std::size_t minimum, Records& target, Diagnostics& diagnostics);

void reportUnknown(const Chunk& chunk, Diagnostics& diagnostics);

}  // namespace rigcast::unreal
