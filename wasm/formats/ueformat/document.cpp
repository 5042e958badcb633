#include "formats/ueformat/document.hpp"

#include <algorithm>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"
#include "scene/scene.hpp"

namespace rigcast::ueformat {

namespace {

// Limits for the declared size of a compressed body. JavaScript allocates this size.
constexpr std::int64_t mostSize = 1 << 30, mostRatio = 1000, freeSize = 1 << 20;

void reportCut(const Cursor& cursor, const Location& location, Diagnostics& diagnostics) {
    diagnostics.add(cursor.hasBadText() ? Code::BAD_STRING_LENGTH : Code::TRUNCATED, location);
}

/// Requests the decompressed body, or uses it if it was supplied.
bool decompress(const Input& input, Document& document, Diagnostics& diagnostics) {
    const Header& header = document.header;
    const std::int32_t storedSize = header.storedSize;
    Bytes stored = document.body;
    const Location where{.offset = document.bodyOffset, .path = "header"};
    const std::string name = repairUtf8(header.compression);
    if (header.compression != "GZIP" && header.compression != "ZSTD") {
        diagnostics.add(Code::UNSUPPORTED_COMPRESSION, where, name);
        return false;
    }
    if (header.size < 0 || storedSize < 0) {
        diagnostics.add(Code::BAD_HEADER, where, {"{} bytes, compressed {}", {header.size, storedSize}});
        return false;
    }
    if (static_cast<std::size_t>(storedSize) > stored.size())
        diagnostics.add(Code::TRUNCATED, where, {"{} of {} compressed bytes", {stored.size(), storedSize}});
    else if (static_cast<std::size_t>(storedSize) < stored.size())
        diagnostics.add(Code::TRAILING_BYTES, {.offset = document.bodyOffset + static_cast<std::size_t>(storedSize)},
                        {"{} bytes", {stored.size() - static_cast<std::size_t>(storedSize)}});
    stored = stored.first(std::min<std::size_t>(stored.size(), static_cast<std::size_t>(storedSize)));
    if (header.size > mostSize || header.size > mostRatio * static_cast<std::int64_t>(stored.size()) + freeSize) {
        diagnostics.add(Code::COMPRESSION_RATIO, where, {"{} bytes are declared to become {}", {stored.size(), header.size}});
        return false;
    }
    const Supplied* clear = input.find("decompress");
    document.references.push_back({"decompress",
                                   name,
                                   true,
                                   clear != nullptr,
                                   {{"offset", static_cast<double>(document.bodyOffset)},
                                    {"byteLength", static_cast<double>(stored.size())},
                                    {"size", static_cast<double>(header.size)}}});
    if (!clear) return false;
    const auto size = static_cast<std::size_t>(header.size);
    if (clear->bytes.size() > size)  // JavaScript stops after one more byte
        diagnostics.add(Code::DECOMPRESS_FAILED, where, {"{} bytes declared, more decompressed", {header.size}});
    else if (clear->bytes.size() < size)
        diagnostics.add(Code::DECOMPRESS_FAILED, where, {"{} bytes declared, {} decompressed", {header.size, clear->bytes.size()}});
    document.body = clear->bytes.first(std::min(clear->bytes.size(), size));
    return !document.body.empty();
}

}  // namespace

std::string_view Cursor::text() {
    const auto length = number<std::int32_t>();
    if (failed()) return {};
    if (length < 0 || static_cast<std::size_t>(length) > remaining()) {
        hasBadText_ = true;
        fail();
        return {};
    }
    load(static_cast<std::size_t>(length));
    std::string_view text = asText(bytes(static_cast<std::uint64_t>(length)));
    while (text.ends_with('\0')) text.remove_suffix(1);
    return text;
}

Vec3 Cursor::vec3() {
    const auto x = number<float>(), y = number<float>(), z = number<float>();
    return {x, y, z};
}

Quat Cursor::quat() {
    const auto x = number<float>(), y = number<float>(), z = number<float>(), w = number<float>();
    return {x, y, z, w};
}

Cursor Document::open(const Part& part) const {
    if (source) source->load(static_cast<std::size_t>(part.payloadOffset), part.payload.size());
    return {part.payload, part.payloadOffset};
}

namespace {

/// Reads the header. The rest of the cursor becomes the body. Returns false if the file is damaged
/// or unsupported.
bool readHeader(Cursor& cursor, std::string_view identifier, Document& document, Diagnostics& diagnostics) {
    Header& header = document.header;
    const std::string path = document.path.empty() ? "header" : document.path + "/header";
    const std::uint64_t start = cursor.offset(), end = start + cursor.remaining();
    const std::string_view all = asText(cursor.all());
    if (all.starts_with(prototypeMagic)) {
        diagnostics.add(Code::UNSUPPORTED_VERSION, {.offset = start, .path = path}, "the prototype of September 2023");
        return false;
    }
    if (!all.starts_with(magic)) {
        diagnostics.add(all.empty() ? Code::EMPTY_FILE : Code::UNKNOWN_FORMAT, {.offset = start, .path = document.path});
        return false;
    }
    cursor.skip(magic.size());
    header.identifier = cursor.text();
    header.version = cursor.number<std::uint8_t>();
    if (!cursor.failed() && header.identifier != identifier) {
        diagnostics.add(Code::UNSUPPORTED_CONTENT, {.offset = start + magic.size(), .path = path}, repairUtf8(header.identifier));
        return false;
    }
    if (header.version > newest) {
        diagnostics.add(Code::UNSUPPORTED_VERSION, {.offset = cursor.offset() - 1, .path = path}, {"version {}", {header.version}});
        return false;
    }
    header.name = cursor.text();
    if (document.has(withAttributes)) header.path = cursor.text();
    header.isCompressed = cursor.number<std::uint8_t>() != 0;
    if (header.isCompressed) {
        header.compression = cursor.text();
        header.size = cursor.number<std::int32_t>();
        header.storedSize = cursor.number<std::int32_t>();
    }
    if (cursor.failed()) {
        reportCut(cursor, {.offset = end, .path = path}, diagnostics);
        return false;
    }
    document.offset = start;
    document.bodyOffset = cursor.offset();
    document.body = cursor.bytes(cursor.remaining());
    return true;
}

}  // namespace

bool readDocument(const Input& input, std::string_view identifier, Document& document, Diagnostics& diagnostics) {
    Cursor cursor(input.bytes, 0, input.source);
    if (!readHeader(cursor, identifier, document, diagnostics)) return false;
    if (document.header.isCompressed) return decompress(input, document, diagnostics);
    document.source = input.source;
    return true;
}

bool readEmbedded(Bytes bytes, std::uint64_t offset, std::string_view identifier, Document& document, Diagnostics& diagnostics) {
    Cursor cursor(bytes, offset);
    if (!readHeader(cursor, identifier, document, diagnostics)) return false;
    if (document.header.isCompressed)
        diagnostics.add(Code::UNSUPPORTED_COMPRESSION, {.offset = offset, .path = document.path}, "in an embedded file");
    return !document.header.isCompressed;
}

Vector<Part> readParts(Cursor& cursor, const Document& document, std::span<const std::string_view> known, std::string_view path,
                       Diagnostics& diagnostics) {
    Vector<Part> parts;
    const bool isSet = document.has(withAttributes);
    const std::uint64_t start = cursor.offset();
    std::size_t count = cursor.remaining();  // an upper limit, because every part has a size
    const std::size_t smallest = isSet ? 8 : 12;
    bool isWrong = false;
    if (isSet) {
        const auto declared = cursor.number<std::int32_t>();
        isWrong = declared < 0 || static_cast<std::size_t>(declared) > cursor.remaining() / smallest;
        if (cursor.failed())
            reportCut(cursor, {.offset = start, .path = path}, diagnostics);
        else if (isWrong)
            diagnostics.add(Code::BAD_COUNT, {.offset = start, .path = path}, {"{} attributes", {declared}});
        else
            count = static_cast<std::size_t>(declared);
    }
    StringTable names;
    for (std::size_t i = 0; i < count && (cursor.remaining() > 0 || (isSet && !isWrong)); ++i) {
        if (!Budget::affords(sizeof(Part) + path.size() + 64)) break;
        Part part;
        part.offset = cursor.offset();
        part.name = cursor.text();
        if (!isSet) part.count = cursor.number<std::int32_t>();
        const auto size = cursor.number<std::int32_t>();
        part.path = (path.empty() ? "" : std::string(path) + "/") + repairUtf8(part.name.substr(0, 64));
        if (cursor.failed()) {
            reportCut(cursor, {.offset = part.offset, .path = path}, diagnostics);
            break;
        }
        if (size < 0) {
            diagnostics.add(Code::BAD_CHUNK_SIZE, part.location(), {"{} bytes", {size}});
            break;
        }
        part.isCut = static_cast<std::size_t>(size) > cursor.remaining();
        if (part.isCut) diagnostics.add(Code::TRUNCATED, part.location(), {"{} of {} bytes", {cursor.remaining(), size}});
        part.payloadOffset = cursor.offset();
        part.payload = cursor.bytes(std::min<std::uint64_t>(static_cast<std::uint64_t>(size), cursor.remaining()));
        if (!names.add(part.name)) {
            diagnostics.add(Code::DUPLICATE_CHUNK, part.location());
        } else {
            part.isKnown = std::find(known.begin(), known.end(), part.name) != known.end();
            if (!part.isKnown) diagnostics.add(Code::UNKNOWN_CHUNK, part.location(), {"{} bytes", {part.payload.size()}});
        }
        parts.push_back(std::move(part));
    }
    if (isSet && path == document.path && !cursor.failed() && cursor.remaining() > 0 && !isWrong)
        diagnostics.add(Code::TRAILING_BYTES, {.offset = cursor.offset()}, {"{} bytes", {cursor.remaining()}});
    return parts;
}

const Part* find(const Vector<Part>& parts, std::string_view name) {
    for (const Part& part : parts)
        if (part.isKnown && part.name == name) return &part;
    return nullptr;
}

namespace {

/// Returns `declared` elements of a fixed size at the start of the payload, or fewer if it is
/// shorter.
Records recordsIn(Bytes payload, std::uint64_t offset, std::int32_t declared, std::size_t size, Code code, const Location& where,
                  Diagnostics& diagnostics) {
    const std::size_t whole = payload.size() / size;
    const std::size_t count = declared < 0 ? 0 : std::min(static_cast<std::size_t>(declared), whole);
    if (declared < 0 || static_cast<std::size_t>(declared) != count)
        diagnostics.add(declared < 0 ? Code::BAD_COUNT : code, where, {"{} declared, {} found", {declared, whole}});
    return {payload.first(count * size), size, offset};
}

}  // namespace

Records recordsOf(const Part& part, std::size_t size, const Document& document, Diagnostics& diagnostics) {
    Cursor cursor(part.payload, part.payloadOffset, document.source);
    const std::int32_t declared = part.count ? *part.count : cursor.number<std::int32_t>();
    const std::uint64_t offset = cursor.offset();
    const Bytes payload = cursor.bytes(cursor.remaining());
    if (part.isCut) return {payload, size, offset};  // the cut was already reported
    if (part.count && *part.count >= 0 && static_cast<std::uint64_t>(*part.count) * size < payload.size())
        diagnostics.add(Code::COUNT_REPAIRED, part.location(), {"{} elements, {} bytes", {*part.count, payload.size()}});
    return recordsIn(payload, offset, declared, size, part.count ? Code::COUNT_REPAIRED : Code::BAD_COUNT, part.location(), diagnostics);
}

Items::Items(const Part& part, const Document& document, Diagnostics& diagnostics)
    : Cursor(document.open(part)), part_(part), diagnostics_(diagnostics) {
    const std::int32_t declared = part.count ? *part.count : number<std::int32_t>();
    // Every element has at least a length of 4 bytes.
    const std::size_t most = remaining() / 4;
    if (declared < 0 || (!part.count && !part.isCut && static_cast<std::size_t>(declared) > most))
        diagnostics_.add(Code::BAD_COUNT, part.location(), {"{} elements in {} bytes", {declared, remaining()}});
    else
        count_ = static_cast<std::size_t>(declared);
    isReported_ = part.isCut;
}

bool Items::next() {
    if (failed() || index_ == count_) return false;
    if (remaining() == 0) {
        if (!isReported_) diagnostics_.add(Code::COUNT_REPAIRED, part_.location(), {"{} declared, {} found", {count_, index_}});
        return false;
    }
    start_ = offset();
    ++index_;
    return true;
}

bool Items::isComplete() {
    if (!failed()) return true;
    if (!isReported_) reportCut(*this, location(), diagnostics_);
    isReported_ = true;
    return false;
}

Records Items::records(std::size_t size) {
    const auto declared = number<std::int32_t>();
    if (failed()) return {};
    const std::uint64_t offset = this->offset();
    const Bytes rest = all().subspan(position());
    const bool fits = declared >= 0 && static_cast<std::size_t>(declared) <= rest.size() / size;
    if (isReported_ && !fits) {
        fail();
        return {};
    }
    const Records records = recordsIn(rest, offset, declared, size, Code::BAD_COUNT, location(), diagnostics_);
    skip(fits ? records.size() * size : rest.size());
    return records;
}

std::size_t Items::count(std::size_t smallest) {
    const auto declared = number<std::int32_t>();
    const std::size_t most = remaining() / smallest;
    if (failed() || (declared >= 0 && static_cast<std::size_t>(declared) <= most)) return static_cast<std::size_t>(declared);
    if (!isReported_) diagnostics_.add(Code::BAD_COUNT, location(), {"{} declared, at most {} fit", {declared, most}});
    isReported_ = true;
    fail();
    return 0;
}

std::string nameOf(std::string_view text, const Location& location, Diagnostics& diagnostics) {
    if (isValidUtf8(text)) return std::string(text);
    diagnostics.add(Code::NAME_DAMAGED, location, "not UTF-8, read as Windows-1252");
    return fromWindows1252(text);
}

std::string versionOf(const Document& document) { return formatted("{}", {document.header.version}); }

}  // namespace rigcast::ueformat
