#include "formats/registry.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/cast/cast.hpp"
#include "formats/foreign.hpp"
#include "formats/mrtk/mrtk.hpp"
#include "formats/se/se.hpp"
#include "formats/ueformat/ueformat.hpp"
#include "formats/unreal/unreal.hpp"
#include "formats/vgo/vgo.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

#ifdef RIGCAST_FAMILY
/// Returns true if this module contains the readers of a family. Code that depends on this function
/// does not refer to readers of other families, so that the linker omits them.
constexpr bool isLinked(std::string_view family) { return family == RIGCAST_FAMILY; }
#else
constexpr bool isLinked(std::string_view) { return true; }
#endif

template <const FormatReader& reader>
constexpr const FormatReader* linked(std::string_view family) {
    return isLinked(family) ? &reader : nullptr;
}

/// All formats. If several formats match a file equally well, the first one is used.
constexpr auto all = std::to_array<FormatEntry>({
    {&castFormat, linked<castReader>("cast")},
    {&mprtFormat, linked<mprtReader>("cast")},
    {&pskFormat, linked<pskReader>("unreal")},
    {&psaFormat, linked<psaReader>("unreal")},
    {&mrtkFormat, linked<mrtkReader>("mrtk")},
    {&vgoFormat, linked<vgoReader>("vgo")},
    {&seModelFormat, linked<seModelReader>("se")},
    {&seAnimFormat, linked<seAnimReader>("se")},
    {&ueModelFormat, linked<ueModelReader>("ueformat")},
    {&ueAnimFormat, linked<ueAnimReader>("ueformat")},
    {&uePoseFormat, linked<uePoseReader>("ueformat")},
    {&ueWorldFormat, linked<ueWorldReader>("ueformat")},
});

/// Number of bytes at the start of a file that `sniff` receives.
constexpr std::size_t sniffedBytes = 4096;

std::string_view extensionOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1);
}

bool isIn(std::span<const std::string_view> list, std::string_view extension) {
    return std::find(list.begin(), list.end(), extension) != list.end();
}

bool hasExtension(const Format& format, std::string_view extension) { return isIn(format.extensions, extension); }

std::string stemOf(std::string_view name) {
    const std::size_t slash = name.find_last_of("/\\");
    if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
    return repairUtf8(name.substr(0, name.rfind('.')));
}

/// Returns the format that matches best, or nullptr if none matches. If several match equally well,
/// the extension decides.
const FormatEntry* byContent(FormatList formats, Bytes head, std::uint64_t size, std::string_view extension) {
    const FormatEntry* chosen = nullptr;
    Match best = Match::no;
    for (const FormatEntry& entry : formats) {
        const Match match = entry.format->sniff(head, size);
        const bool better = match > best || (match == best && match != Match::no && chosen && !hasExtension(*chosen->format, extension) &&
                                             hasExtension(*entry.format, extension));
        if (better) {
            chosen = &entry;
            best = match;
        }
    }
    return chosen;
}

/// Loads the ranges of the file that its reader needs in memory. If the format is unknown, loads
/// the entire file, so that `reportForeign` can identify it.
void loadForReader(const Input& input, std::string_view forced, FormatList formats) {
    Source& source = *input.source;
    const Bytes head = input.bytes.first(std::min(input.bytes.size(), sniffedBytes));
    source.load(0, head.size());
    if (const FormatEntry* entry = indexedFormat(head, input.bytes.size(), input.name, forced, formats))
        entry->reader->index(source, input.bytes);
    else
        source.load(0, input.bytes.size());
}

}  // namespace

FormatList allFormats() { return all; }

const FormatEntry* knownFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced, FormatList formats) {
    if (forced.empty()) return byContent(formats, head.first(std::min(head.size(), sniffedBytes)), size, lowerAscii(extensionOf(name)));
    for (const FormatEntry& entry : formats)
        if (entry.format->id == forced) return &entry;
    return nullptr;
}

const FormatEntry* indexedFormat(Bytes head, std::uint64_t size, std::string_view name, std::string_view forced, FormatList formats) {
    const FormatEntry* own = knownFormat(head, size, name, {}, formats);
    if (!own || !own->reader || !own->reader->index || (own->format->isWorthIndex && !own->format->isWorthIndex(head))) return nullptr;
    return forced.empty() || forced == own->format->id ? own : nullptr;
}

