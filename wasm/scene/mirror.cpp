// Converts left-handed data to right-handed data by negating z. (A root with negative scale would
// instead break skinning, culling and exporters.) Lights and cameras need no change: in Unity they
// face +Z, which becomes -Z.
#include <utility>

#include "scene/lower.hpp"

namespace rigcast {

namespace {

/// Mirrors columns. Meshes can share columns, so each column is mirrored only once.
class Mirror {
public:
    explicit Mirror(Arena& arena) : arena_(arena) {}

    /// Negates the given components in every group of `width` scalars.
    void negate(const Column<float>& column, std::size_t width, std::initializer_list<std::size_t> components) {
        if (!seen_.add(column)) return;
        const std::span<float> values = arena_.values(column);
        for (std::size_t at = 0; at + width <= values.size(); at += width)
            for (const std::size_t component : components) values[at + component] = -values[at + component];
    }

    template <class Index>
    void reverseWinding(const Column<Index>& column) {
        if (!seen_.add(column)) return;
        const std::span<Index> indices = arena_.values(column);
        for (std::size_t at = 0; at + 2 < indices.size(); at += 3) std::swap(indices[at + 1], indices[at + 2]);
    }

    /// Mirrors matrices from geometry space to node space: negates rows if nodes are left-handed,
    /// and columns if the geometry is left-handed.
    void matrices(const Column<float>& column, const Handedness& left) {
        if (!seen_.add(column)) return;
        const std::span<float> values = arena_.values(column);
        for (std::size_t i = 0; i < values.size(); ++i) {
            const bool row = left.nodes && i % 4 == 2, column2 = left.geometry && i % 16 / 4 == 2;
            if (row != column2) values[i] = -values[i];
        }
    }

private:
    Arena& arena_;
    SeenColumns seen_;
};

void mirrorMesh(Mirror& mirror, Mesh& mesh) {
    mirror.negate(mesh.positions, 3, {2});
    mirror.negate(mesh.normals, 3, {2});
    // Mirroring reverses the direction of cross(normal, tangent), so the sign of w changes too.
    mirror.negate(mesh.tangents, 4, {2, 3});
    for (const MorphTarget& morph : mesh.morphs) {
        mirror.negate(morph.positions, 3, {2});
        mirror.negate(morph.normals, 3, {2});
    }
    mirror.reverseWinding(mesh.indices16);
    mirror.reverseWinding(mesh.indices32);
}

void mirrorTrack(Mirror& mirror, const Track& track) {
    const bool whole = track.component == allComponents;
    // Mirrors the tangents of keys in the same way as values. Each key has an in tangent and an out
    // tangent, so `both` visits two groups per key.
    const auto both = [&](std::size_t width, std::initializer_list<std::size_t> components) {
        mirror.negate(track.values, width, components);
        mirror.negate(track.tangents, width, components);
    };
    if (track.path == Path::translation) {
        if (whole)
            both(3, {2});
        else if (track.component == 2)
            both(1, {0});
    } else if (track.path == Path::rotation) {
        if (whole)
            both(4, {0, 1});
        else if (track.component < 2)
            both(1, {0});
    }
}

}  // namespace

void mirrorZ(Scene& scene, Arena& arena, const Handedness& leftHanded) {
    Mirror mirror(arena);
    if (leftHanded.geometry)
        for (Mesh& mesh : scene.meshes) mirrorMesh(mirror, mesh);
    if (leftHanded.geometry || leftHanded.nodes)
        for (const Skin& skin : scene.skins) mirror.matrices(skin.inverseBindMatrices, leftHanded);
    if (leftHanded.nodes) {
        for (Node& node : scene.nodes) {
            node.local.translation.z = -node.local.translation.z;
            node.local.rotation.x = -node.local.rotation.x;
            node.local.rotation.y = -node.local.rotation.y;
        }
        for (const InstanceSet& set : scene.instances) mirror.negate(set.transforms, 10, {2, 3, 4});
    }
    if (leftHanded.tracks)
        for (const Clip& clip : scene.clips)
            for (const Track& track : clip.tracks) mirrorTrack(mirror, track);
}

}  // namespace rigcast
