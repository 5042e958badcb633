#include <gtest/gtest.h>

#include <numbers>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "scene/validate.hpp"
#include "support/open.hpp"
#include "support/scenes.hpp"

namespace rigcast {
namespace {

Vector<std::string> namesOf(const Scene& scene) {
    Vector<std::string> names;
    for (const Node& node : scene.nodes) names.push_back(scene.strings[node.name]);
    return names;
}

/// Nodes: root, leaf (child of arm), arm (child of body), body and tail (children of root). The
/// ancestors of leaf follow it.
struct Shuffled {
    Scene scene;
    Arena arena;
    Shuffled() {
        scene.strings.intern("");
        test::addNode(scene, "root", none);
        test::addNode(scene, "leaf", 2);
        test::addNode(scene, "arm", 3);
        test::addNode(scene, "body", 0);
        test::addNode(scene, "tail", 0);
    }
};

TEST(ParentsFirst, LateAncestorsMoveBeforeTheirFirstDescendant) {
    Shuffled shuffled;
    parentsFirst(shuffled.scene, shuffled.arena);
    EXPECT_EQ(namesOf(shuffled.scene), (Vector<std::string>{"root", "body", "arm", "leaf", "tail"}));
    Vector<std::uint32_t> parents;
    for (const Node& node : shuffled.scene.nodes) parents.push_back(node.parent);
    EXPECT_EQ(parents, (Vector<std::uint32_t>{none, 0, 1, 2, 0}));
    test::expectSound(shuffled.scene, shuffled.arena);
}

TEST(ParentsFirst, UpdatesEveryNodeIndex) {
    Shuffled shuffled;
    Scene& scene = shuffled.scene;
    Arena& arena = shuffled.arena;
    constexpr std::uint32_t leaf = 1;
    Skin skin;
    skin.block = arena.addBlock();
    skin.joints = test::put<std::uint32_t>(arena, skin.block, {leaf, 2, 4});
    skin.skeletonRoot = 3;
    scene.skins.push_back(skin);
    scene.skins.push_back(skin);  // shares the column, so the column is updated once
    scene.renderers.push_back({"", leaf, 0, none, {}, true, {}});
    scene.lights.push_back({.name = "", .node = leaf, .properties = {}});
    scene.cameras.push_back({.name = "", .node = leaf, .properties = {}});
    InstanceSet set;
    set.node = leaf;
    scene.instances.push_back(set);
    scene.features.push_back({"socket", "", leaf, {}});
    scene.features.push_back({"loose", "", none, {}});
    Clip clip;
    clip.tracks.resize(2);
    clip.tracks[0].node = leaf;
    scene.clips.push_back(clip);
    parentsFirst(scene, arena);
    EXPECT_EQ(test::valuesOf(arena, scene.skins[1].joints), (Vector<std::uint32_t>{3, 2, 4}));
    EXPECT_EQ(scene.skins[0].skeletonRoot, 1u);
    EXPECT_EQ(scene.renderers[0].node, 3u);
    EXPECT_EQ(scene.lights[0].node, 3u);
    EXPECT_EQ(scene.cameras[0].node, 3u);
    EXPECT_EQ(scene.instances[0].node, 3u);
    EXPECT_EQ(scene.features[0].node, 3u);
    EXPECT_EQ(scene.features[1].node, none);
    EXPECT_EQ(scene.clips[0].tracks[0].node, 3u);
    EXPECT_EQ(scene.clips[0].tracks[1].node, none);
}

TEST(ParentsFirst, KeepsAValidOrder) {
    Scene scene;
    Arena arena;
    for (const std::string_view name : {"root", "a", "b", "c"}) test::addNode(scene, name, scene.nodes.empty() ? none : 0);
    scene.nodes[3].parent = 1;
    parentsFirst(scene, arena);
    EXPECT_EQ(namesOf(scene), (Vector<std::string>{"root", "a", "b", "c"}));
}

TEST(ParentsFirst, LongReversedChainIsLinear) {
    Scene scene;
    Arena arena;
    const std::uint32_t count = 100'000;
    test::addNode(scene, "root", none);
    for (std::uint32_t i = 1; i < count; ++i) test::addNode(scene, "bone", i + 1 < count ? i + 1 : 0);
    parentsFirst(scene, arena);
    for (std::uint32_t i = 1; i < count; ++i) ASSERT_EQ(scene.nodes[i].parent, i - 1);
}

TEST(ParentsFirst, EndsForInvalidTrees) {
    Scene scene;
    Arena arena;
    test::addNode(scene, "root", none);
    test::addNode(scene, "a", 2);
    test::addNode(scene, "b", 1);
    test::addNode(scene, "c", 99);
    parentsFirst(scene, arena);
    EXPECT_EQ(scene.nodes.size(), 4u);
}

// ------------------------------------------------------------------------------------------------ rest

Vec3 originOf(const Mat4& matrix) { return transformPoint(matrix, {}); }

TEST(RestMatrices, MultiplyLocalTransformsAlongTheTree) {
    Scene scene;
    test::addNode(scene, "root", none, {1, 0, 0});
    test::addNode(scene, "hip", 0, {0, 2, 0}, 0);
    test::addNode(scene, "knee", 1, {3, 0, 0}, 1);
    scene.nodes[1].local.rotation = {0, 0, std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2};
    scene.nodes[1].local.scale = {2, 2, 2};
    const Vec3 knee = originOf(restMatrices(scene)[2]);
    EXPECT_NEAR(knee.x, 1, 1e-12);
    EXPECT_NEAR(knee.y, 8, 1e-12);
    EXPECT_NEAR(knee.z, 0, 1e-12);
}

/// A bone of scale (2, 3, 4) below a root of scale 5. Its child at (1, 1, 1) rotates by 90 degrees
/// about z.
Scene compensated(bool compensates) {
    Scene scene;
    test::addNode(scene, "root", none);
    scene.nodes[0].local.scale = {5, 5, 5};
    test::addNode(scene, "upper", 0, {}, 0);
    scene.nodes[1].local.scale = {2, 3, 4};
    test::addNode(scene, "lower", 1, {1, 1, 1}, 1);
    scene.nodes[2].local.rotation = {0, 0, std::numbers::sqrt2 / 2, std::numbers::sqrt2 / 2};
    for (Node& node : scene.nodes) node.segmentScaleCompensate = compensates;
    return scene;
}

TEST(RestMatrices, ChildInheritsScaleUnlessItCompensates) {
    const Mat4 matrix = restMatrices(compensated(false))[2];
    const Vec3 x = transformPoint(matrix, {1, 0, 0}) - originOf(matrix);
    EXPECT_NEAR(x.y, 15, 1e-12);  // rotated to y, then scaled by 3 and 5
}

TEST(RestMatrices, CompensatingChildMovesWithTheScaleButIsNotScaled) {
    const Mat4 matrix = restMatrices(compensated(true))[2];
    const Vec3 origin = originOf(matrix), x = transformPoint(matrix, {1, 0, 0}) - origin, z = transformPoint(matrix, {0, 0, 1}) - origin;
    EXPECT_NEAR(origin.x, 10, 1e-12);
    EXPECT_NEAR(origin.y, 15, 1e-12);
    EXPECT_NEAR(origin.z, 20, 1e-12);
    EXPECT_NEAR(x.x, 0, 1e-12);
    EXPECT_NEAR(x.y, 5, 1e-12);  // the scale of the bone is compensated; that of the root is not, because the root is not a bone
    EXPECT_NEAR(z.z, 5, 1e-12);
}

TEST(RestMatrices, ScaleOfZeroCannotBeCompensated) {
    Scene scene = compensated(true);
    scene.nodes[1].local.scale = {0, 1, 1};
    const auto matrices = restMatrices(scene);
    for (const double value : matrices[2].m) EXPECT_TRUE(std::isfinite(value));
}

}  // namespace
}  // namespace rigcast