Probe probe(Pieces& pieces, std::uint64_t size, std::string_view name, FormatList formats) {
    const std::string extension = lowerAscii(extensionOf(name));
    for (const FormatEntry& entry : formats)
        if (isIn(entry.format->companions, extension)) return {nullptr, Role::companion};
    const Bytes head = pieces.head();
    const FormatEntry* found = byContent(formats, head.first(std::min(head.size(), sniffedBytes)), size, extension);
    const Format* format = found ? found->format : nullptr;
    for (const FormatEntry& entry : formats)
        if (!format && hasExtension(*entry.format, extension)) format = entry.format;
    return {format, format ? format->role(pieces) : Role::unknown};
}

std::string_view nameOf(Role role) {
    constexpr std::string_view names[] = {"unknown", "model", "animation", "rig", "scene", "companion"};
    return names[static_cast<std::size_t>(role)];
}

const FormatEntry* chooseFormat(Bytes bytes, std::string_view name, std::string_view forced, Diagnostics& diagnostics, FormatList formats) {
    const FormatEntry* chosen = knownFormat(bytes, bytes.size(), name, forced, formats);
    if (!forced.empty()) {
        if (!chosen) diagnostics.add(Code::UNKNOWN_FORMAT, {}, {"unknown format \"{}\"", {forced}});
        return chosen;
    }
    const std::string extension = lowerAscii(extensionOf(name));
    if (!chosen) {
        if (reportForeign(bytes, diagnostics)) return nullptr;
        std::string tried;
        for (const FormatEntry& entry : formats) {
            if (!tried.empty()) tried += ", ";
            tried += entry.format->label;
        }
        diagnostics.add(Code::UNKNOWN_FORMAT, {.offset = 0}, "supported formats: " + tried);
        return nullptr;
    }
    if (!extension.empty() && !hasExtension(*chosen->format, extension)) {
        for (const FormatEntry& entry : formats)
            if (hasExtension(*entry.format, extension))
                diagnostics.add(Code::FORMAT_MISMATCH, {.offset = 0}, {"named .{}, content is {}", {extension, chosen->format->label}});
    }
    return chosen;
}

OpenResult openScene(const Input& input, std::string_view forced, Scene& scene, Arena& arena, Diagnostics& diagnostics,
                     FormatList formats) {
    OpenResult result;
    if (input.source) loadForReader(input, forced, formats);
    const FormatEntry* chosen = chooseFormat(input.bytes, input.name, forced, diagnostics, formats);
    if (!chosen) return result;
    if (!chosen->reader) __builtin_trap();  // unreachable: JavaScript calls `plan` first
    result.format = chosen->format;
    result.reader = chosen->reader;
    scene.strings.intern("");
    scene.asset.name = stemOf(input.name);
    ReadResult read = result.reader->read(input, scene, arena, diagnostics);
    result.version = std::move(read.version);
    if (arena.exhausted()) {
        diagnostics.add(Code::OUT_OF_MEMORY);
        return result;
    }
    if (!read.hasScene) return result;
    parentsFirst(scene, arena);
    if (input.tangents)
        for (Mesh& mesh : scene.meshes)
            if (!mesh.tangents.present()) addTangents(arena, mesh);
    computeBounds(scene, arena);
    if (arena.exhausted()) {
        diagnostics.add(Code::OUT_OF_MEMORY);
        return result;
    }
    result.hasScene = true;
    return result;
}

OpenResult openOutline(const Input& input, std::string_view forced, Outline& outline, Diagnostics& diagnostics, FormatList formats) {
    OpenResult result;
    const FormatEntry* chosen = chooseFormat(input.bytes, input.name, forced, diagnostics, formats);
    if (!chosen) return result;
    if (!chosen->reader) __builtin_trap();  // unreachable: JavaScript calls `plan` first
    result.format = chosen->format;
    result.reader = chosen->reader;
    auto [version, references] = result.reader->outline(input, outline, diagnostics);
    if (Budget::exhausted()) diagnostics.add(Code::OUT_OF_MEMORY);
    result.version = std::move(version);
    result.references = std::move(references);
    return result;
}

}  // namespace rigcast
