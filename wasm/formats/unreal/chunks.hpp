// Container of PSK and PSA: a sequence of chunks up to the end of the file (psk-psa.md section 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/source.hpp"
#include "core/vector.hpp"

namespace rigcast::unreal {

/// Content of a chunk, independent of which alias its id is.
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
    motionHead,
    tracks,
    sequences,
    keys,
    scaleKeys,
    curves,
    unknown,
};

/// A usable chunk: the file contains all `records`, even if the header declares more.
struct Chunk {
    ChunkType type = ChunkType::unknown;
    std::uint32_t channel = 0;  // extraUvs: the number at the end of the id
    std::string id;             // up to the first NUL, without trailing spaces
    Bytes header;               // 32 bytes
    std::int32_t typeFlag = 0;
    std::uint64_t offset = 0;  // of the header in the file
    Bytes payload;             // complete records only
    std::uint32_t stride = 0;  // bytes per record, as declared
    std::uint32_t count = 0;   // number of records; unknown chunks can have a stride of 0

    Records records() const { return {payload, stride, offset + headerSize}; }
    Place place() const { return {.offset = offset, .path = id}; }

    static constexpr std::size_t headerSize = 32;
};

struct Directory {
    Vector<Chunk> chunks;  // in file order
    Bytes rest;            // bytes after the last chunk
};

/// Lists the chunks of a file. If a count exceeds the existing records, ends the chunk at the next
/// chunk if one is found in its payload, otherwise keeps the complete records (section 1, rule 8).
/// `head` is the required id of the first chunk.
Directory readDirectory(Bytes bytes, std::string_view head, Diagnostics& diagnostics);

/// Reads all chunks into memory except those that can have megabytes. Reads the whole file if its
/// chunks are not contiguous.
void loadIndex(Source& source, Bytes bytes);

/// Reads the chunks that `loadIndex` skipped.
void loadBulkChunks(Source& source, const Directory& directory);

/// Returns the type of an id. Sets `channel` as in Chunk.
ChunkType typeOf(std::string_view id, std::uint32_t& channel);

/// Returns Epic's name of the record, or "bytes" for unknown chunks.
std::string_view recordName(ChunkType type);

}  // namespace rigcast::unreal
