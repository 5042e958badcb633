// The one list of formats, and the way from bytes to a finished scene that all of them share.
#pragma once

#include <span>
#include <string_view>

#include "core/vector.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// A format and its reader. The reader is null in a module that was linked for another family.
struct FormatEntry {
    const Format* format;
    const FormatReader* reader;
};

using FormatList = std::span<const FormatEntry>;

FormatList allFormats();

/// An explicit choice (`forced`, a format id) wins, then content, then the extension of `name`. A mismatch of name and content is
/// reported (info); for an unknown file the finding lists what was tried, and the result is nullptr.
const FormatEntry* chooseFormat(Bytes bytes, std::string_view name, std::string_view forced, Diagnostics& diagnostics,
                                FormatList formats = allFormats());

/// The same, reporting nothing, by the start of a file of `size` bytes.
const FormatEntry* knownFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                               FormatList formats = allFormats());

/// The format of a file, by its start, where that is one with an index; nullptr else.
const FormatEntry* indexedFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                                 FormatList formats = allFormats());

struct Probe {
    const Format* format = nullptr;  // by content, else by the extension of `name`
    Role role = Role::unknown;
};

/// What a file of `size` bytes is for, without reading it. Ask again with more where `pieces.wanted`: to ask takes no memory.
Probe probe(Pieces& pieces, std::uint64_t size, std::string_view name, FormatList formats = allFormats());

std::string_view nameOf(Role role);

struct OpenResult {
    const Format* format = nullptr;
    const FormatReader* reader = nullptr;
    std::string version;
    bool hasScene = false;
    Vector<Reference> references = {};  // of an outline; a scene has its own
};

/// Chooses a format, reads and runs the shared passes. What comes out keeps the contract of scene/validate.hpp: every test and every fuzz
/// run holds it against that.
OpenResult openScene(const Input& input, std::string_view forced, Scene& scene, Arena& arena, Diagnostics& diagnostics,
                     FormatList formats = allFormats());

OpenResult openOutline(const Input& input, std::string_view forced, Outline& outline, Diagnostics& diagnostics,
                       FormatList formats = allFormats());

}  // namespace rigcast
