// Builds small scenes for tests.
#pragma once

#include <initializer_list>
#include <limits>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "scene/scene.hpp"

namespace rigcast::test {

template <class T>
Column<T> put(Arena& arena, std::uint32_t block, std::initializer_list<T> values) {
    return arena.copy(block, std::span<const T>(values.begin(), values.size()));
}

template <class T>
Column<T> put(Arena& arena, std::uint32_t block, const Vector<T>& values) {
    return arena.copy(block, std::span<const T>(values));
}

template <class T>
Vector<T> valuesOf(const Arena& arena, const Column<T>& column) {
    const auto values = arena.values(column);
    return {values.begin(), values.end()};
}

inline std::uint32_t addNode(Scene& scene, std::string_view name, std::uint32_t parent, Vec3 translation = {}, std::int32_t bone = -1) {
    Node node;
    node.name = scene.strings.intern(name);
    node.parent = parent;
    node.local.translation = translation;
    node.bone = bone;
    scene.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(scene.nodes.size() - 1);
}

/// Returns a triangle mesh that has only positions and indices.
inline Mesh makeMesh(Arena& arena, const Vector<float>& positions, const Vector<std::uint16_t>& indices) {
    Mesh mesh;
    mesh.block = arena.addBlock();
    mesh.vertexCount = static_cast<std::uint32_t>(positions.size() / 3);
    mesh.positions = put(arena, mesh.block, positions);
    mesh.indices16 = put(arena, mesh.block, indices);
    return mesh;
}

/// A valid scene with every feature: a unit square skinned to two bones with a morph target,
/// materials, a texture, an image, strands, clips with every kind of interpolation, a light, a
/// camera, instances and more. Each test breaks one rule.
struct FullScene {
    Scene scene;
    Arena arena;

    FullScene() {
        scene.strings.intern("");
        addNode(scene, "root", none);
        const std::uint32_t hip = addNode(scene, "hip", 0, {}, 0);
        const std::uint32_t knee = addNode(scene, "knee", hip, {0, 1, 0}, 1);
        addMesh();
        addStrands();
        addSkin(hip, knee);
        scene.renderers.push_back({"body", 0, 0, 0, {0}, true, {}});
        scene.renderers.push_back({"hair", 0, 1, none, {}, true, {}});
        addMaterial();
        addClip(hip);
        scene.lights.push_back({.name = "sun", .node = 0, .type = LightType::directional, .properties = {}});
        scene.cameras.push_back({.name = "eye", .node = 0, .properties = {}});
        scene.features.push_back({"socket", "hand", knee, {{"offset", 1.5}}});
        scene.expressions.push_back({"smile", "happy", {{0, 0, 1}}});
        scene.references.push_back({"instance", "tree.vgo", false, false});
        addInstances();
        computeBounds(scene, arena);
    }

private:
    void addMesh() {
        Mesh mesh = makeMesh(arena, {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0}, {0, 1, 2, 0, 2, 3});
        mesh.name = "square";
        mesh.normals = put(arena, mesh.block, {0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f});
        mesh.uvs.push_back(put(arena, mesh.block, {0.f, 1.f, 1.f, 1.f, 1.f, 0.f, 0.f, 0.f}));
        mesh.colors.push_back({"ink", put(arena, mesh.block, Vector<std::uint8_t>(16, 255)), {}});
        mesh.colors.push_back({"mask", {}, put(arena, mesh.block, Vector<float>(16, 0.5f))});
        mesh.sourceVertices = put<std::uint32_t>(arena, mesh.block, {0, 1, 2, 1});
        mesh.sourceVertexCount = 3;
        mesh.groups.push_back({0, 6, 0});
        MorphTarget morph;
        morph.name = "bulge";
        morph.vertices = put<std::uint32_t>(arena, mesh.block, {1, 2});
        morph.positions = put(arena, mesh.block, {0.f, 0.f, 2.f, 0.f, 0.f, 2.f});
        morph.normals = put(arena, mesh.block, {0.f, 0.f, 0.f, 0.f, 0.f, 0.f});
        mesh.morphs.push_back(std::move(morph));
        // Vertex 0 is influenced by all five joints of the skin.
        PointInfluences influences{{0, 5, 6, 8, 9}, {0, 1, 2, 3, 4, 0, 0, 1, 1}, {0.5f, 0.2f, 0.1f, 0.1f, 0.1f, 1, 0.75f, 0.25f, 1}};
        InfluenceSummary summary;
        setInfluences(arena, mesh, 300, influences, {}, summary);
        addTangents(arena, mesh);
        scene.meshes.push_back(std::move(mesh));
    }

