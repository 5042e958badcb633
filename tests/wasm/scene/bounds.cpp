#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

using Floats = Vector<float>;

TEST(Bounds, MeshBoxContainsTheRestPose) {
    test::FullScene full;
    const Mesh& mesh = full.scene.meshes[0];
    for (int k = 0; k < 3; ++k) {
        EXPECT_EQ(mesh.min[k], 0);
        EXPECT_EQ(mesh.max[k], k < 2 ? 1 : 0);
        EXPECT_EQ(mesh.center[k], k < 2 ? 0.5 : 0);
    }
}

TEST(Bounds, SphereContainsEveryMorphAtItsMaximum) {
    test::FullScene full;
    EXPECT_DOUBLE_EQ(full.scene.meshes[0].radius, std::sqrt(0.5 + 4));
    full.scene.meshes[0].morphs[0].maximum = 3;
    full.scene.meshes[0].radius = 0;
    computeBounds(full.scene, full.arena);
    EXPECT_DOUBLE_EQ(full.scene.meshes[0].radius, std::sqrt(0.5 + 36));
}

TEST(Bounds, StrandsAreBoundedByTheirVertices) {
    test::FullScene full;
    EXPECT_EQ(full.scene.meshes[1].max[1], 2);
    EXPECT_EQ(full.scene.meshes[1].radius, 1);
}

TEST(Bounds, KeepsExistingBounds) {
    test::FullScene full;
    full.scene.meshes[0].radius = 7;
    const Column<float> boxes = full.scene.skins[0].jointBoxes;
    computeBounds(full.scene, full.arena);
    EXPECT_EQ(full.scene.meshes[0].radius, 7);
    EXPECT_EQ(full.scene.skins[0].jointBoxes.offset, boxes.offset);
}

/// Expects a box that contains `wanted` and is only slightly larger.
void expectBox(const float* box, const Floats& wanted) {
    for (std::size_t k = 0; k < 3; ++k) {
        EXPECT_LE(box[k], wanted[k]);
        EXPECT_NEAR(box[k], wanted[k], 1e-5);
        EXPECT_GE(box[3 + k], wanted[3 + k]);
        EXPECT_NEAR(box[3 + k], wanted[3 + k], 1e-5);
    }
}

TEST(Bounds, JointBoxesContainTheVerticesOfEachJointInBindSpace) {
    test::FullScene full;
    const Floats boxes = test::valuesOf(full.arena, full.scene.skins[0].jointBoxes);
    ASSERT_EQ(boxes.size(), 30u);
    // Joint 0 (at the origin) moves vertices 0, 1 and 2. The morph target moves vertices 1 and 2 to
    // z = 2.
    expectBox(&boxes[0], {0, 0, 0, 1, 1, 2});
    // Joint 1 (at y = 1) moves vertices 0 (by one of its five influences), 2 and 3.
    expectBox(&boxes[6], {0, -1, 0, 1, 0, 2});
    // Joint 4 moves vertex 0 by its fifth influence, which is not among the strongest four.
    expectBox(&boxes[24], {0, -1, 0, 0, -1, 0});
}

TEST(Bounds, JointWithoutVerticesHasAnEmptyBox) {
    test::FullScene full;
    full.scene.renderers.clear();
    full.scene.skins[0].jointBoxes = {};
    computeBounds(full.scene, full.arena);
    const Floats boxes = test::valuesOf(full.arena, full.scene.skins[0].jointBoxes);
    for (std::size_t joint = 0; joint < 5; ++joint)
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_GT(boxes[joint * 6 + k], boxes[joint * 6 + 3 + k]);
            EXPECT_TRUE(std::isfinite(boxes[joint * 6 + k]));
        }
}

