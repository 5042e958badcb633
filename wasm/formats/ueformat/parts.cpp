#include "formats/ueformat/parts.hpp"

#include <algorithm>

#include "core/budget.hpp"
#include "core/code.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::string_view meshNames[] = {"VERTICES",     "NORMALS",   "TANGENTS", "TEXCOORDS",   "INDICES",
                                          "VERTEXCOLORS", "MATERIALS", "WEIGHTS",  "MORPHTARGETS"};
constexpr std::string_view skeletonNames[] = {"METADATA", "BONES", "SOCKETS", "VIRTUALBONES"};
constexpr std::string_view rootNames[] = {"LODS", "SKELETON", "COLLISION", "METADATA"};
constexpr std::string_view flatNames[] = {"VERTICES",  "NORMALS", "TANGENTS",     "TEXCOORDS", "INDICES", "VERTEXCOLORS",
                                          "MATERIALS", "WEIGHTS", "MORPHTARGETS", "BONES",     "SOCKETS", "COLLISION"};

void readLods(const Part& part, const Document& document, Vector<Lod>& lods, Diagnostics& diagnostics) {
    Cursor cursor(part.payload, part.payloadOffset, document.source);
    const bool isSet = document.has(withAttributes);
    const std::int32_t declared = isSet ? cursor.number<std::int32_t>() : part.count.value_or(0);
    if (declared < 0 || (isSet && static_cast<std::size_t>(declared) > cursor.remaining() / 8)) {
        diagnostics.add(Code::BAD_COUNT, part.location(), {"{} levels of detail", {declared}});
        return;
    }
    const auto count = static_cast<std::size_t>(declared);
    while (lods.size() < count && cursor.remaining() > 0) {
        if (!Budget::affords(sizeof(Lod) + 64)) return;
        Lod lod;
        lod.offset = cursor.offset();
        lod.name = nameOf(cursor.text(), {.offset = lod.offset, .path = part.path}, diagnostics);
        const std::int32_t size = isSet ? 0 : cursor.number<std::int32_t>();
        if (cursor.failed()) {
            if (!part.isCut)
                diagnostics.add(cursor.hasBadText() ? Code::BAD_STRING_LENGTH : Code::TRUNCATED, {.offset = lod.offset, .path = part.path});
            return;
        }
        // The path contains only the start of a long name, because every part repeats it.
        lod.path = formatted("{}/{}", {part.path, std::string_view(lod.name).substr(0, 64)});
        if (size < 0) {
            diagnostics.add(Code::BAD_CHUNK_SIZE, {.offset = lod.offset, .path = lod.path}, {"{} bytes", {size}});
            return;
        }
        if (isSet) {
            lod.parts = readParts(cursor, document, meshNames, lod.path, diagnostics);
        } else {
            const std::uint64_t offset = cursor.offset();
            const auto length = std::min(static_cast<std::size_t>(size), cursor.remaining());
            if (length < static_cast<std::size_t>(size) && !part.isCut)
                diagnostics.add(Code::TRUNCATED, {.offset = lod.offset, .path = lod.path}, {"{} of {} bytes", {length, size}});
            Cursor inner(cursor.bytes(length), offset, document.source);
            lod.parts = readParts(inner, document, meshNames, lod.path, diagnostics);
        }
        lod.size = cursor.offset() - lod.offset;
        lods.push_back(std::move(lod));
    }
    if (lods.size() < count && !part.isCut)
        diagnostics.add(Code::COUNT_REPAIRED, part.location(), {"{} declared, {} found", {count, lods.size()}});
}

/// Returns copies of the parts that have one of the names.
Vector<Part> partsNamed(const Vector<Part>& parts, std::span<const std::string_view> names) {
    Vector<Part> some;
    for (const Part& part : parts)
        if (part.isKnown && std::find(names.begin(), names.end(), part.name) != names.end()) some.push_back(part);
    return some;
}

}  // namespace

ModelParts readModelParts(const Document& document, Diagnostics& diagnostics) {
    ModelParts model;
    Cursor cursor = document.root();
    const bool isNested = document.has(withNesting);
    model.root =
        readParts(cursor, document, isNested ? std::span<const std::string_view>(rootNames) : flatNames, document.path, diagnostics);
    if (isNested) {
        if (const Part* lods = find(model.root, "LODS")) readLods(*lods, document, model.lods, diagnostics);
        if (const Part* skeleton = find(model.root, "SKELETON")) {
            Cursor inner(skeleton->payload, skeleton->payloadOffset, document.source);
            model.skeleton = readParts(inner, document, skeletonNames, skeleton->path, diagnostics);
        }
        return model;
    }
    Lod lod{.name = "LOD0",
            .path = document.path,
            .offset = document.bodyOffset,
            .size = document.body.size(),
            .parts = partsNamed(model.root, meshNames)};
    if (!lod.parts.empty()) model.lods.push_back(std::move(lod));
    model.skeleton = partsNamed(model.root, skeletonNames);
    return model;
}

}  // namespace rigcast::ueformat
