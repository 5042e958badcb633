#include <string>

#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

namespace {

/// Applies the triangle type flags of UE1, which ActorX derives from keywords in the material name
/// (section 3, MATT0000).
void applyPolyFlags(Material& material, std::uint32_t flags) {
    switch (flags & 0xF) {
        case 1:
            material.side = Side::both;
            break;
        case 2:
            material.side = Side::both;
            material.alphaMode = AlphaMode::add;
            material.model = "unlit";  // UE1 draws it additively and unlit
            break;
        case 3:
            material.side = Side::both;
            material.alphaMode = AlphaMode::mask;
            break;
        case 4:
            material.alphaMode = AlphaMode::multiply;
            break;
        case 8:
            material.visible = false;
            break;  // a placeholder that is never drawn
        default:
            break;
    }
    if (flags & 0x10) material.model = "unlit";
}

}  // namespace

void addMaterials(const Psk& psk, std::size_t count, Scene& scene, Diagnostics& diagnostics) {
    const Records& records = psk.materials;
    for (std::size_t i = 0; i < records.size(); ++i) {
        Material material;
        material.name = nameAt(records, i, 0, "MATT0000", diagnostics);
        const auto flags = records.get<std::uint32_t>(i, materialField::polyFlags);
        applyPolyFlags(material, flags);
        const auto whole = [&](std::size_t field) { return Value(records.get<std::int32_t>(i, field)); };
        material.properties = {{"textureIndex", whole(materialField::textureIndex)},
                               {"polyFlags", Value(flags)},
                               {"auxMaterial", whole(materialField::auxMaterial)},
                               {"auxFlags", Value(records.get<std::uint32_t>(i, materialField::auxFlags))},
                               {"lodBias", whole(materialField::lodBias)},
                               {"lodStyle", whole(materialField::lodStyle)}};
        scene.materials.push_back(std::move(material));
    }
    for (std::size_t i = records.size(); i < count; ++i) {
        Material material;
        material.name = formatted("Material_{}", {i});
        material.properties = {{"placeholder", Value(true)}};
        scene.materials.push_back(std::move(material));
    }
}

}  // namespace rigcast::unreal
