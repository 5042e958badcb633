// Lists the formats, chooses the format of a file, reads the file and completes the scene.
#pragma once

#include <span>
#include <string_view>

#include "core/vector.hpp"
#include "formats/format.hpp"

namespace rigcast {

/// A format and its reader. The reader is nullptr in modules of other families.
struct FormatEntry {
    const Format* format;
    const FormatReader* reader;
};

using FormatList = std::span<const FormatEntry>;

FormatList allFormats();

/// Chooses the format of a file: by an explicit choice (`forced`, a format id), otherwise by the
/// content, otherwise by the extension of `name`. Reports a finding if name and content indicate
/// different formats. If the format is unknown, reports a finding and returns nullptr.
const FormatEntry* chooseFormat(Bytes bytes, std::string_view name, std::string_view forced, Diagnostics& diagnostics,
                                FormatList formats = allFormats());

/// Chooses the format from the start of a file of `size` bytes. Reports nothing.
const FormatEntry* knownFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                               FormatList formats = allFormats());

/// Returns the format of a file that starts with `head`, or nullptr if the file should not be read
/// with `index`.
const FormatEntry* indexedFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced,
                                 FormatList formats = allFormats());

struct Probe {
    const Format* format = nullptr;  // chosen by content, otherwise by extension
    Role role = Role::unknown;
};

/// Determines format and role of a file of `size` bytes. If `pieces.wanted` is set afterwards, the
/// caller should call this function again with the bytes at that offset. Allocates no memory.
Probe probe(Pieces& pieces, std::uint64_t size, std::string_view name, FormatList formats = allFormats());

std::string_view nameOf(Role role);

struct OpenResult {
    const Format* format = nullptr;
    const FormatReader* reader = nullptr;
    std::string version;
    bool hasScene = false;
    Vector<Reference> references = {};  // only for outlines; a scene has its own list
};

/// Chooses the format, reads the scene, and applies the steps that all formats share. The result
/// passes `validateScene`, which every test and fuzz run checks.
OpenResult openScene(const Input& input, std::string_view forced, Scene& scene, Arena& arena, Diagnostics& diagnostics,
                     FormatList formats = allFormats());

OpenResult openOutline(const Input& input, std::string_view forced, Outline& outline, Diagnostics& diagnostics,
                       FormatList formats = allFormats());

}  // namespace rigcast
