#include "support/writers/se.hpp"

#include "core/text.hpp"

namespace rigcast {

namespace {

void putHeader(SeWriter& writer, std::string_view magic, const SeHeader& header) {
    writer.magic(magic).put(header.version).put(static_cast<std::uint16_t>(header.bytes.size() + 2)).put(header.bytes);
}

}  // namespace

Vector<std::uint8_t> writeSeModel(const SeModel& model) {
    SeWriter writer;
    putHeader(writer, seModelMagic, model.header);
    for (const SeText& name : model.names) writer.text(asText(name.bytes));
    for (std::size_t i = 0; i < model.bones.size(); ++i) writer.put(model.bones.bytes(i, 0, model.bones.stride()));
    for (const SeMesh& mesh : model.meshes) {
        writer.put(mesh.flags).put(mesh.layers).put(mesh.influences).put(mesh.vertexCount).put(mesh.faceCount);
        for (const Bytes part : {mesh.positions, mesh.uvs, mesh.normals, mesh.colors, mesh.weights, mesh.faces, mesh.materials})
            writer.put(part);
    }
    for (const SeMaterial& material : model.materials) {
        writer.text(asText(material.name.bytes)).put(material.isSimple);
        for (const SeText& map : material.maps)
            if (material.isSimple) writer.text(asText(map.bytes));
    }
    return writer.put(model.tail).finish();
}

Vector<std::uint8_t> writeSeAnim(const SeAnim& anim) {
    SeWriter writer;
    putHeader(writer, seAnimMagic, anim.header);
    for (const SeText& name : anim.names) writer.text(asText(name.bytes));
    for (const SeModifier& modifier : anim.modifiers) writer.index(modifier.bone, anim.boneWidth()).put(modifier.type);
    for (const SeAnimBone& bone : anim.bones) {
        writer.put(bone.flags);
        for (int kind = 0; kind < 3; ++kind) {
            if (!anim.has(kind)) continue;
            const Records keys = anim.keys(bone, kind);
            writer.index(static_cast<std::uint32_t>(keys.size()), anim.frameWidth);
            for (std::size_t i = 0; i < keys.size(); ++i) writer.put(keys.bytes(i, 0, keys.stride()));
        }
    }
    for (const SeNote& note : anim.notes) writer.index(note.frame, anim.frameWidth).text(asText(anim.name(note).bytes));
    if (anim.parts & seAnimCustom) writer.put(static_cast<std::uint32_t>(anim.custom.size())).put(anim.custom);
    return writer.put(anim.tail).finish();
}

}  // namespace rigcast
