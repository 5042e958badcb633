// The container that PSK and PSA share: a sequence of chunks up to the end of the file (psk-psa.md section 1).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/reader.hpp"
#include "core/source.hpp"
#include "core/vector.hpp"

namespace rigcast::unreal {

/// What a chunk holds, whichever of its ids it bears.
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

/// A chunk as it can be used: `records` are proven to lie in the file, also if the header announced more.
struct Chunk {
    ChunkType type = ChunkType::unknown;
    std::uint32_t channel = 0;  // extraUvs: the number behind the id
    std::string id;             // up to the first NUL, without trailing blanks
    Bytes header;               // its 32 bytes
    std::int32_t typeFlag = 0;
    std::uint64_t offset = 0;  // of the header in the file
    Bytes payload;             // whole records only
    std::uint32_t stride = 0;  // bytes a record, as the file says
    std::uint32_t count = 0;   // of records; a stride of 0 is allowed by unknown chunks

    Records records() const { return {payload, stride, offset + headerSize}; }
    Place place() const { return {.offset = offset, .path = id}; }

    static constexpr std::size_t headerSize = 32;
};

struct Directory {
    Vector<Chunk> chunks;  // in the order of the file
    Bytes rest;            // what lies behind the last chunk
};

/// Lists the chunks of a file. Counts that promise more records than there are get repaired where the next chunk can be found inside
/// the payload, else the whole records that fit are kept (section 1, rule 8). `head` is the id that the first chunk must have.
Directory readDirectory(Bytes bytes, std::string_view head, Diagnostics& diagnostics);

/// Brings all but the chunks of which a file may have megabytes; the whole file where its chunks do not lie one behind the other as they say.
void bringIndex(Source& source, Bytes bytes);

/// Brings those that `bringIndex` has left.
void bringRest(Source& source, const Directory& directory);

/// Chunk::type and Chunk::channel of an id.
ChunkType typeOf(std::string_view id, std::uint32_t& channel);

/// Epic's name of the record, "bytes" for an unknown chunk.
std::string_view recordName(ChunkType type);

}  // namespace rigcast::unreal