    void addStrands() {
        Mesh hair;
        hair.name = "hair";
        hair.block = arena.addBlock();
        hair.topology = Topology::strands;
        hair.vertexCount = 3;
        hair.positions = put(arena, hair.block, {0.f, 0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 2.f, 0.f});
        hair.strandOffsets = put<std::uint32_t>(arena, hair.block, {0, 2, 3});
        hair.sourceVertexCount = 3;
        hair.groups.push_back({0, 3, 0});
        scene.meshes.push_back(std::move(hair));
    }

    void addSkin(std::uint32_t hip, std::uint32_t knee) {
        Skin skin;
        skin.name = "skin";
        skin.block = arena.addBlock();
        skin.joints = put<std::uint32_t>(arena, skin.block, {hip, knee, knee, knee, knee});
        Vector<float> binds;
        for (int joint = 0; joint < 5; ++joint)
            for (int i = 0; i < 16; ++i) binds.push_back(i % 5 == 0 ? 1.f : i == 13 && joint > 0 ? -1.f : 0.f);
        skin.inverseBindMatrices = put(arena, skin.block, binds);
        skin.skeletonRoot = hip;
        scene.skins.push_back(std::move(skin));
    }

    void addMaterial() {
        Image image{"skin.png", "image/png", {}, ""};
        image.bytes = put<std::uint8_t>(arena, arena.addBlock(), {1, 2, 3});
        scene.images.push_back(std::move(image));
        Texture texture;
        texture.name = "skin";
        texture.image = 0;
        scene.textures.push_back(std::move(texture));
        Material material;
        material.name = "cloth";
        material.slots.push_back({"baseColor", "Diffuse", 0, false, {1, 1, 1, 1}});
        scene.materials.push_back(std::move(material));
    }

    void addClip(std::uint32_t hip) {
        Clip clip;
        clip.name = "walk";
        clip.block = arena.addBlock();
        clip.duration = 1;
        clip.frameRate = 30;
        const auto times = put(arena, clip.block, {0.f, 1.f});
        Track turn;
        turn.target = scene.strings.intern("knee");
        turn.path = Path::rotation;
        turn.interpolation = Interpolation::slerp;
        turn.times = times;
        turn.values = put(arena, clip.block, {0.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 0.f});
        clip.tracks.push_back(turn);
        Track move;
        move.target = scene.strings.intern("hip");
        move.node = hip;
        move.times = times;
        move.values = put(arena, clip.block, {0.f, 0.f, 0.f, 1.f, 0.f, 0.f});
        clip.tracks.push_back(move);
        Track curve;  // animates one component, with an interpolation per key
        curve.target = move.target;
        curve.component = 1;
        curve.interpolation = Interpolation::perKey;
        curve.times = times;
        curve.values = put(arena, clip.block, {0.f, 1.f});
        curve.kinds = put<std::uint8_t>(arena, clip.block, {4, 0});
        curve.tangents = put(arena, clip.block, {0.f, 0.f, 0.f, std::numeric_limits<float>::infinity()});
        curve.weights = put(arena, clip.block, {0.3f, 0.3f, 0.3f, 0.3f});
        clip.tracks.push_back(curve);
        clip.events.push_back({0.5f, scene.strings.intern("step")});
        clip.overrides.push_back({turn.target, Mode::relative, true, false, false});
        scene.clips.push_back(std::move(clip));
    }

    void addInstances() {
        InstanceSet set;
        set.reference = 0;
        set.block = arena.addBlock();
        set.transforms = put(arena, set.block, {1.f, 2.f, 3.f, 0.f, 0.f, 0.f, 1.f, 1.f, 1.f, 1.f});
        set.names = put<std::uint32_t>(arena, set.block, {0});
        scene.instances.push_back(set);
    }
};

}  // namespace rigcast::test
