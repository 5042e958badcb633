#include "formats/vgo/container.hpp"

#include <algorithm>

#include "core/code.hpp"
#include "core/order.hpp"
#include "core/reader.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

constexpr std::size_t headerBytes = 16, chunkHeaderBytes = 8, entryBytes = 16, composerBytes = 32;
constexpr std::size_t mostEntries = 4096;  // maximum number of chunks; valid files have at most thirteen

/// The chunk types that are valid in each slot of the composer.
constexpr std::uint32_t assetInfoTypes[] = {vgoType('A', 'I', 'P', 'J'), vgoType('A', 'I', 'P', 'B')};
constexpr std::uint32_t layoutTypes[] = {vgoType('L', 'A', 'P', 'J'), vgoType('L', 'A', 'P', 'B')};
constexpr std::uint32_t accessorTypes[] = {vgoType('R', 'A', 'P', 'J'), vgoType('R', 'A', 'P', 'B'), vgoType('R', 'A', 'C', 'J'),
                                           vgoType('R', 'A', 'C', 'B')};
constexpr std::uint32_t cryptTypes[] = {vgoType('C', 'R', 'A', 'J'), vgoType('C', 'R', 'A', 'B')};
constexpr std::uint32_t resourceTypes[] = {vgoType('R', 'E', 'P', 'b'), vgoType('R', 'E', 'P', 'J'), vgoType('R', 'E', 'P', 'B')};

constexpr std::uint32_t indexType = vgoType('I', 'D', 'X', '\0'), composerType = vgoType('C', 'O', 'M', 'P');

std::string nameOfType(std::uint32_t type) {
    std::string name;
    for (int shift = 0; shift < 32; shift += 8)
        if (const char letter = static_cast<char>(type >> shift); letter > ' ' && letter < 127) name += letter;
    return name;
}

class ContainerReader {
public:
    ContainerReader(const Input& input, VgoDocument& document, Diagnostics& diagnostics)
        : input_(input), document_(document), diagnostics_(diagnostics) {}

    bool read() { return readHeader() && readIndex() && readComposer(); }

private:
    void report(Code code, const Location& location, const Detail& detail = noDetail) { diagnostics_.add(code, location, detail); }
    bool readHeader() {
        const Bytes bytes = input_.bytes;
        if (bytes.size() >= 4 && loadValue<std::uint32_t>(bytes.data()) != vgoMagic) {
            report(Code::UNKNOWN_FORMAT, {.offset = 0});
            return false;
        }
        if (bytes.size() < headerBytes + chunkHeaderBytes) {
            report(Code::TRUNCATED, {.offset = bytes.size()}, "the file ends before its index");
            return false;
        }
        document_.major = bytes[8];
        document_.minor = bytes[9];
        if (document_.major != 2) {
            report(Code::UNSUPPORTED_VERSION, {.offset = 8}, {"version {}", {document_.version()}});
            return false;
        }
        if (document_.minor > 5) report(Code::VERSION_UNKNOWN, {.offset = 9}, {"version {}, read as 2.5", {document_.version()}});
        if (loadValue<std::uint32_t>(bytes.data() + 4) != 8) report(Code::BAD_HEADER, {.offset = 4}, "the header's length is not 8");
        document_.leftHanded = coordinate(10, "geometry");
        document_.uvBottomLeft = coordinate(11, "texture");
        document_.declaresEncryption = flag(12);
        document_.saysExternalKey = flag(13);
        if (bytes[14] || bytes[15]) report(Code::RESERVED_NOT_ZERO, Severity::warning, {.offset = 14}, "in the header");
        return true;
    }

    void report(Code code, Severity severity, const Location& location, const Detail& detail) {
        diagnostics_.add(code, severity, location, detail);
    }

    /// Reads a coordinate system. Returns true for Unity's coordinate system (2) and for invalid
    /// values.
    bool coordinate(std::size_t at, std::string_view what) {
        const std::uint8_t value = input_.bytes[at];
        if (value != 1 && value != 2)
            report(Code::BAD_HEADER, {.offset = at}, {"the convention of {} coordinates is {}; read as Unity's own", {what, value}});
        return value != 1;
    }

