// The container of UEFormat files: the header, and named parts that contain other parts or arrays
// (docs/formats/ueformat.md sections 1 and 2).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostics.hpp"
#include "core/math.hpp"
#include "core/reader.hpp"
#include "core/source.hpp"
#include "core/vector.hpp"
#include "formats/format.hpp"

namespace rigcast::ueformat {

inline constexpr std::string_view magic = "UEFORMAT", prototypeMagic = "UNREALFORMAT";
inline constexpr std::string_view modelIdentifier = "UEMODEL", animIdentifier = "UEANIM", poseIdentifier = "UEPOSE",
                                  worldIdentifier = "UEWORLD";

/// File versions with a change of the layout. Later versions include the changes of earlier ones.
enum Version : std::uint8_t {
    withBinormalSign = 1,
    withColorSets = 2,
    withNesting = 4,
    withMaterialPaths = 6,
    withMetadata = 7,
    withEngineSpace = 8,  // raw engine space; earlier versions mirror Y and flip V
    withAttributes = 10,  // attribute sets instead of chunks
    newest = 10,
};

/// Reads values in order. After a failure every read returns zeros or empty texts. If the file is
/// outside the heap, loads the bytes that it reads.
class Cursor : public Reader {
public:
    /// `source`: null if the bytes are in memory. Otherwise `base` must be their offset in the file.
    Cursor(Bytes bytes, std::uint64_t base, Source* source = nullptr) : Reader(bytes, base), source_(source) {}

    Source* source() const { return source_; }

    template <class T>
    T number() {
        load(sizeof(T));
        return read<T>();
    }
    /// Reads a string with its length, without trailing NULs. The result is not checked for UTF-8.
    std::string_view text();
    Vec3 vec3();
    Quat quat();
    /// Returns true if a string has a negative length or continues beyond the end.
    bool hasBadText() const { return hasBadText_; }

private:
    void load(std::size_t count) {
        if (source_ && count <= remaining()) source_->load(static_cast<std::size_t>(offset()), count);
    }

    Source* source_;
    bool hasBadText_ = false;
};

struct Header {
    std::string_view identifier, name, path;  // path: empty before version 10
    std::uint8_t version = 0;
    bool isCompressed = false;
    std::string_view compression;  // empty if the body is not compressed
    std::int32_t size = 0;         // of the decompressed body in bytes, as declared
    std::int32_t storedSize = 0;   // of the compressed body in bytes, as declared
};

/// A chunk (versions 0 to 9) or an attribute (version 10): a name with a payload.
struct Part {
    std::string_view name;
    std::string path;                   // path in the outline, such as LODS/LOD0/VERTICES
    std::uint64_t offset = 0;           // offset of the part
    std::uint64_t payloadOffset = 0;    // offset of the payload
    Bytes payload;                      // not loaded if the file is outside the heap
    std::optional<std::int32_t> count;  // number of elements, if it is stored outside of the payload
    bool isKnown = false;
    bool isCut = false;  // true: the payload ends early

    Location location() const { return {.offset = offset, .path = path}; }
};

/// A file whose header was read. Offsets in the body of a compressed file continue after the header
/// as if the body were not compressed.
struct Document {
    Header header;
    Bytes body;  // decompressed
    std::uint64_t offset = 0, bodyOffset = 0;
    Source* source = nullptr;  // null if the body is in memory
    Vector<Reference> references;
    std::string path;  // path in the outline of the file that contains this one; otherwise empty

    bool has(Version version) const { return header.version >= version; }
    Cursor root() const { return {body, bodyOffset, source}; }
    /// Loads the payload of a part and returns a cursor at its start.
    Cursor open(const Part& part) const;
};

/// Reads the header. A compressed body is requested from JavaScript by a reference of the kind
/// `decompress`. Returns false if there is no body to read: the file is damaged or unsupported, or
/// the body was not yet supplied.
bool readDocument(const Input& input, std::string_view identifier, Document& document, Diagnostics& diagnostics);

/// Reads the header of a file that is embedded in another file. `offset`: offset of its first byte.
/// Compressed embedded files are reported as unsupported. Returns false if there is no body.
bool readEmbedded(Bytes bytes, std::uint64_t offset, std::string_view identifier, Document& document, Diagnostics& diagnostics);

/// Reads the parts from the cursor up to its end (versions 0 to 9), or a set of attributes (version
/// 10). Names that are not in `known`, duplicates and damage are reported. `path`: prefix of the
/// paths.
Vector<Part> readParts(Cursor& cursor, const Document& document, std::span<const std::string_view> known, std::string_view path,
                       Diagnostics& diagnostics);

/// Returns the first known part with this name that is in the list, or nullptr.
const Part* find(const Vector<Part>& parts, std::string_view name);

/// Returns the elements of an array whose elements have a fixed size. The elements are not loaded.
Records recordsOf(const Part& part, std::size_t size, const Document& document, Diagnostics& diagnostics);

/// Iterates over an array whose elements vary in size:
///   for (Items items(part, document, diagnostics); items.next();) { …; if (!items.isComplete()) break; }
class Items : public Cursor {
public:
    Items(const Part& part, const Document& document, Diagnostics& diagnostics);
    /// Returns true if there is another element. Reports a count that is too high.
    bool next();
    /// Returns true if the element was read completely. Otherwise reports the damage; the element
    /// must then not be used.
    bool isComplete();
    /// Reads an array of elements of a fixed size, with its count.
    Records records(std::size_t size);
    /// Reads the count of an array whose elements have at least `smallest` bytes. If the count is
    /// negative or does not fit, reports it and fails.
    std::size_t count(std::size_t smallest);
    std::size_t index() const { return index_ - 1; }
    Location location() const { return {.offset = start_, .path = part_.path}; }

private:
    const Part& part_;
    Diagnostics& diagnostics_;
    std::uint64_t start_ = 0;  // offset of the current element
    std::size_t count_ = 0, index_ = 0;
    bool isReported_ = false;
};

/// Returns a text as UTF-8. Reports NAME_DAMAGED if it is not valid UTF-8.
std::string nameOf(std::string_view text, const Location& location, Diagnostics& diagnostics);

std::string versionOf(const Document& document);

}  // namespace rigcast::ueformat
