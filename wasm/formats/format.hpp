// Interface of a format. A format is a folder with a Format and a FormatReader, and a line in
// registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/outline.hpp"
#include "core/source.hpp"
#include "core/value.hpp"
#include "core/vector.hpp"
#include "scene/scene.hpp"

namespace rigcast {

/// A companion file, or bytes that JavaScript has decrypted (see Scene::references).
struct Supplied {
    std::string kind;
    std::string name;
    Bytes bytes;
};

struct Input {
    Bytes bytes;                     // the file; uninitialized if there is a source
    std::string_view name;           // file name with extension; may be empty
    const Value* options = nullptr;  // `formatOptions`; a format reads the member with its id
    std::span<const Supplied> supplied;
    bool tangents = false;  // adds tangents to meshes (in openScene)
    // If not null, the source of the file. Readers load ranges into `bytes` or read windows, and
    // may defer columns that are slow to decode and have no damage (Arena::defer).
    Source* source = nullptr;

    /// Returns the total bytes of the file and its companion files.
    std::uint64_t size() const {
        std::uint64_t sum = bytes.size();
        for (const Supplied& file : supplied) sum += file.bytes.size();
        return sum;
    }
    /// Returns the last companion file of a kind, because later files replace earlier ones. nullptr
    /// if there is none.
    const Supplied* find(std::string_view kind) const {
        const Supplied* found = nullptr;
        for (const Supplied& file : supplied)
            if (file.kind == kind) found = &file;
        return found;
    }
    /// Returns member `key` of `formatOptions[format]`, or nullptr.
    const Value* option(std::string_view format, std::string_view key) const {
        const Value* own = options ? options->find(format) : nullptr;
        return own ? own->find(key) : nullptr;
    }
};

/// How certainly a file has a format, judged by its start.
enum class Match : std::uint8_t { no, maybe, yes };

/// Purpose of a file. rig: a model, animations, or both. world: references other files. companion:
/// belongs to a file of another role.
enum class Role : std::uint8_t { unknown, model, motion, rig, world, companion };

/// Some ranges of a file that is not completely in memory. The first piece is the start of the
/// file.
class Pieces {
public:
    struct Piece {
        std::uint64_t offset;
        Bytes bytes;
    };

    explicit Pieces(std::span<const Piece> pieces) : pieces_(pieces) {}

    /// Returns `count` bytes at `offset`. If no piece contains all of them, returns none and sets
    /// `wanted` to `offset`, or to 0 if a piece shows that the file ends earlier.
    Bytes at(std::uint64_t offset, std::size_t count) {
        bool isEnd = false;
        for (const Piece& piece : pieces_) {
            if (offset >= piece.offset && piece.bytes.size() >= count && offset - piece.offset <= piece.bytes.size() - count)
                return piece.bytes.subspan(static_cast<std::size_t>(offset - piece.offset), count);
            isEnd |= offset == piece.offset;
        }
        wanted = isEnd ? 0 : offset;
        return {};
    }
    Bytes head() const { return pieces_.empty() ? Bytes{} : pieces_[0].bytes; }

    std::uint64_t wanted = 0;  // offset of missing bytes; 0: none were missing

private:
    std::span<const Piece> pieces_;
};

struct ReadResult {
    bool hasScene = false;  // false: there is nothing to show; the report explains why
    std::string version;    // format version of the file
};

struct OutlineResult {
    std::string version;                // format version of the file
    Vector<Reference> references = {};  // companion files without which the outline is incomplete
};

/// Describes a format and identifies its files. Every module contains the Format of all formats, so
/// `sniff` and `role` must be small. Readers are linked by family (registry.cpp).
struct Format {
    std::string_view id;  // "psk"; for reports and explicit choices
    // "unreal"; the formats of a family share a module (CMakeLists.txt)
    std::string_view family;
    std::string_view name;                         // "PSK"; for lists
    std::string_view label;                        // "Unreal ActorX mesh"
    std::span<const std::string_view> extensions;  // lower case, without a dot
    /// Matches the content. `head` is the start of the file, or all of a short file. `size` is the
    /// size of the file.
    Match (*sniff)(Bytes head, std::uint64_t size);
    /// Determines the role from headers only. Also called for files that match only by extension.
    /// If `pieces.wanted` is set afterwards, the role is certain only with those bytes.
    Role (*role)(Pieces& pieces);
    /// Extensions of companion files except images (a key, a script, texture names). Spelled like
    /// `extensions`.
    std::span<const std::string_view> companions = {};
    /// Returns true if a file with this start should be read through `index`. nullptr: always.
    bool (*isWorthIndex)(Bytes head) = nullptr;
    // Fields from here on are for TypeScript (web/src/core/formatTable.ts).
    // Extensions that unrelated programs also use, so they do not identify the format.
    std::span<const std::string_view> sharedExtensions = {};
    /// True if exporters disagree about the rotation of the root bone.
    bool isRootAmbiguous = false;
    /// True if the scene keeps the coordinates of the file and node 0 converts them to scene space.
    bool keepsFileSpace = false;
};

/// Reads files of a format.
struct FormatReader {
    /// Fills a scene that contains nodes[0]. Never throws. Stops early if arena.exhausted().
    ReadResult (*read)(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);
    /// Fills the outline with the content of the file, up to the first damage.
    OutlineResult (*outline)(const Input& input, Outline& outline, Diagnostics& diagnostics);
    /// Loads the ranges of the file that `read` needs in memory; it reads all others through
    /// windows. nullptr: the whole file is loaded.
    void (*index)(Source& source, Bytes bytes) = nullptr;
    /// Decodes a column that `read` has deferred, from the file and the decode parameters alone.
    /// Reports nothing, because `read` has checked the values.
    void (*decode)(Source& source, Bytes parameters, std::span<float> to) = nullptr;
};

}  // namespace rigcast
