#include "formats/vgo/scene.hpp"

#include "core/code.hpp"
#include "formats/vgo/build.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

void addAsset(const Value& info, VgoBuild& build) {
    Asset& asset = build.scene.asset;
    if (const Value* generator = vgoMember(&info, "generator")) {
        asset.generator = vgoText(generator, "name");
        const std::string version = vgoText(generator, "version");
        if (!version.empty()) asset.generator += " " + version;
    }
    asset.author = vgoText(vgoMember(&info, "right"), "author");
    for (const char* name : {"right", "extensions", "extensionsUsed"})
        if (const Value* found = vgoMember(&info, name)) build.keep(asset.properties, name, *found);
}

/// Numbers the bones by their index in the file. Bones are the nodes that skins, humanoids and
/// springs use.
void numberBones(VgoBuild& build) {
    for (const Skin& skin : build.scene.skins)
        for (const std::uint32_t joint : build.arena.values(skin.joints)) build.scene.nodes[joint].bone = 0;
    build.scene.nodes[0].bone = -1;  // the root replaces missing joints, but is not a bone
    for (std::uint32_t i = 0; i < build.rows.size(); ++i) {
        if (build.rows[i] == none) continue;
        Node& node = build.scene.nodes[build.rows[i]];
        if (node.bone >= 0) node.bone = static_cast<std::int32_t>(i);
    }
}

}  // namespace

bool addVgoScene(VgoDocument& document, const Input&, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    const Value* layout = &document.layout;
    VgoBuild build{.document = document,
                   .scene = scene,
                   .arena = arena,
                   .diagnostics = diagnostics,
                   .nodes = vgoList(layout, "nodes"),
                   .skins = vgoList(layout, "skins"),
                   .meshes = vgoList(layout, "meshes"),
                   .materials = vgoList(layout, "materials"),
                   .textures = vgoList(layout, "textures"),
                   .clips = vgoList(layout, "animationClips"),
                   .colliders = vgoList(layout, "colliders"),
                   .clothes = vgoList(layout, "clothes"),
                   .lights = vgoList(layout, "lights"),
                   .particles = vgoList(layout, "particles")};
    if (scene.nodes.empty()) scene.nodes.emplace_back();
    if (build.nodes.empty()) {
        diagnostics.add(Code::MISSING_CHUNK, {.path = "nodes"});
        return false;
    }
    addAsset(document.assetInfo, build);
    addVgoNodes(build);
    addVgoMaterials(build);
    addVgoRenderers(build);
    addVgoExpressions(build);
    addVgoFeatures(build);
    addVgoClips(build);
    if (arena.exhausted()) return false;
    if (Value* extensions = document.layout.find("extensions"); extensions && !extensions->isNull()) {
        // Rejects lists, as the reference implementation does, although an old example in the
        // documentation contains one.
        if (!extensions->is<Properties>()) diagnostics.add(Code::PROPERTY_TYPE, {.path = "extensions"});
        build.keep(scene.asset.properties, "layoutExtensions", std::move(*extensions));
    }
    numberBones(build);
    mirrorZ(scene, arena, {.geometry = document.leftHanded, .nodes = document.leftHanded, .tracks = true});
    return true;
}

}  // namespace rigcast
