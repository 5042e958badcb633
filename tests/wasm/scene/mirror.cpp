#include <gtest/gtest.h>

#include <cmath>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/open.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using Floats = Vector<float>;
constexpr Handedness everything{true, true, true};

Mat4 matrixAt(const Floats& values, std::size_t i) {
    Mat4 matrix;
    for (std::size_t k = 0; k < 16; ++k) matrix.m[k] = double{values[i * 16 + k]};
    return matrix;
}

Vec3 mirrored(Vec3 v) { return {v.x, v.y, -v.z}; }

void expectNear(Vec3 actual, Vec3 expected) {
    EXPECT_NEAR(actual.x, expected.x, 1e-6);
    EXPECT_NEAR(actual.y, expected.y, 1e-6);
    EXPECT_NEAR(actual.z, expected.z, 1e-6);
}

TEST(MirrorZ, NegatesZOfPositionsNormalsAndDeltas) {
    test::FullScene full;
    mirrorZ(full.scene, full.arena, everything);
    const Mesh& mesh = full.scene.meshes[0];
    EXPECT_EQ(test::valuesOf(full.arena, mesh.normals), (Floats{0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1}));
    EXPECT_EQ(test::valuesOf(full.arena, mesh.morphs[0].positions), (Floats{0, 0, -2, 0, 0, -2}));
}

TEST(MirrorZ, TrianglesKeepTheirFrontAndTangentsTheirBitangent) {
    test::FullScene full;
    const Mesh before = full.scene.meshes[0];
    const Floats oldTangents = test::valuesOf(full.arena, before.tangents);
    mirrorZ(full.scene, full.arena, everything);
    const Mesh& mesh = full.scene.meshes[0];
    const Floats normals = test::valuesOf(full.arena, mesh.normals), tangents = test::valuesOf(full.arena, mesh.tangents);
    EXPECT_EQ(test::valuesOf(full.arena, mesh.indices16), (Vector<std::uint16_t>{0, 2, 1, 0, 3, 2}));
    Floats smooth(12);
    const auto indices = test::valuesOf(full.arena, mesh.indices16);
    smoothNormals(full.arena.values(mesh.positions), Vector<std::uint32_t>(indices.begin(), indices.end()), {}, smooth);
    EXPECT_EQ(smooth, normals);
    const auto bitangent = [](Vec3 n, const Floats& t) { return cross(n, {t[0], t[1], t[2]}) * double{t[3]}; };
    expectNear(bitangent({0, 0, -1}, tangents), mirrored(bitangent({0, 0, 1}, oldTangents)));
}

TEST(MirrorZ, SkinnedPointsAreMirrorImages) {
    test::FullScene full;
    Node& knee = full.scene.nodes[2];
    knee.local = {{1, 2, 3}, normalized({0.1, 0.2, 0.3, 0.9}), {1, 2, 1}};
    auto binds = full.arena.values(full.scene.skins[0].inverseBindMatrices);
    for (std::size_t i = 0; i < binds.size(); ++i) binds[i] = i % 4 == 3 ? (i % 16 == 15 ? 1.f : 0.f) : static_cast<float>(i % 7) - 2;
    const Floats oldBinds = test::valuesOf(full.arena, full.scene.skins[0].inverseBindMatrices);
    const Vec3 point{0.5, -1, 2};
    const Vec3 world = transformPoint(restMatrices(full.scene)[2], point);
    mirrorZ(full.scene, full.arena, everything);
    expectNear(transformPoint(restMatrices(full.scene)[2], mirrored(point)), mirrored(world));
    const Floats newBinds = test::valuesOf(full.arena, full.scene.skins[0].inverseBindMatrices);
    for (std::size_t joint = 0; joint < 5; ++joint)
        expectNear(transformPoint(matrixAt(newBinds, joint), mirrored(point)), mirrored(transformPoint(matrixAt(oldBinds, joint), point)));
}

TEST(MirrorZ, MirrorsInverseBindMatricesByGeometryAndByNodes) {
    for (const bool geometry : {false, true})
        for (const bool nodes : {false, true}) {
            test::FullScene full;
            auto binds = full.arena.values(full.scene.skins[0].inverseBindMatrices);
            for (std::size_t i = 0; i < 16; ++i) binds[i] = i % 4 == 3 ? (i == 15 ? 1.f : 0.f) : static_cast<float>(i) + 1;
            const Mat4 old = matrixAt(test::valuesOf(full.arena, full.scene.skins[0].inverseBindMatrices), 0);
            mirrorZ(full.scene, full.arena, {geometry, nodes, false});
            const Mat4 now = matrixAt(test::valuesOf(full.arena, full.scene.skins[0].inverseBindMatrices), 0);
            const Vec3 point{1, 2, 3}, expected = transformPoint(old, point);
            expectNear(transformPoint(now, geometry ? mirrored(point) : point), nodes ? mirrored(expected) : expected);
        }
}

