#include "formats/unreal/chunks.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/text.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

struct KnownId {
    std::string_view id;
    ChunkType type;
};

/// Chunk ids and their aliases (section 2), except EXTRAUVSn, EXTRAUVn and <sequence>:CUR, which
/// are matched by pattern.
constexpr std::array<KnownId, 21> knownIds = {{
    {"ACTRHEAD", ChunkType::meshHead},     {"PNTS0000", ChunkType::points},        {"VTXW0000", ChunkType::wedges},
    {"VTXW3200", ChunkType::wedges},       {"FACE0000", ChunkType::faces},         {"FACE3200", ChunkType::faces},
    {"MATT0000", ChunkType::materials},    {"REFSKELT", ChunkType::bones},         {"REFSKEL0", ChunkType::bones},
    {"RAWWEIGHTS", ChunkType::influences}, {"RAWW0000", ChunkType::influences},    {"VERTEXCOLOR", ChunkType::colors},
    {"VTXNORMS", ChunkType::normals},      {"MRPHINFO", ChunkType::morphInfos},    {"MRPHDATA", ChunkType::morphDeltas},
    {"SKELSOCK", ChunkType::sockets},      {"ANIMHEAD", ChunkType::animationHead}, {"BONENAMES", ChunkType::tracks},
    {"ANIMINFO", ChunkType::sequences},    {"ANIMKEYS", ChunkType::keys},          {"SCALEKEYS", ChunkType::scaleKeys},
}};

constexpr std::size_t idSize = 20;
constexpr std::string_view curveSuffix = ":CUR";

/// Returns the chunk id in a header, without trailing spaces. Ignores bytes after the first NUL,
/// because they can be garbage.
std::string_view idText(Bytes header) {
    std::string_view text = asText(header.first(idSize));
    text = text.substr(0, text.find('\0'));
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    return text;
}

/// Returns true if `id` can be the id of a chunk. Ids of curve chunks begin with the name of a
/// sequence, in any encoding.
bool isPlausibleId(std::string_view id) {
    if (id.empty() || id.front() == ' ') return false;
    const unsigned char highest = id.ends_with(curveSuffix) ? 0xFF : 0x7E;
    return std::all_of(id.begin(), id.end(), [&](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte <= highest;
    });
}

struct Header {
    Bytes bytes;
    std::string_view id;
    std::int32_t typeFlag, size, count;

    explicit Header(Bytes header)
        : bytes(header),
          id(idText(header)),
          typeFlag(loadValue<std::int32_t>(header.data() + idSize)),
          size(loadValue<std::int32_t>(header.data() + idSize + 4)),
          count(loadValue<std::int32_t>(header.data() + idSize + 8)) {}

    bool isPlausible() const { return isPlausibleId(id) && size >= 0 && count >= 0; }
    std::uint64_t payload() const { return static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(count); }
};

/// Returns true for chunk types that are read in windows if the file is not in the heap.
bool isBulk(ChunkType type) {
    switch (type) {
        case ChunkType::points:
        case ChunkType::wedges:
        case ChunkType::faces:
        case ChunkType::influences:
        case ChunkType::extraUvs:
        case ChunkType::normals:
        case ChunkType::keys:
        case ChunkType::scaleKeys:
            return true;
        default:
            return false;
    }
}

bool isKnown(std::string_view id) {
    std::uint32_t channel;
    return typeOf(id, channel) != ChunkType::unknown;
}

/// Reads the directory (the list of chunks) of a file.
class DirectoryReader {
public:
    DirectoryReader(Bytes bytes, Diagnostics& diagnostics) : bytes_(bytes), diagnostics_(diagnostics) {}

    Directory read(std::string_view head) {
        if (bytes_.size() < Chunk::headerSize) {
            if (bytes_.empty())
                diagnostics_.add(Code::EMPTY_FILE, {.offset = 0});
            else
                diagnostics_.add(Code::TRUNCATED, {.offset = 0}, {"the first chunk header has 32 bytes, the file has {}", {bytes_.size()}});
            return std::move(directory_);
        }
        if (const Header first = headerAt(0); first.id != head) {
            diagnostics_.add(Code::UNKNOWN_FORMAT, {.offset = 0}, {"the first chunk is not {}", {head}});
            return std::move(directory_);
        }
        std::size_t at = 0;
        while (bytes_.size() - at >= Chunk::headerSize) {
            const std::optional<std::size_t> next = readChunk(at);
            if (!next) return std::move(directory_);
            at = *next;
        }
        if (at < bytes_.size() && extendInfluences(at)) at = bytes_.size();
        directory_.rest = bytes_.subspan(at);
        if (!directory_.rest.empty()) diagnostics_.add(Code::TRAILING_BYTES, {.offset = at}, {"{} bytes", {directory_.rest.size()}});
        return std::move(directory_);
    }

private:
    Header headerAt(std::size_t at) const { return Header(bytes_.subspan(at, Chunk::headerSize)); }

