// The list of formats, and the steps from bytes to a finished scene that they share.
#pragma once

#include <span>
#include <string_view>

#include "core/vector.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// A format and its reader. The reader is null in modules of other families.
struct FormatEntry {
    const Format* format;
    const FormatReader* reader;
};

using FormatList = std::span<const FormatEntry>;

FormatList allFormats();

/// Chooses a format: an explicit choice (`forced`, a format id) wins, then the content, then the
/// extension of `name`. Reports a mismatch of name and content (info). If the format is unknown,
/// reports it and returns nullptr.
const FormatEntry* chooseFormat(Bytes bytes, std::string_view name, std::string_view forced, Diagnostics& diagnostics,
                                FormatList formats = allFormats());

/// Same from the start of a file of `size` bytes, without findings.
const FormatEntry* knownFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                               FormatList formats = allFormats());

/// Returns the format if it has an index that is worth using for this start. nullptr otherwise.
const FormatEntry* indexedFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                                 FormatList formats = allFormats());

struct Probe {
    const Format* format = nullptr;  // by content, otherwise by the extension of `name`
    Role role = Role::unknown;
};

/// Determines the role of a file of `size` bytes without reading it. If `pieces.wanted` is set,
/// call again with those bytes too. Allocates no memory.
Probe probe(Pieces& pieces, std::uint64_t size, std::string_view name, FormatList formats = allFormats());

std::string_view nameOf(Role role);

struct OpenResult {
    const Format* format = nullptr;
    const FormatReader* reader = nullptr;
    std::string version;
    bool hasScene = false;
    Vector<Reference> references = {};  // of an outline; a scene has its own
};

/// Chooses a format, reads the scene and runs the shared passes. The result satisfies
/// scene/validate.hpp, which every test and fuzz run checks.
OpenResult openScene(const Input& input, std::string_view forced, Scene& scene, Arena& arena, Diagnostics& diagnostics,
                     FormatList formats = allFormats());

OpenResult openOutline(const Input& input, std::string_view forced, Outline& outline, Diagnostics& diagnostics,
                       FormatList formats = allFormats());

}  // namespace rigcast
