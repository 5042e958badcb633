#include "formats/se/document.hpp"

#include <algorithm>
#include <cstring>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"

namespace rigcast {

namespace {

SeText readText(Reader& reader) {
    const Bytes rest = reader.all().subspan(reader.position());
    const void* end = rest.empty() ? nullptr : std::memchr(rest.data(), 0, rest.size());
    if (!end) {
        reader.fail();
        return {};
    }
    const std::uint64_t offset = reader.offset();
    const auto length = static_cast<std::size_t>(static_cast<const std::uint8_t*>(end) - rest.data());
    const SeText text{offset, reader.bytes(length)};
    reader.skip(1);
    return text;
}

void reportTruncation(std::uint64_t offset, std::string_view path, const Detail& detail, Diagnostics& diagnostics) {
    diagnostics.add(Code::TRUNCATED, {.offset = offset, .path = path}, detail);
}

/// Reads magic, version and header. Skips unknown fields of newer headers. Returns false if the
/// header is incomplete.
bool readHeader(Reader& reader, std::size_t magic, std::size_t known, SeHeader& header, Diagnostics& diagnostics) {
    reader.skip(magic);
    header.version = reader.read<std::uint16_t>();
    header.offset = reader.offset();
    std::size_t size = reader.read<std::uint16_t>();
    if (!reader.failed() && size < known + 2) {
        diagnostics.add(Code::BAD_HEADER, {.offset = header.offset, .path = "header"}, {"{} bytes, read as {}", {size, known + 2}});
        size = known + 2;
    }
    // Assumes that the declared header size is wrong, because a file rarely ends within its header.
    if (size > known + 2 && reader.remaining() < size - 2) {
        diagnostics.add(Code::BAD_HEADER, {.offset = header.offset, .path = "header"}, {"{} bytes, read as {}", {size, known + 2}});
        size = known + 2;
    }
    header.bytes = reader.bytes(size - 2);
    if (reader.failed()) {
        reportTruncation(header.offset, "header", noDetail, diagnostics);
        return false;
    }
    if (header.version != 1) diagnostics.add(Code::VERSION_UNKNOWN, {.offset = magic, .path = "header"}, {"version {}", {header.version}});
    return true;
}

void reportReserved(bool isSet, std::uint64_t offset, Diagnostics& diagnostics) {
    if (isSet) diagnostics.add(Code::RESERVED_NOT_ZERO, {.offset = offset, .path = "header"});
}

/// Reads `count` names, or fewer if the file ends earlier.
void readNames(Reader& reader, std::uint32_t count, Vector<SeText>& names, Diagnostics& diagnostics) {
    const std::uint64_t start = reader.offset();
    names.reserve(std::min<std::size_t>(count, reader.remaining()));
    for (std::uint32_t i = 0; i < count; ++i) {
        SeText name = readText(reader);
        if (reader.failed()) return reportTruncation(start, "names", {"{} names declared, {} found", {count, i}}, diagnostics);
        names.push_back(name);
    }
}

bool readMesh(Reader& reader, const SeModel& model, SeMesh& mesh) {
    mesh.offset = reader.offset();
    mesh.flags = reader.read<std::uint8_t>();
    mesh.layers = reader.read<std::uint8_t>();
    mesh.influences = reader.read<std::uint8_t>();
    mesh.vertexCount = reader.read<std::uint32_t>();
    mesh.faceCount = reader.read<std::uint32_t>();
    if (!(model.meshParts & seUvs)) mesh.layers = 0;
    if (!(model.meshParts & seWeights)) mesh.influences = 0;
    const std::uint64_t n = mesh.vertexCount;
    mesh.positions = reader.bytes(n * 12);
    mesh.uvs = reader.bytes(n * mesh.layers * 8);
    if (model.meshParts & seNormals) mesh.normals = reader.bytes(n * 12);
    if (model.meshParts & seColors) mesh.colors = reader.bytes(n * 4);
    mesh.weights = reader.bytes(n * mesh.influences * (model.boneWidth() + 4));
    mesh.faces = reader.bytes(std::uint64_t{mesh.faceCount} * 3 * seWidth(mesh.vertexCount));
    mesh.materials = reader.bytes(std::uint64_t{mesh.layers} * 4);
    return !reader.failed();
}

bool readMaterial(Reader& reader, SeMaterial& material) {
    material.offset = reader.offset();
    material.name = readText(reader);
    material.isSimple = reader.read<std::uint8_t>();
    if (material.isSimple)
        for (SeText& map : material.maps) map = readText(reader);
    return !reader.failed();
}

void reportTail(Reader& reader, Bytes& tail, std::string_view path, Severity severity, Diagnostics& diagnostics) {
    const std::uint64_t offset = reader.offset();
    tail = reader.bytes(reader.remaining());
    if (!tail.empty()) diagnostics.add(Code::TRAILING_BYTES, severity, {.offset = offset, .path = path}, {"{} bytes", {tail.size()}});
}

/// Returns `count` if `isThere` is true, which means that the file contains this many items.
/// Otherwise returns 0, and reports a finding unless `count` is 0.
std::uint32_t counted(bool isThere, std::uint32_t count, std::string_view path, std::uint64_t offset, Diagnostics& diagnostics) {
    if (!isThere && count > 0)
        diagnostics.add(Code::COUNT_REPAIRED, {.offset = offset, .path = path}, {"{} entries of a missing part", {count}});
    return isThere ? count : 0;
}

}  // namespace

std::string seName(const SeText& text, std::string_view path, Diagnostics& diagnostics) {
    const std::string_view stored = asText(text.bytes);
    if (isValidUtf8(stored)) return std::string(stored);
    diagnostics.add(Code::NAME_DAMAGED, {.offset = text.offset, .path = path}, "not UTF-8, read as Windows-1252");
    return fromWindows1252(stored);
}

bool readSeModel(Bytes input, SeModel& model, Diagnostics& diagnostics) {
    Reader reader(input);
    if (!readHeader(reader, seModelMagic.size(), 18, model.header, diagnostics)) return false;
    const std::uint64_t at = model.header.offset + 2;
    Reader fields(model.header.bytes);
    model.parts = fields.read<std::uint8_t>();
    model.boneParts = fields.read<std::uint8_t>();
    model.meshParts = fields.read<std::uint8_t>();
    reportReserved((model.parts & 0x78) || (model.boneParts & 0xF8) || (model.meshParts & 0xF0), at, diagnostics);
    model.boneCount = counted(model.parts & seBones, fields.read<std::uint32_t>(), "bones", at + 3, diagnostics);
    model.meshCount = counted(model.parts & seMeshes, fields.read<std::uint32_t>(), "meshes", at + 7, diagnostics);
    model.materialCount = counted(model.parts & seMaterials, fields.read<std::uint32_t>(), "materials", at + 11, diagnostics);

    readNames(reader, model.boneCount, model.names, diagnostics);
    if (reader.failed()) return true;
    const std::size_t stride = model.scaleAt() + (model.boneParts & seScale ? 12 : 0);
    const std::uint64_t start = reader.offset();
    model.bones = Records(
        reader.all().subspan(reader.position()).first(std::min<std::size_t>(reader.remaining(), std::uint64_t{model.boneCount} * stride)),
        stride, start);
    if (model.bones.size() < model.boneCount) {
        reportTruncation(start, "bones", {"{} bones declared, {} found", {model.boneCount, model.bones.size()}}, diagnostics);
        return true;
    }
    reader.skip(std::uint64_t{model.boneCount} * stride);
    for (std::uint32_t i = 0; i < model.meshCount; ++i) {
        const std::uint64_t offset = reader.offset();
        SeMesh mesh;
        if (!readMesh(reader, model, mesh)) {
            reportTruncation(offset, "meshes", {"{} meshes declared, {} complete", {model.meshCount, i}}, diagnostics);
            return true;
        }
        model.meshes.push_back(mesh);
    }
    for (std::uint32_t i = 0; i < model.materialCount; ++i) {
        const std::uint64_t offset = reader.offset();
        SeMaterial material;
        if (!readMaterial(reader, material)) {
            reportTruncation(offset, "materials", {"{} materials declared, {} complete", {model.materialCount, i}}, diagnostics);
            return true;
        }
        model.materials.push_back(material);
    }
    if (model.parts & seModelCustom) {
        model.tail = reader.bytes(reader.remaining());
        diagnostics.add(Code::UNKNOWN_PROPERTY, {.offset = reader.offset() - model.tail.size(), .path = "custom"},
                        {"{} bytes", {model.tail.size()}});
    } else {
        reportTail(reader, model.tail, "file", Severity::warning, diagnostics);
    }
    return true;
}

namespace {

/// Returns true if there is a key for every frame number that `width` bytes can represent, in
/// ascending order starting at 0.
bool isEveryFrame(const Reader& reader, std::size_t width, std::size_t keySize) {
    const std::uint32_t count = 1u << 8 * width;
    if (reader.remaining() / keySize < count) return false;
    const std::uint8_t* at = reader.all().data() + reader.position();
    for (std::uint32_t frame = 0; frame < count; ++frame, at += keySize)
        if (seInteger(at, width) != frame) return false;
    return true;
}

bool readBone(Reader& reader, SeAnim& anim, SeAnimBone& bone) {
    bone.offset = reader.offset();
    bone.flags = reader.read<std::uint8_t>();
    for (int kind = 0; kind < 3; ++kind) {
        if (!anim.has(kind)) continue;
        const Bytes stored = reader.bytes(anim.frameWidth);
        if (stored.empty()) return false;
        std::uint32_t& count = bone.counts[kind];
        count = seInteger(stored.data(), anim.frameWidth);
        if (count == 0 && anim.mayWrap && isEveryFrame(reader, anim.frameWidth, anim.keySize(kind))) {
            count = 1u << 8 * anim.frameWidth;
            ++anim.wrapped;
        }
        reader.skip(std::uint64_t{count} * anim.keySize(kind));
    }
    return !reader.failed();
}

/// Reads the part of an animation that follows the header.
void readAnimBody(Reader& reader, SeAnim& anim, Diagnostics& diagnostics) {
    anim.isCut = true;
    const std::uint32_t bones = anim.parts & seKeys ? anim.boneCount : 0;
    readNames(reader, bones, anim.names, diagnostics);
    for (unsigned i = 0; bones > 0 && i < anim.modifierCount && !reader.failed(); ++i) {
        SeModifier modifier;
        modifier.offset = reader.offset();
        const Bytes stored = reader.bytes(anim.boneWidth() + 1);
        if (stored.empty())
            return reportTruncation(modifier.offset, "modifiers", {"{} modifiers declared, {} found", {anim.modifierCount, i}},
                                    diagnostics);
        modifier.bone = seInteger(stored.data(), anim.boneWidth());
        modifier.type = stored.back();
        anim.modifiers.push_back(modifier);
    }
    anim.bones.reserve(anim.names.size());
    for (std::uint32_t i = 0; i < bones && !reader.failed(); ++i) {
        const std::uint64_t offset = reader.offset();
        SeAnimBone bone;
        if (!readBone(reader, anim, bone))
            return reportTruncation(offset, "bones", {"{} bones declared, {} complete", {bones, i}}, diagnostics);
        anim.bones.push_back(bone);
    }
    if (anim.parts & seNotes) anim.notes.reserve(std::min<std::size_t>(anim.noteCount, reader.remaining() / (anim.frameWidth + 1)));
    for (std::uint32_t i = 0; (anim.parts & seNotes) && i < anim.noteCount && !reader.failed(); ++i) {
        SeNote note;
        note.offset = reader.offset();
        const Bytes stored = reader.bytes(anim.frameWidth);
        if (!stored.empty()) note.frame = seInteger(stored.data(), anim.frameWidth);
        note.nameLength = static_cast<std::uint32_t>(readText(reader).bytes.size());
        if (reader.failed())
            return reportTruncation(note.offset, "notes", {"{} notes declared, {} found", {anim.noteCount, i}}, diagnostics);
        anim.notes.push_back(note);
    }
    if (reader.failed()) return;
    if (anim.parts & seAnimCustom) {
        const std::uint64_t offset = reader.offset();
        anim.custom = reader.bytes(reader.read<std::uint32_t>());
        if (reader.failed()) return reportTruncation(offset, "custom", noDetail, diagnostics);
        diagnostics.add(Code::UNKNOWN_PROPERTY, {.offset = offset, .path = "custom"}, {"{} bytes", {anim.custom.size()}});
    }
    anim.isCut = false;
    reportTail(reader, anim.tail, "file", anim.isEmpty() ? Severity::error : Severity::warning, diagnostics);
}

/// Reads the animation, assuming frame numbers of `frameWidth` bytes. Does not report findings.
SeAnim attempt(Reader reader, const SeAnim& head, std::size_t frameWidth, bool mayWrap) {
    SeAnim anim = head;
    anim.frameWidth = frameWidth;
    anim.mayWrap = mayWrap;
    Diagnostics ignored;
    readAnimBody(reader, anim, ignored);
    return anim;
}

}  // namespace

bool SeAnim::isEmpty() const {
    return notes.empty() && std::all_of(bones.begin(), bones.end(),
                                        [](const SeAnimBone& bone) { return (bone.counts[0] | bone.counts[1] | bone.counts[2]) == 0; });
}

Records SeAnim::keys(const SeAnimBone& bone, int kind) const {
    std::uint64_t at = bone.offset + 1;
    for (int before = 0; before < kind; ++before)
        if (has(before)) at += frameWidth + std::uint64_t{bone.counts[before]} * keySize(before);
    if (!has(kind)) return {};
    at += frameWidth;
    return Records(input.subspan(static_cast<std::size_t>(at), bone.counts[kind] * keySize(kind)), keySize(kind), at);
}

bool readSeAnim(Bytes input, SeAnim& anim, Diagnostics& diagnostics) {
    Reader reader(input);
    anim.input = input;
    if (!readHeader(reader, seAnimMagic.size(), 26, anim.header, diagnostics)) return false;
    const std::uint64_t at = anim.header.offset + 2;
    Reader fields(anim.header.bytes);
    anim.type = fields.read<std::uint8_t>();
    anim.flags = fields.read<std::uint8_t>();
    anim.parts = fields.read<std::uint8_t>();
    anim.precision = fields.read<std::uint8_t>();
    fields.skip(2);
    anim.frameRate = fields.read<float>();
    anim.frameCount = fields.read<std::uint32_t>();
    anim.boneCount = fields.read<std::uint32_t>();
    anim.modifierCount = fields.read<std::uint8_t>();
    fields.skip(3);
    anim.noteCount = fields.read<std::uint32_t>();
    reportReserved((anim.flags & 0xFE) || (anim.parts & 0x38) || (anim.precision & 0xFE), at, diagnostics);
    counted(anim.parts & seKeys, anim.boneCount, "bones", at + 14, diagnostics);
    counted(anim.parts & seNotes, anim.noteCount, "notes", at + 22, diagnostics);

    // Writers disagree on the width of frame numbers: some derive it from the number of frames,
    // some from the last frame (docs/formats/se.md section 3.2). Uses the width with which the
    // animation ends at the end of the file. A key count of 2^(8 * width) does not fit into this
    // width and is stored as 0.
    const std::size_t byCount = seWidth(anim.frameCount), byLast = anim.frameCount ? seWidth(anim.frameCount - 1) : 1;
    const auto fits = [&](std::size_t width, bool mayWrap) { return attempt(reader, anim, width, mayWrap).fits(); };
    anim.frameWidth = byLast != byCount && fits(byLast, false) ? byLast : byCount;
    const bool hasEveryFrame = byLast < 4 && anim.frameCount >= (1u << 8 * byLast) - 1;
    if (hasEveryFrame && !fits(anim.frameWidth, false) && fits(byLast, true)) {
        anim.frameWidth = byLast;
        anim.mayWrap = true;
    }
    readAnimBody(reader, anim, diagnostics);
    if (anim.wrapped)
        diagnostics.add(Code::COUNT_REPAIRED, {.offset = anim.bones.front().offset, .path = "bones"},
                        {"{} counts of 0 stand for {} keys", {anim.wrapped, 1u << 8 * anim.frameWidth}});
    return true;
}

}  // namespace rigcast
