// The container format of PSK and PSA: a sequence of chunks up to the end of the file (psk-psa.md
// section 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/source.hpp"
#include "core/vector.hpp"

namespace rigcast::unreal {

/// Type of the content of a chunk. All aliases of a chunk id have the same type.
enum class ChunkType : std::uint8_t {
    meshHead,
    points,
    wedges,
    faces,
    materials,
    bones,
    influences,
    colors,
    extraUvs,
    normals,
    morphInfos,
    morphDeltas,
    sockets,
    animationHead,
    tracks,
    sequences,
    keys,
    scaleKeys,
    curves,
    unknown,
};

/// A chunk. `records` contains only the records that the file contains, even if the header declares
/// more.
struct Chunk {
    ChunkType type = ChunkType::unknown;
    std::uint32_t channel = 0;  // number at the end of the id of an extraUvs chunk
    std::string id;             // id up to the first NUL, without trailing spaces
    Bytes header;               // 32 bytes
    std::int32_t typeFlag = 0;
    std::uint64_t offset = 0;  // offset of the header in the file
    Bytes payload;             // contains only complete records
    std::uint32_t stride = 0;  // bytes per record, as declared
    std::uint32_t count = 0;   // number of records; the stride of unknown chunks can be 0

    Records records() const { return {payload, stride, offset + headerSize}; }
    Location location() const { return {.offset = offset, .path = id}; }

    static constexpr std::size_t headerSize = 32;
};

struct Directory {
    Vector<Chunk> chunks;  // in file order
    Bytes rest;            // bytes after the last chunk
};

/// Lists the chunks of a file. `head`: required id of the first chunk. If a chunk declares more
/// records than exist, it ends where another chunk begins in its records or, if there is none,
/// after the last complete record (section 1, rule 8).
Directory readDirectory(Bytes bytes, std::string_view head, Diagnostics& diagnostics);

/// Loads the file into memory, except large chunks. If a chunk header is invalid or exceeds the
/// file, loads the entire file.
void loadIndex(Source& source, Bytes bytes);

/// Loads the large chunks that `loadIndex` skipped.
void loadBulkChunks(Source& source, const Directory& directory);

/// Returns the chunk type for a chunk id. Sets `channel` to the value for `Chunk::channel`.
ChunkType typeOf(std::string_view id, std::uint32_t& channel);

/// Returns Epic's name of the record type, or "bytes" for unknown chunks.
std::string_view recordName(ChunkType type);

}  // namespace rigcast::unreal
