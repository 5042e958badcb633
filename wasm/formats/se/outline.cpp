#include "core/budget.hpp"
#include "core/text.hpp"
#include "formats/se/scene.hpp"

namespace rigcast {

namespace {

/// Estimated memory for an outline node with its fields, in bytes. The budget must be checked,
/// because a few bytes of a file can produce many nodes.
constexpr std::uint64_t nodeBytes = 1200;

OutlineNode& add(Vector<OutlineNode>& list, const char* kind, std::uint64_t offset, std::uint64_t size) {
    OutlineNode& node = list.emplace_back();
    node.kind = kind;
    node.offset = offset;
    node.size = size;
    return node;
}

OutlineField& add(OutlineNode& node, const char* name, const char* type, std::uint64_t count, std::uint64_t offset, std::uint64_t bytes) {
    OutlineField& field = node.fields.emplace_back();
    field.name = name;
    field.type = type;
    field.count = count;
    field.offset = offset;
    field.byteLength = bytes;
    return field;
}

/// Adds a field that contains an unsigned number of `size` bytes.
void addNumber(OutlineNode& node, const char* name, std::size_t size, std::uint64_t offset, std::uint32_t value) {
    add(node, name, size == 1 ? "u8" : size == 2 ? "u16" : "u32", 1, offset, size).value = value;
}

void addText(OutlineNode& node, const char* name, const SeText& text) {
    add(node, name, "string", 1, text.offset, text.bytes.size()).value = repairUtf8(asText(text.bytes));
}

/// Sets the name of the node.
void setName(OutlineNode& node, const SeText& text) {
    node.name = repairUtf8(asText(text.bytes));
    node.isNamed = true;
    addText(node, "name", text);
}

/// Sets the byte range of an outline node that groups other nodes, from the first to the last of
/// them.
void close(OutlineNode& part) {
    if (part.children.empty()) return;
    part.offset = part.children.front().offset;
    part.size = part.children.back().offset + part.children.back().size - part.offset;
}

struct HeaderField {
    const char* name;
    std::uint8_t at, size;  // `at`: offset from the end of the header's size field
};

OutlineNode& addHeader(Outline& outline, const SeHeader& header, std::span<const HeaderField> known) {
    const std::uint64_t start = header.offset + 2;
    OutlineNode& node = add(outline, "header", 0, start + header.bytes.size());
    addNumber(node, "version", 2, header.offset - 2, header.version);
    for (const HeaderField& field : known)
        addNumber(node, field.name, field.size, start + field.at, seInteger(header.bytes.data() + field.at, field.size));
    return node;
}

}  // namespace

void outlineSeModel(const SeModel& model, Outline& outline) {
    constexpr HeaderField known[] = {{"dataPresenceFlags", 0, 1},
                                     {"boneDataPresenceFlags", 1, 1},
                                     {"meshDataPresenceFlags", 2, 1},
                                     {"boneCount", 3, 4},
                                     {"meshCount", 7, 4},
                                     {"matCount", 11, 4}};
    addHeader(outline, model.header, known);
    if (!Budget::affords((model.bones.size() + model.meshes.size() + model.materials.size()) * nodeBytes)) return;

    OutlineNode& bones = add(outline, "bones", 0, 0);
    for (std::size_t i = 0; i < model.bones.size(); ++i) {
        const std::uint64_t at = model.bones.offsetOf(i);
        OutlineNode& node = add(bones.children, "bone", at, model.bones.stride());
        setName(node, model.names[i]);
        addNumber(node, "flags", 1, at, model.bones.get<std::uint8_t>(i, 0));
        add(node, "parent", "i32", 1, at + 1, 4).value = model.bones.get<std::int32_t>(i, 1);
        if (model.boneParts & seGlobal) add(node, "global", "f32", 7, at + model.globalAt(), 28);
        if (model.boneParts & seLocal) add(node, "local", "f32", 7, at + model.localAt(), 28);
        if (model.boneParts & seScale) add(node, "scale", "f32", 3, at + model.scaleAt(), 12);
    }
    close(bones);

    OutlineNode& meshes = add(outline, "meshes", 0, 0);
    for (const SeMesh& mesh : model.meshes) {
        OutlineNode& node = add(meshes.children, "mesh", mesh.offset, 11);
        addNumber(node, "flags", 1, mesh.offset, mesh.flags);
        const std::size_t pair = model.boneWidth() + 4, corner = seWidth(mesh.vertexCount);
        const struct {
            const char *name, *type;
            Bytes bytes;
            std::size_t each;
        } columns[] = {{"positions", "f32", mesh.positions, 4}, {"uvs", "f32", mesh.uvs, 4},
                       {"normals", "f32", mesh.normals, 4},     {"colors", "u8", mesh.colors, 1},
                       {"weights", "pair", mesh.weights, pair}, {"faces", "index", mesh.faces, corner},
                       {"materials", "i32", mesh.materials, 4}};
        for (const auto& [name, type, bytes, each] : columns) {
            if (!bytes.empty()) add(node, name, type, bytes.size() / each, mesh.offset + node.size, bytes.size());
            node.size += bytes.size();
        }
    }
    close(meshes);

    OutlineNode& materials = add(outline, "materials", 0, 0);
    for (const SeMaterial& material : model.materials) {
        OutlineNode& node = add(materials.children, "material", material.offset, material.name.bytes.size() + 2);
        setName(node, material.name);
        constexpr const char* names[] = {"diffuse", "normal", "specular"};
        for (int i = 0; material.isSimple && i < 3; ++i) {
            addText(node, names[i], material.maps[i]);
            node.size += material.maps[i].bytes.size() + 1;
        }
    }
    close(materials);
}

void outlineSeAnim(const SeAnim& anim, Outline& outline) {
    constexpr HeaderField known[] = {
        {"animType", 0, 1},    {"animFlags", 1, 1},  {"dataPresenceFlags", 2, 1},      {"dataPropertyFlags", 3, 1},
        {"frameCount", 10, 4}, {"boneCount", 14, 4}, {"boneAnimModifierCount", 18, 1}, {"noteCount", 22, 4}};
    OutlineNode& header = addHeader(outline, anim.header, known);
    add(header, "framerate", "f32", 1, anim.header.offset + 8, 4).value = double{anim.frameRate};
    if (!Budget::affords((anim.bones.size() + anim.notes.size()) * nodeBytes)) return;

    OutlineNode& modifiers = add(outline, "modifiers", 0, 0);
    for (const SeModifier& modifier : anim.modifiers) {
        OutlineNode& node = add(modifiers.children, "modifier", modifier.offset, anim.boneWidth() + 1);
        addNumber(node, "bone", anim.boneWidth(), modifier.offset, modifier.bone);
        addNumber(node, "animType", 1, modifier.offset + anim.boneWidth(), modifier.type);
    }
    close(modifiers);

    OutlineNode& bones = add(outline, "bones", 0, 0);
    for (std::size_t i = 0; i < anim.bones.size(); ++i) {
        const SeAnimBone& bone = anim.bones[i];
        OutlineNode& node = add(bones.children, "bone", bone.offset, 1);
        setName(node, anim.names[i]);
        addNumber(node, "flags", 1, bone.offset, bone.flags);
        constexpr const char* names[] = {"loc", "rot", "scale"};
        for (int kind = 0; kind < 3; ++kind) {
            if (!anim.has(kind)) continue;
            const std::uint64_t bytes = std::uint64_t{bone.counts[kind]} * anim.keySize(kind);
            node.size += anim.frameWidth;
            add(node, names[kind], "keys", bone.counts[kind], bone.offset + node.size, bytes);
            node.size += bytes;
        }
    }
    close(bones);

    OutlineNode& notes = add(outline, "notes", 0, 0);
    for (const SeNote& note : anim.notes) {
        OutlineNode& node = add(notes.children, "note", note.offset, anim.frameWidth + note.nameLength + 1);
        addNumber(node, "frame", anim.frameWidth, note.offset, note.frame);
        setName(node, anim.name(note));
    }
    close(notes);
}

}  // namespace rigcast
