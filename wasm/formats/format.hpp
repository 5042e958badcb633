// The plug-in struct. A format is a folder that offers one of these, and a line in registry.cpp.
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

/// Something from outside that JavaScript found or decrypted for this file (see Scene::references).
struct Supplied {
    std::string kind;
    std::string name;
    Bytes bytes;
};

struct Input {
    Bytes bytes;                     // of which nothing is there yet where there is a source
    std::string_view name;           // of the file, with extension; may be empty
    const Value* options = nullptr;  // the whole `formatOptions` object; a format looks at its own member
    std::span<const Supplied> supplied;
    bool tangents = false;  // whether meshes shall get tangents (made by openScene)
    Source* source =
        nullptr;  // brings `bytes`, which stay where they are: what is long to make and sound may be left for later (Arena::defer)
    bool carefully = false;  // reads Cast curves one by one instead of in runs, for tests: the result is the same

    /// Bytes of the file and of what was supplied for it.
    std::uint64_t size() const {
        std::uint64_t sum = bytes.size();
        for (const Supplied& file : supplied) sum += file.bytes.size();
        return sum;
    }
    /// The companion of that kind: the last one, since a second one replaces the first. nullptr if none was supplied.
    const Supplied* find(std::string_view kind) const {
        const Supplied* found = nullptr;
        for (const Supplied& file : supplied)
            if (file.kind == kind) found = &file;
        return found;
    }
    /// An option: member `key` of `formatOptions[format]`, nullptr where it is not given.
    const Value* option(std::string_view format, std::string_view key) const {
        const Value* own = options ? options->find(format) : nullptr;
        return own ? own->find(key) : nullptr;
    }
};

/// How sure a format is of bytes it has not read yet.
enum class Match : std::uint8_t { no, maybe, yes };

/// What a file is for. rig: a model, motions, or both; world: places other files; companion: belongs to a file of another role.
enum class Role : std::uint8_t { unknown, model, motion, rig, world, companion };

/// A file of which only pieces are there, the first of them its start.
class Pieces {
public:
    struct Piece {
        std::uint64_t offset;
        Bytes bytes;
    };

    explicit Pieces(std::span<const Piece> pieces) : pieces_(pieces) {}

    /// `count` bytes at `offset`. Empty where no piece holds them all: `wanted` is their offset then, unless a piece that begins there shows that the
    /// file ends before.
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

    std::uint64_t wanted = 0;  // 0: nothing was missed

private:
    std::span<const Piece> pieces_;
};

struct ReadResult {
    bool hasScene = false;  // false: nothing that could be shown; the report says why
    std::string version;    // of the format, as the file says
};

struct OutlineResult {
    std::string version;                // of the format, as the file says
    Vector<Reference> references = {};  // without which the outline has holes: a key, decrypted bytes, a resource
};

/// How files of a format are recognised. Every module contains all of these, so they stay small: the readers are linked by family (registry.cpp).
struct Format {
    std::string_view id;                           // "psk"; what the report and an explicit choice call it
    std::string_view family;                       // "unreal": its formats are linked into one module (CMakeLists.txt)
    std::string_view name;                         // "PSK"; short, for lists
    std::string_view label;                        // "Unreal ActorX mesh"
    std::span<const std::string_view> extensions;  // lower case, without dot
    /// By content: `head` is the start of the file (all of it where it is short), `size` the whole length.
    Match (*sniff)(Bytes head, std::uint64_t size);
    /// By headers alone; also asked of files that only their extension makes this format's. What is answered where something was missed counts
    /// if the file cannot give it.
    Role (*role)(Pieces& pieces);
    /// Extensions of companion files other than images: a key, a script, texture names. As `extensions`.
    std::span<const std::string_view> companions = {};
    /// True if an index pays off for a file with this start. Null: always, if the reader has an index.
    bool (*isWorthIndex)(Bytes head) = nullptr;
    // The rest is for TypeScript (web/src/core/formatTable.ts).
    /// Those of `extensions` that other programs use for anything: they say nothing about a file.
    std::span<const std::string_view> sharedExtensions = {};
    /// True if exporters disagree on how the rotation of the root bone is stored.
    bool isRootAmbiguous = false;
    /// True if a scene has the coordinates of its file, and node 0 places them in scene space.
    bool keepsFileSpace = false;
};

/// Reads files of a format.
struct FormatReader {
    /// Fills a scene that has nodes[0]. Never throws; stops early when arena.exhausted().
    ReadResult (*read)(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);
    /// The contents of the file as a tree. Lists what precedes a damaged place.
    OutlineResult (*outline)(const Input& input, Outline& outline, Diagnostics& diagnostics);
    /// Brings the bytes that `read` needs in place, except those that it reads through windows. Null: the whole file is brought.
    void (*index)(Source& source, Bytes bytes) = nullptr;
    /// Decodes a column that `read` deferred, from the file and the recipe alone. Its values were checked before, so there is nothing to report.
    void (*make)(Source& source, Bytes recipe, std::span<float> to) = nullptr;
};

}  // namespace rigcast
