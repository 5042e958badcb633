// The interface that every file format implements. Each format has a folder with a Format and a
// FormatReader, and an entry in registry.cpp.
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

/// A companion file, or bytes that JavaScript has decrypted or decompressed (see `Scene::references`).
struct Supplied {
    std::string kind;
    std::string name;
    Bytes bytes;
};

/// Values of `Input::clip`, besides the index of a clip.
inline constexpr std::uint32_t everyClip = 0xFFFFFFFF, noClip = 0xFFFFFFFE;

struct Input {
    Bytes bytes;                     // content of the file; uninitialized if there is a source
    std::string_view name;           // file name with extension, or empty
    const Value* options = nullptr;  // `formatOptions`; each format reads the member that is named after its id
    std::span<const Supplied> supplied;
    bool tangents = false;  // true: openScene adds tangents to meshes
    // Source of the file, or nullptr if `bytes` contains it. With a source, readers load ranges
    // into `bytes` or read windows, and may defer undamaged columns that are slow to decode
    // (Arena::defer).
    Source* source = nullptr;
    // Clip whose keys are read. everyClip: the scene contains all clips. noClip: the scene contains
    // all clips, but no keys (Clip::keysUnread). An index: the scene contains only this clip. Formats
    // whose FormatReader::canReadClip is false read everything.
    std::uint32_t clip = everyClip;

    /// Returns the total size of the file and its companion files in bytes.
    std::uint64_t size() const {
        std::uint64_t sum = bytes.size();
        for (const Supplied& file : supplied) sum += file.bytes.size();
        return sum;
    }
    /// Returns the companion file of a kind, or nullptr if there is none. If there are several,
    /// returns the last one, because later files replace earlier ones.
    const Supplied* find(std::string_view kind) const {
        const Supplied* found = nullptr;
        for (const Supplied& file : supplied)
            if (file.kind == kind) found = &file;
        return found;
    }
    /// Returns the member `key` of `formatOptions[format]`, or nullptr if it does not exist.
    const Value* option(std::string_view format, std::string_view key) const {
        const Value* own = options ? options->find(format) : nullptr;
        return own ? own->find(key) : nullptr;
    }
};

/// Probability that a file has a certain format, based on its first bytes.
enum class Match : std::uint8_t { no, maybe, yes };

/// Purpose of a file. rig: contains a model, animations, or both. scene: refers to other files.
/// companion: belongs to a file with another role.
enum class Role : std::uint8_t { unknown, model, animation, rig, scene, companion };

/// Ranges of a file that is not completely in memory. The first range is the start of the file.
class Pieces {
public:
    struct Piece {
        std::uint64_t offset;
        Bytes bytes;
    };

    explicit Pieces(std::span<const Piece> pieces) : pieces_(pieces) {}

    /// Returns `count` bytes at `offset`. If no range contains all of them, returns an empty span
    /// and sets `wanted` to `offset`, or to 0 if a range shows that the file ends earlier.
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

    std::uint64_t wanted = 0;  // offset of the missing bytes, or 0

private:
    std::span<const Piece> pieces_;
};

struct ReadResult {
    bool hasScene = false;  // false: the file contains nothing to show; the report explains why
    std::string version;    // format version of the file
};

struct OutlineResult {
    std::string version;                // format version of the file
    Vector<Reference> references = {};  // companion files that the outline needs to be complete
};

/// Describes a format and identifies its files. Every WebAssembly module contains the Format of
/// every format, so `sniff` and `role` must be small, but only the readers of its own family
/// (registry.cpp).
struct Format {
    std::string_view id;  // such as "psk"; used in reports and options
    // Family, such as "unreal". The formats of a family share a module (CMakeLists.txt).
    std::string_view family;
    std::string_view name;                         // such as "PSK"; shown in lists
    std::string_view label;                        // such as "Unreal ActorX mesh"
    std::span<const std::string_view> extensions;  // lower case, without a dot
    /// Determines whether a file has the format. `head`: start of the file, or the complete file if
    /// it is short. `size`: size of the file in bytes.
    Match (*sniff)(Bytes head, std::uint64_t size);
    /// Determines the role of a file from headers only. Also called for files that match only by
    /// extension. If `pieces.wanted` is set afterwards, the result is uncertain without the bytes
    /// at that offset.
    Role (*role)(Pieces& pieces);
    /// Extensions of companion files that are not images (such as keys, scripts and texture lists),
    /// in the same form as `extensions`.
    std::span<const std::string_view> companions = {};
    /// Returns true if a file that starts with `head` should be read with `index`. nullptr means
    /// that all files should be.
    bool (*isWorthIndex)(Bytes head) = nullptr;

    // ---- The fields below are used only by TypeScript (web/src/core/formatTable.ts).

    // Extensions that do not identify the format, because unrelated programs also use them.
    std::span<const std::string_view> sharedExtensions = {};
    /// True if exporters disagree about the rotation of the root bone.
    bool isRootAmbiguous = false;
    /// True if the scene contains the coordinates as stored in the file, and node 0 converts them
    /// to scene space.
    bool keepsFileSpace = false;
};

/// Functions that read files of a format.
struct FormatReader {
    /// Adds the content of the file to a scene that contains only nodes[0]. Never throws. Stops
    /// early if arena.exhausted().
    ReadResult (*read)(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);
    /// Adds the content of the file to the outline, up to the first damage.
    OutlineResult (*outline)(const Input& input, Outline& outline, Diagnostics& diagnostics);
    /// Loads the ranges of the file that `read` needs in memory; `read` reads all others in
    /// windows. nullptr means that the entire file is loaded.
    void (*index)(Source& source, Bytes bytes) = nullptr;
    /// Decodes a column that `read` has deferred, using only the file and the decode parameters.
    /// Reports no findings, because `read` has already checked the values.
    void (*decode)(Source& source, Bytes parameters, std::span<float> to) = nullptr;
    /// True if `read` supports `Input::clip`: the file lists its clips at few places, and the keys of
    /// a clip are in one or two ranges.
    bool canReadClip = false;
};

}  // namespace rigcast