TEST(Bounds, JointBoxesContainEveryPointDespiteRounding) {
    Scene scene;
    Arena arena;
    test::addNode(scene, "root", none);
    Floats positions;
    for (int i = 0; i < 300; ++i) positions.push_back(static_cast<float>(std::sin(i * 1.7) * 1000));
    Vector<std::uint16_t> indices = {0, 1, 2};
    Mesh mesh = test::makeMesh(arena, positions, indices);
    PointInfluences influences;
    for (std::uint32_t i = 0; i <= 100; ++i) influences.offsets.push_back(i);
    influences.joints.assign(100, 0);
    influences.weights.assign(100, 1);
    InfluenceSummary summary;
    ASSERT_TRUE(setInfluences(arena, mesh, 1, influences, {}, summary));
    scene.meshes.push_back(mesh);
    Skin skin;
    skin.block = arena.addBlock();
    skin.joints = test::put<std::uint32_t>(arena, skin.block, {0});
    const Mat4 bind = compose({{1. / 3, 2, 3}, normalized({0.3, -0.1, 0.7, 0.2}), {1.1, 1.1, 1.1}});
    Floats rounded;
    for (const double value : bind.m) rounded.push_back(static_cast<float>(value));
    skin.inverseBindMatrices = test::put(arena, skin.block, rounded);
    scene.skins.push_back(skin);
    scene.renderers.push_back({"", 0, 0, 0, {}, true, {}});
    computeBounds(scene, arena);
    const Floats box = test::valuesOf(arena, scene.skins[0].jointBoxes);
    Mat4 matrix;
    for (int i = 0; i < 16; ++i) matrix.m[i] = double{rounded[i]};
    double low = 1e9, high = -1e9;
    for (std::size_t i = 0; i < 100; ++i) {
        const Vec3 point = transformPoint(matrix, {positions[i * 3], positions[i * 3 + 1], positions[i * 3 + 2]});
        EXPECT_GE(point.x, box[0]);
        EXPECT_LE(point.x, box[3]);
        EXPECT_GE(point.z, box[2]);
        EXPECT_LE(point.z, box[5]);
        low = std::min(low, point.x);
        high = std::max(high, point.x);
    }
    EXPECT_NEAR(box[0], low, 2e-3);  // tolerance: a few millionths of the coordinates
    EXPECT_NEAR(box[3], high, 2e-3);
}

TEST(Bounds, BoundsOfHugeCoordinatesAreFinite) {
    test::FullScene full;
    for (float& value : full.arena.values(full.scene.meshes[0].positions)) value = 3e38f;
    for (float& value : full.arena.values(full.scene.meshes[0].morphs[0].positions)) value = 3e38f;
    for (float& value : full.arena.values(full.scene.skins[0].inverseBindMatrices)) value = 3e38f;
    full.scene.meshes[0].morphs[0].maximum = 3e38f;
    computeBounds(full.scene, full.arena);
    EXPECT_TRUE(std::isfinite(full.scene.meshes[0].radius));
    for (const float value : test::valuesOf(full.arena, full.scene.skins[0].jointBoxes)) EXPECT_TRUE(std::isfinite(value));
}

TEST(Bounds, InvalidScenesCauseNoOutOfBoundsRead) {
    const auto survives = [](auto breakIt) {
        test::FullScene full;
        breakIt(full);
        computeBounds(full.scene, full.arena);
    };
    survives([](auto& full) { full.scene.meshes[0].positions.count = 3; });
    survives([](auto& full) { full.scene.meshes[0].vertexCount = 1'000'000; });
    survives([](auto& full) { full.arena.values(full.scene.meshes[0].influenceOffsets)[2] = 0xFFFFFFFF; });
    survives([](auto& full) { full.arena.values(full.scene.meshes[0].influenceJoints)[0] = 65535; });
    survives([](auto& full) { full.arena.values(full.scene.meshes[0].morphs[0].vertices)[1] = 0xFFFFFFFF; });
    survives([](auto& full) { full.scene.skins[0].inverseBindMatrices.count = 16; });
    survives([](auto& full) { full.scene.skins[0].block = 12345; });
    survives([](auto& full) { full.scene.renderers[0].mesh = 77; });
    survives([](auto& full) { full.scene.renderers[0].skin = 77; });
}

}  // namespace
}  // namespace rigcast
