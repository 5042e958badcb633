// The plug-in struct. A format is a folder that offers one of these, and a line in registry.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/diagnostics.hpp"
#include "core/outline.hpp"
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
    Bytes bytes;
    std::string_view name;           // of the file, with extension; may be empty
    const Value* options = nullptr;  // the whole `formatOptions` object; a format looks at its own member
    std::span<const Supplied> supplied;
    bool tangents = false;  // whether meshes shall get tangents (made by openScene)

    /// Bytes of the file and of what was supplied for it.
    std::uint64_t size() const {
        std::uint64_t sum = bytes.size();
        for (const Supplied& file : supplied) sum += file.bytes.size();
        return sum;
    }
    /// An option: member `key` of `formatOptions[format]`, nullptr where it is not given.
    const Value* option(std::string_view format, std::string_view key) const {
        const Value* own = options ? options->find(format) : nullptr;
        return own ? own->find(key) : nullptr;
    }
};

/// How sure a format is of bytes it has not read yet.
enum class Match : std::uint8_t { no, maybe, yes };

struct ReadResult {
    bool hasScene = false;  // false: nothing that could be shown; the report says why
    std::string version;    // of the format, as the file says
};

struct OutlineResult {
    std::string version;                // of the format, as the file says
    Vector<Reference> references = {};  // without which the outline has holes: a key, decrypted bytes, a resource
};

struct Format {
    std::string_view id;                           // "psk"; what the report and an explicit choice call it
    std::string_view label;                        // "Unreal ActorX mesh"
    std::span<const std::string_view> extensions;  // lower case, without dot
    /// By content: `head` is the start of the file (all of it where it is short), `size` the whole length.
    Match (*sniff)(Bytes head, std::uint64_t size);
    /// Fills a scene that has nodes[0]. Never throws; stops early when arena.exhausted().
    ReadResult (*read)(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics);
    /// What the file says, as a tree. Lists what lies before a damage.
    OutlineResult (*outline)(const Input& input, Outline& outline, Diagnostics& diagnostics);
};

}  // namespace rigcast