    /// Reads the chunk at offset `at`. Returns the offset of the next chunk, or nullopt after the
    /// last one.
    std::optional<std::size_t> readChunk(std::size_t at) {
        const Header header = headerAt(at);
        if (!isKnown(header.id) && extendInfluences(at)) return bytes_.size();
        const std::size_t left = bytes_.size() - at - Chunk::headerSize;
        if (header.isPlausible() && header.payload() <= left) {
            add(at, header, static_cast<std::uint32_t>(header.count));
            return at + Chunk::headerSize + static_cast<std::size_t>(header.payload());
        }
        // There are two possible causes: the previous chunk declares too many records, so that its
        // end is inside another chunk, or this chunk declares too many.
        if (const auto next = repairLast()) return next;
        if (!isPlausibleId(header.id)) {
            diagnostics_.add(Code::BAD_CHUNK_HEADER, {.offset = at}, {"{} bytes were left out", {bytes_.size() - at}});
            directory_.rest = bytes_.subspan(at);
            return std::nullopt;
        }
        const std::string id = repairUtf8(header.id);
        if (!header.isPlausible()) {
            diagnostics_.add(Code::BAD_CHUNK_SIZE, {.offset = at, .path = id}, {"{} records of {} bytes", {header.count, header.size}});
            directory_.rest = bytes_.subspan(at);
            return std::nullopt;
        }
        const auto whole = static_cast<std::uint32_t>(left / static_cast<std::size_t>(header.size));  // size 0 is handled above
        add(at, header, whole);
        if (const auto next = repairLast(static_cast<std::uint32_t>(header.count))) return next;
        const bool overflows = header.payload() > 0xFFFFFFFF;
        diagnostics_.add(overflows ? Code::BAD_CHUNK_SIZE : Code::TRUNCATED, {.offset = at, .path = id},
                         {"{} records of {} bytes declared, {} found", {header.count, header.size, whole}});
        return std::nullopt;
    }

    void add(std::size_t at, const Header& header, std::uint32_t count) {
        Chunk chunk;
        chunk.type = typeOf(header.id, chunk.channel);
        chunk.id = isValidUtf8(header.id) ? std::string(header.id) : fromWindows1252(header.id);
        chunk.header = header.bytes;
        chunk.typeFlag = header.typeFlag;
        chunk.offset = at;
        chunk.stride = static_cast<std::uint32_t>(header.size);
        chunk.count = count;
        chunk.payload = bytes_.subspan(at + Chunk::headerSize, static_cast<std::size_t>(count) * chunk.stride);
        directory_.chunks.push_back(std::move(chunk));
    }

    /// Searches the records of the last chunk for the header of another known chunk. If there is
    /// one, ends the last chunk before it and returns its offset. Needed for files of CUE4Parse,
    /// which counts empty morph targets and sockets but does not write them.
    std::optional<std::size_t> repairLast(std::uint32_t declared = 0) {
        if (directory_.chunks.empty()) return std::nullopt;
        Chunk& last = directory_.chunks.back();
        if (last.stride == 0) return std::nullopt;
        const std::size_t start = static_cast<std::size_t>(last.offset) + Chunk::headerSize;
        for (std::uint32_t record = 0; record <= last.count; ++record) {
            const std::size_t at = start + static_cast<std::size_t>(record) * last.stride;
            if (bytes_.size() - at < Chunk::headerSize) break;
            // This check rejects most records quickly.
            if (const std::uint8_t first = bytes_[at]; first < 'A' || first > 'Z') continue;
            const Header header = headerAt(at);
            if (!header.isPlausible() || !isKnown(header.id)) continue;
            // The found chunk begins at the end of the last one, so there is nothing to repair.
            if (record == last.count && declared <= last.count) return std::nullopt;
            diagnostics_.add(Code::COUNT_REPAIRED, last.location(),
                             {"{} records declared, {} found", {std::max(declared, last.count), record}});
            last.count = record;
            last.payload = last.payload.first(static_cast<std::size_t>(record) * last.stride);
            return at;
        }
        return std::nullopt;
    }

    std::uint32_t countOf(ChunkType type) const {
        for (const Chunk& chunk : directory_.chunks)
            if (chunk.type == type) return chunk.count;
        return 0;
    }