    bool flag(std::size_t at) {
        const std::uint8_t value = input_.bytes[at];
        if (value > 1) report(Code::FLAG_NOT_CANONICAL, {.offset = at}, {"{}", {value}});
        return value != 0;
    }

    bool readIndex() {
        const std::uint64_t size = input_.bytes.size();
        const std::uint8_t* at = input_.bytes.data() + headerBytes;
        const std::uint64_t length = loadValue<std::uint32_t>(at + 4), first = headerBytes + chunkHeaderBytes;
        if (loadValue<std::uint32_t>(at) != indexType || length == 0 || length % entryBytes || length > size - first) {
            report(Code::BAD_CHUNK_TABLE, {.offset = headerBytes, .path = "IDX"}, "the index is missing or has an impossible length");
            return false;
        }
        std::uint64_t end = first + length;
        const Records entries(input_.bytes.subspan(first, length), entryBytes, first);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (i == mostEntries) {
                report(Code::BAD_CHUNK_TABLE, {.offset = entries.offsetOf(i), .path = "IDX"}, "more entries than chunk types");
                break;
            }
            addChunk(entries, i, end);
        }
        if (end < size) report(Code::TRAILING_BYTES, {.offset = end}, {"{} bytes", {size - end}});
        sortChunks();
        return true;
    }

    void addChunk(const Records& entries, std::size_t i, std::uint64_t& end) {
        const std::uint64_t size = input_.bytes.size();
        VgoChunk chunk;
        chunk.type = entries.get<std::uint32_t>(i, 0);
        chunk.offset = entries.get<std::uint32_t>(i, 4);
        chunk.byteLength = entries.get<std::uint32_t>(i, 8);
        std::uint64_t padding = entries.get<std::uint8_t>(i, 12);
        chunk.name = nameOfType(chunk.type);
        const std::string name = chunk.name;
        const Location entry{.offset = entries.offsetOf(i), .path = name}, location{.offset = chunk.offset, .path = name};
        if (entries.get<std::uint8_t>(i, 13) || entries.get<std::uint16_t>(i, 14))
            report(Code::RESERVED_NOT_ZERO, Severity::warning, entry, "in the index");
        const auto leftOut = [&](Code code, const Location& where, const Detail& detail) {
            report(code, Severity::error, where, detail);
            reported_.push_back(chunk.type);
        };
        if (document_.chunk(chunk.type)) return report(Code::DUPLICATE_CHUNK, Severity::error, entry, {});
        if (chunk.offset < headerBytes || chunk.offset + chunkHeaderBytes > size)
            return leftOut(Code::CHUNK_RANGE, entry, "the chunk starts outside the file");
        if (chunk.byteLength <= chunkHeaderBytes) return leftOut(Code::MISSING_CHUNK, entry, "the chunk is empty");
        if (loadValue<std::uint32_t>(input_.bytes.data() + chunk.offset) != chunk.type)
            return leftOut(Code::BAD_CHUNK_TABLE, location, "the chunk at this offset has another type");
        if (padding > 1) {
            report(Code::BAD_CHUNK_TABLE, entry, {"padding of {} bytes", {padding}});
            padding = 0;
        }
        const std::uint64_t ownLength = loadValue<std::uint32_t>(input_.bytes.data() + chunk.offset + 4);
        if (chunk.byteLength > size - chunk.offset) {
            report(Code::CHUNK_RANGE, entry, "the chunk ends after the file; the part inside the file was read");
            chunk.byteLength = size - chunk.offset;
            padding = 0;
        } else if (ownLength == 0) {
            report(Code::MISSING_CHUNK, location, "the chunk declares that it is empty; the length in the index is used");
        } else if (ownLength != chunk.byteLength - chunkHeaderBytes) {
            report(Code::CHUNK_RANGE, location, {"the chunk declares a length of {}; the length in the index is used", {ownLength}});
        }
        const std::uint64_t data = chunk.byteLength - chunkHeaderBytes;
        if (data <= padding) return leftOut(Code::MISSING_CHUNK, entry, "the chunk is empty");
        const Bytes stored = input_.bytes.subspan(static_cast<std::size_t>(chunk.payloadOffset()), static_cast<std::size_t>(data));
        chunk.payload = stored.first(static_cast<std::size_t>(data - padding));
        chunk.padding = stored.last(static_cast<std::size_t>(padding));
        end = std::max(end, chunk.offset + chunk.byteLength);
        document_.chunks.push_back(std::move(chunk));
    }

    void sortChunks() {
        Vector<double> offsets;
        for (const VgoChunk& chunk : document_.chunks) offsets.push_back(static_cast<double>(chunk.offset));
        Vector<VgoChunk> sorted;
        for (const std::uint32_t i : ascendingOrder(offsets)) sorted.push_back(document_.chunks[i]);
        document_.chunks = std::move(sorted);
    }

    bool readComposer() {
        const VgoChunk* chunk = document_.chunk(composerType);
        if (!chunk) {
            missing(composerType);
            return false;
        }
        if (chunk->payload.size() < composerBytes) {
            report(Code::BAD_COMPOSER, {.offset = chunk->offset, .path = "COMP"}, "too short");
            return false;
        }
        auto& slots = document_.composer;
        std::memcpy(slots.data(), chunk->payload.data(), composerBytes);
        for (const std::size_t slot : {1, 3})  // in encrypted files, slot 7 contains a copy of slot 5 (E2)
            if (slots[slot])
                report(Code::RESERVED_NOT_ZERO, Severity::warning, {.offset = chunk->payloadOffset() + 4 * slot, .path = "COMP"}, {});
        checkSlot(assetInfoSlot, assetInfoTypes);
        bool good = checkSlot(layoutSlot, layoutTypes);
        good = checkSlot(accessorSlot, accessorTypes) && good;
        if (document_.isEncrypted()) good = checkSlot(cryptSlot, cryptTypes) && good;
        good = checkSlot(resourceSlot, resourceTypes) && good;
        if (document_.declaresEncryption != document_.isEncrypted())
            report(Code::CRYPT_FLAG, {.offset = 12},
                   document_.isEncrypted() ? "the accessor list is encrypted" : "the accessor list is not encrypted");
        return good;
    }

    /// Returns true if the slot contains a valid type and its chunk exists.
    bool checkSlot(VgoSlot slot, std::span<const std::uint32_t> allowed) {
        const std::uint32_t type = document_.composer[slot];
        if (std::find(allowed.begin(), allowed.end(), type) == allowed.end()) {
            const VgoChunk* composer = document_.chunk(composerType);
            report(Code::BAD_COMPOSER, {.offset = composer->payloadOffset() + 4 * slot, .path = "COMP"},
                   type ? "\"" + nameOfType(type) + "\" cannot be " + nameOfType(allowed[0]) : nameOfType(allowed[0]) + " is not named");
            document_.composer[slot] = 0;
            return false;
        }
        if (document_.chunkOf(slot)) return true;
        missing(type);
        return false;
    }

    /// Reports a missing chunk, unless a problem with its record in the index has been reported.
    void missing(std::uint32_t type) {
        const std::string name = nameOfType(type);
        if (std::find(reported_.begin(), reported_.end(), type) == reported_.end())
            report(Code::MISSING_CHUNK, {.path = name}, "not listed in the index");
    }

    const Input& input_;
    VgoDocument& document_;
    Diagnostics& diagnostics_;
    Vector<std::uint32_t> reported_;  // types whose record in the index has been reported
};

}  // namespace

const VgoChunk* VgoDocument::chunk(std::uint32_t type) const {
    for (const VgoChunk& chunk : chunks)
        if (chunk.type == type) return &chunk;
    return nullptr;
}

std::string VgoDocument::version() const { return formatted("{}.{}", {major, minor}); }

bool VgoDocument::isEncrypted() const { return vgoLetter(composer[accessorSlot], 2) == 'C'; }

bool readVgoContainer(const Input& input, VgoDocument& document, Diagnostics& diagnostics) {
    return ContainerReader(input, document, diagnostics).read();
}

}  // namespace rigcast
