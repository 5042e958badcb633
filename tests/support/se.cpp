#include "support/se.hpp"

#include <cmath>

namespace rigcast::test {

Vector<std::uint8_t> makeSeModel(const SeModelSpec& spec) {
    SeWriter file;
    const auto count = [](const auto& list) { return static_cast<std::uint32_t>(list.size()); };
    const int parts = (spec.bones.empty() ? 0 : seBones) | (spec.meshes.empty() ? 0 : seMeshes) |
                      (spec.materials.empty() ? 0 : seMaterials) | (spec.custom.empty() ? 0 : seModelCustom);
    file.magic(seModelMagic).put(std::uint16_t{1}).put(static_cast<std::uint16_t>(20 + spec.extraHeader.size()));
    file.put(static_cast<std::uint8_t>(parts)).put(spec.boneParts).put(spec.meshParts);
    file.put(count(spec.bones))
        .put(count(spec.meshes))
        .put(count(spec.materials))
        .magic(std::string_view("\0\0\0", 3))
        .magic(spec.extraHeader);
    const auto floats = [&](const Vector<float>& values) {
        for (const float value : values) file.put(value);
    };
    for (const SeBoneSpec& bone : spec.bones) file.text(bone.name);
    for (const SeBoneSpec& bone : spec.bones) {
        file.put(bone.flags).put(bone.parent);
        if (spec.boneParts & seGlobal) floats(bone.global);
        if (spec.boneParts & seLocal) floats(bone.local);
        if (spec.boneParts & seScale) floats(bone.scale);
    }
    for (const SeMeshSpec& mesh : spec.meshes) {
        file.put(std::uint8_t{0}).put(static_cast<std::uint8_t>(mesh.uvs.size())).put(mesh.influences);
        file.put(mesh.vertexCount).put(static_cast<std::uint32_t>(mesh.faces.size() / 3));
        floats(mesh.positions);
        for (std::size_t vertex = 0; vertex < mesh.vertexCount; ++vertex)
            for (const Vector<float>& layer : mesh.uvs) file.floats({layer[vertex * 2], layer[vertex * 2 + 1]});
        if (spec.meshParts & seNormals) floats(mesh.normals);
        if (spec.meshParts & seColors) file.put(Bytes{mesh.colors.data(), mesh.colors.size()});
        for (std::size_t i = 0; i < mesh.weights.size(); ++i) file.index(mesh.bones[i], seWidth(count(spec.bones))).put(mesh.weights[i]);
        for (const std::uint32_t corner : mesh.faces) file.index(corner, seWidth(mesh.vertexCount));
        for (const std::int32_t material : mesh.materials) file.put(material);
    }
    for (const SeMaterialSpec& material : spec.materials) {
        file.text(material.name).put(static_cast<std::uint8_t>(material.isSimple));
        if (material.isSimple) file.text(material.diffuse).text(material.normal).text(material.specular);
    }
    return file.put(Bytes{spec.custom.data(), spec.custom.size()}).finish();
}

Vector<std::uint8_t> makeSeAnim(const SeAnimSpec& spec) {
    SeWriter file;
    int parts = (spec.notes.empty() ? 0 : seNotes) | (spec.custom.empty() ? 0 : seAnimCustom);
    for (const SeAnimBoneSpec& bone : spec.bones)
        parts |= (bone.loc.frames.empty() ? 0 : 1) | (bone.rot.frames.empty() ? 0 : 2) | (bone.scale.frames.empty() ? 0 : 4);
    const std::size_t width = spec.frameWidth ? spec.frameWidth : seWidth(spec.frameCount);
    const std::size_t boneWidth = seWidth(static_cast<std::uint32_t>(spec.bones.size()));
    file.magic(seAnimMagic)
        .put(std::uint16_t{1})
        .put(std::uint16_t{28})
        .put(spec.type)
        .put(spec.flags)
        .put(static_cast<std::uint8_t>(parts));
    file.put(static_cast<std::uint8_t>(spec.isDouble)).put(std::uint16_t{0}).put(spec.frameRate).put(spec.frameCount);
    file.put(static_cast<std::uint32_t>(spec.bones.size())).put(static_cast<std::uint8_t>(spec.modifiers.size()));
    file.magic(std::string_view("\0\0\0", 3)).put(static_cast<std::uint32_t>(spec.notes.size()));
    for (const SeAnimBoneSpec& bone : spec.bones) file.text(bone.name);
    for (const auto& [bone, type] : spec.modifiers) file.index(bone, boneWidth).put(type);
    for (const SeAnimBoneSpec& bone : spec.bones) {
        file.put(bone.flags);
        int kind = 0;
        for (const SeKeysSpec* keys : {&bone.loc, &bone.rot, &bone.scale}) {
            if (!(parts >> kind++ & 1)) continue;
            file.index(static_cast<std::uint32_t>(keys->frames.size()), width);
            const std::size_t each = keys == &bone.rot ? 4 : 3;
            for (std::size_t i = 0; i < keys->frames.size(); ++i) {
                file.index(keys->frames[i], width);
                for (std::size_t k = 0; k < each; ++k) {
                    const double value = keys->values[i * each + k];
                    if (spec.isDouble)
                        file.put(value);
                    else
                        file.put(static_cast<float>(value));
                }
            }
        }
    }
    for (const auto& [frame, name] : spec.notes) file.index(frame, width).text(name);
    if (!spec.custom.empty()) file.put(static_cast<std::uint32_t>(spec.custom.size())).magic(spec.custom);
    return file.finish();
}

SeModelSpec armModel() {
    SeModelSpec arm;
    arm.boneParts = seGlobal | seLocal | seScale;
    arm.meshParts = seUvs | seNormals | seColors | seWeights;
    const auto bone = [&](const char* name, std::int32_t parent, float height) {
        SeBoneSpec made;
        made.name = name;
        made.parent = parent;
        made.global[2] = height;
        made.local[2] = parent < 0 ? 0.f : 40.f;
        arm.bones.push_back(made);
    };
    bone("Root", -1, 0);
    bone("Upper", 0, 40);
    bone("Lower", 1, 80);
    SeMeshSpec mesh;
    mesh.vertexCount = 6;
    mesh.influences = 3;
    mesh.uvs.resize(2);
    for (int i = 0; i < 6; ++i) {
        const float side = i % 2 ? 1.f : 0.f, row = static_cast<float>(i / 2);
        for (const float value : {10 * side, 0.f, 40 * row}) mesh.positions.push_back(value);
        for (const float value : {0.f, -1.f, 0.f}) mesh.normals.push_back(value);
        for (const float value : {side, 1 - row / 2}) mesh.uvs[0].push_back(value);
        for (const float value : {side / 2, row / 4}) mesh.uvs[1].push_back(value);
        for (const int value : {255, 40 * i, 0, 128}) mesh.colors.push_back(static_cast<std::uint8_t>(value));
        const float shares[] = {0.5f, 0.3f, 0.2f};
        for (int k = 0; k < 3; ++k) {
            mesh.bones.push_back(static_cast<std::uint32_t>(i / 2 + k) % 3);
            mesh.weights.push_back(i == 0 ? (k == 0 ? 1.f : 0.f) : shares[k]);
        }
    }
    mesh.faces = {0, 2, 1, 1, 2, 3, 2, 4, 3, 3, 4, 5};  // faces are clockwise when seen from their front, at -y
    mesh.materials = {0, 1};
    arm.meshes.push_back(mesh);
    arm.materials.push_back({"skin", "images\\skin_c.png", "images\\skin_n.png", "images\\skin_s.png", true});
    arm.materials.push_back({"decal", "", "", "", false});
    return arm;
}

SeAnimSpec armAnim(std::uint8_t type) {
    SeAnimSpec anim;
    anim.type = type;
    anim.frameRate = 10;
    anim.frameCount = 11;
    const double half = std::sqrt(0.5);
    anim.bones.push_back({"Root", {{0, 10}, {0, 0, 0, 10, 0, 0}}});
    anim.bones.push_back({"Upper", {{0}, {0, 0, 5}}, {{0, 10}, {0, 0, 0, 1, half, 0, 0, half}}});
    anim.bones.push_back({"Lower", {}, {}, {{0, 5, 10}, {1, 1, 1, 1, 1, 1.5, 1, 1, 2}}});
    return anim;
}

Vector<SeFixture> seFixtures() {
    SeAnimSpec absolute = armAnim(seAbsolute);
    absolute.flags = 1;
    absolute.notes = {{0, "start"}, {5, "step"}, {10, "end"}};
    absolute.custom = "made for tests";
    SeAnimSpec precise = armAnim(seRelative);
    precise.isDouble = true;
    SeAnimSpec delta = armAnim(seDelta);
    delta.bones[0].name = "";
    delta.modifiers = {{1, seAbsolute}};
    return {{"arm.semodel", makeSeModel(armModel())},
            {"absolute.seanim", makeSeAnim(absolute)},
            {"relative.seanim", makeSeAnim(precise)},
            {"additive.seanim", makeSeAnim(armAnim(seAdditive))},
            {"delta.seanim", makeSeAnim(delta)}};
}

}  // namespace rigcast::test