    /// Extends the chunk of influences to the end of the file if the remaining bytes are complete,
    /// valid records. Some exporters write this chunk last and store the number of vertices as the
    /// number of its records.
    bool extendInfluences(std::size_t at) {
        if (directory_.chunks.empty()) return false;
        Chunk& last = directory_.chunks.back();
        if (last.type != ChunkType::influences || last.stride < influenceField::size || (bytes_.size() - at) % last.stride) return false;
        const Records more(bytes_.subspan(at), last.stride, at);
        const std::uint32_t points = countOf(ChunkType::points), bones = countOf(ChunkType::bones);
        for (std::size_t i = 0; i < more.size(); ++i) {
            const auto weight = more.get<float>(i, influenceField::weight);
            const bool isValid = more.get<std::uint32_t>(i, influenceField::point) < points &&
                                 more.get<std::uint32_t>(i, influenceField::bone) < bones && weight >= 0 && weight <= 1;
            if (!isValid) return false;
        }
        const std::uint32_t declared = last.count;
        last.count += static_cast<std::uint32_t>(more.size());
        last.payload = bytes_.subspan(static_cast<std::size_t>(last.offset) + Chunk::headerSize, std::size_t{last.count} * last.stride);
        diagnostics_.add(Code::COUNT_REPAIRED, last.location(), {"{} records declared, {} found", {declared, last.count}});
        return true;
    }

    Bytes bytes_;
    Diagnostics& diagnostics_;
    Directory directory_;
};

}  // namespace

Directory readDirectory(Bytes bytes, std::string_view head, Diagnostics& diagnostics) {
    return DirectoryReader(bytes, diagnostics).read(head);
}

void loadIndex(Source& source, Bytes bytes) {
    std::size_t at = 0;
    while (bytes.size() - at >= Chunk::headerSize) {
        source.load(at, Chunk::headerSize);
        const Header header(bytes.subspan(at, Chunk::headerSize));
        at += Chunk::headerSize;
        if (!header.isPlausible() || header.payload() > bytes.size() - at) return source.load(0, bytes.size());
        const auto payload = static_cast<std::size_t>(header.payload());
        std::uint32_t channel;
        const ChunkType type = typeOf(header.id, channel);
        if (!isBulk(type)) source.load(at, payload);
        at += payload;
    }
    source.load(at, bytes.size() - at);
}

void loadBulkChunks(Source& source, const Directory& directory) {
    for (const Chunk& chunk : directory.chunks)
        if (isBulk(chunk.type)) source.load(static_cast<std::size_t>(chunk.offset) + Chunk::headerSize, chunk.payload.size());
}

ChunkType typeOf(std::string_view id, std::uint32_t& channel) {
    channel = 0;
    for (const KnownId& known : knownIds)
        if (known.id == id) return known.type;
    if (id.ends_with(curveSuffix)) return ChunkType::curves;
    constexpr std::string_view extraUv = "EXTRAUV";
    if (id.starts_with(extraUv)) {
        std::string_view number = id.substr(extraUv.size());
        if (number.starts_with('S')) number.remove_prefix(1);
        if (number.size() == 1 && number[0] >= '0' && number[0] <= '9') {
            channel = static_cast<std::uint32_t>(number[0] - '0');
            return ChunkType::extraUvs;
        }
    }
    return ChunkType::unknown;
}

std::string_view recordName(ChunkType type) {
    switch (type) {
        case ChunkType::points:
            return "VPoint";
        case ChunkType::wedges:
            return "VVertex";
        case ChunkType::faces:
            return "VTriangle";
        case ChunkType::materials:
            return "VMaterial";
        case ChunkType::bones:
            return "VBone";
        case ChunkType::influences:
            return "VRawBoneInfluence";
        case ChunkType::colors:
            return "VColor";
        case ChunkType::extraUvs:
            return "VUv";
        case ChunkType::normals:
            return "VNormal";
        case ChunkType::morphInfos:
            return "VMorphInfo";
        case ChunkType::morphDeltas:
            return "VMorphData";
        case ChunkType::sockets:
            return "VSocket";
        case ChunkType::tracks:
            return "FNamedBoneBinary";
        case ChunkType::sequences:
            return "AnimInfoBinary";
        case ChunkType::keys:
            return "VQuatAnimKey";
        case ChunkType::scaleKeys:
            return "VScaleAnimKey";
        case ChunkType::curves:
            return "VBlendCurve";
        case ChunkType::meshHead:
        case ChunkType::animationHead:
            return "header only";
        case ChunkType::unknown:
            break;
    }
    return "bytes";
}

}  // namespace rigcast::unreal