TEST(MirrorZ, MirrorsTracksAndTheirTangents) {
    Scene scene;
    Arena arena;
    Clip clip;
    clip.block = arena.addBlock();
    const auto track = [&](Path path, std::uint8_t component, const Floats& values, const Floats& tangents) {
        Track made;
        made.path = path;
        made.component = component;
        made.values = test::put(arena, clip.block, values);
        made.tangents = test::put(arena, clip.block, tangents);
        clip.tracks.push_back(made);
    };
    track(Path::translation, allComponents, {1, 2, 3}, {1, 2, 3, 4, 5, 6});
    track(Path::rotation, allComponents, {1, 2, 3, 4}, {1, 2, 3, 4, 5, 6, 7, 8});
    track(Path::scale, allComponents, {1, 2, 3}, {1, 2, 3, 4, 5, 6});
    for (std::uint8_t component = 0; component < 4; ++component) {
        if (component < 3) track(Path::translation, component, {1}, {2, 3});
        track(Path::rotation, component, {1}, {2, 3});
    }
    track(Path::weight, allComponents, {1}, {2, 3});
    scene.clips.push_back(clip);
    mirrorZ(scene, arena, {false, false, true});
    const auto& tracks = scene.clips[0].tracks;
    const auto values = [&](std::size_t i) { return test::valuesOf(arena, tracks[i].values); };
    const auto tangents = [&](std::size_t i) { return test::valuesOf(arena, tracks[i].tangents); };
    EXPECT_EQ(values(0), (Floats{1, 2, -3}));
    EXPECT_EQ(tangents(0), (Floats{1, 2, -3, 4, 5, -6}));
    EXPECT_EQ(values(1), (Floats{-1, -2, 3, 4}));
    EXPECT_EQ(tangents(1), (Floats{-1, -2, 3, 4, -5, -6, 7, 8}));
    EXPECT_EQ(values(2), (Floats{1, 2, 3}));
    for (std::size_t i = 3; i < tracks.size(); ++i) {
        const Track& t = tracks[i];
        const bool turned = (t.path == Path::translation && t.component == 2) || (t.path == Path::rotation && t.component < 2);
        EXPECT_EQ(values(i), (Floats{turned ? -1.f : 1.f})) << i;
        EXPECT_EQ(tangents(i), turned ? (Floats{-2, -3}) : (Floats{2, 3})) << i;
    }
}

TEST(MirrorZ, MirrorsOnlyLeftHandedData) {
    test::FullScene full;
    const Floats positions = test::valuesOf(full.arena, full.scene.meshes[0].positions);
    const Floats transforms = test::valuesOf(full.arena, full.scene.instances[0].transforms);
    mirrorZ(full.scene, full.arena, {false, false, true});
    EXPECT_EQ(test::valuesOf(full.arena, full.scene.meshes[0].positions), positions);
    EXPECT_EQ(test::valuesOf(full.arena, full.scene.instances[0].transforms), transforms);
    mirrorZ(full.scene, full.arena, {false, true, false});
    EXPECT_EQ(test::valuesOf(full.arena, full.scene.meshes[0].positions), positions);
    EXPECT_EQ(test::valuesOf(full.arena, full.scene.instances[0].transforms)[2], -transforms[2]);
}

TEST(MirrorZ, MirrorsSharedColumnsOnce) {
    test::FullScene full;
    full.scene.meshes.push_back(full.scene.meshes[0]);
    mirrorZ(full.scene, full.arena, everything);
    EXPECT_EQ(test::valuesOf(full.arena, full.scene.meshes[2].normals)[2], -1);
}

TEST(MirrorZ, MirroringTwiceIsTheIdentity) {
    test::FullScene full, mirroredTwice;
    mirrorZ(mirroredTwice.scene, mirroredTwice.arena, everything);
    mirrorZ(mirroredTwice.scene, mirroredTwice.arena, everything);
    for (std::size_t block = 0; block < full.arena.blocks().size(); ++block)
        for (std::size_t i = 0; i < full.arena.blocks()[block].pieces.size(); ++i) {
            const auto& a = full.arena.blocks()[block].pieces[i];
            const auto& b = mirroredTwice.arena.blocks()[block].pieces[i];
            ASSERT_EQ(a.size, b.size);
            EXPECT_EQ(std::memcmp(a.data.get(), b.data.get(), a.size), 0) << block << " " << i;
        }
}

TEST(MirrorZ, KeepsTheSceneValid) {
    test::FullScene full;
    mirrorZ(full.scene, full.arena, everything);
    computeBounds(full.scene, full.arena);
    test::expectSound(full.scene, full.arena);
}

}  // namespace
}  // namespace rigcast
