// Tests the conversion of SEModel files.
#include <gtest/gtest.h>

#include <cmath>

#include "scene/lower.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/se.hpp"
#include "support/sweeps.hpp"

namespace rigcast::test {
namespace {

std::unique_ptr<Opened> openModel(const SeModelSpec& spec, const std::string& options = "") {
    return readBytes("", makeSeModel(spec), {.name = "arm.semodel", .options = options});
}

template <class T>
Vector<T> list(const Opened& opened, const Column<T>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

const Node& nodeOf(const Opened& opened, std::int32_t bone) {
    for (const Node& node : opened.scene.nodes)
        if (node.bone == bone) return node;
    ADD_FAILURE() << "no bone " << bone;
    return opened.scene.nodes[0];
}

TEST(SeModel, FixturesEqualTheOutputOfTheirGenerator) {
    for (const SeFixture& fixture : seFixtures()) {
        const auto committed = readFile(dataFolder() / "se" / fixture.name);
        ASSERT_TRUE(committed) << fixture.name << ": run rigcast_seFixtures";
        EXPECT_TRUE(*committed == fixture.bytes) << fixture.name << ": run rigcast_seFixtures";
    }
}

void expectSame(const Vector<std::uint8_t>& bytes) {
    SeModel model;
    Diagnostics diagnostics;
    ASSERT_TRUE(readSeModel(bytes, model, diagnostics));
    EXPECT_TRUE(writeSeModel(model) == bytes);
    EXPECT_TRUE(diagnostics.findings().empty());
}

TEST(SeModel, ValidFilesAreWrittenByteForByte) {
    expectSame(makeSeModel(armModel()));
    for (const int parts : {0, int{seGlobal}, int{seLocal}, seGlobal | seLocal, seLocal | seScale}) {
        SeModelSpec spec = armModel();
        spec.boneParts = static_cast<std::uint8_t>(parts);
        expectSame(makeSeModel(spec));
    }
    SeModelSpec wide = armModel();  // two-byte bones and vertices
    while (wide.bones.size() < 300) wide.bones.push_back({.name = "b" + std::to_string(wide.bones.size()), .parent = 0});
    wide.meshes[0].vertexCount = 300;
    wide.meshes[0].positions.resize(900);
    wide.meshes[0].normals.resize(900);
    wide.meshes[0].colors.resize(1200);
    for (auto& layer : wide.meshes[0].uvs) layer.resize(600);
    wide.meshes[0].bones.resize(900);
    wide.meshes[0].weights.resize(900);
    wide.extraHeader = "later";
    expectSame(makeSeModel(wide));
    SeModelSpec large;  // four-byte vertices
    SeMeshSpec mesh;
    mesh.vertexCount = 65536;
    mesh.positions.resize(65536 * 3);
    mesh.faces = {0, 65535, 1};
    large.meshes.push_back(mesh);
    expectSame(makeSeModel(large));
}

TEST(SeModel, RootConvertsToMetresAndYUp) {
    const auto opened = openModel(armModel());
    const Node& root = opened->scene.nodes[0];
    EXPECT_EQ(root.local.scale.x, 0.01);
    EXPECT_NEAR(root.local.rotation.x, -std::sqrt(0.5), 1e-9);
    EXPECT_EQ(opened->scene.asset.upAxis, "z");
    EXPECT_EQ(opened->scene.asset.metresPerUnit, 0.01);
    const auto other = openModel(armModel(), R"({"se": {"upAxis": "y", "unit": 0.0254}})");
    EXPECT_EQ(other->scene.nodes[0].local.scale.x, 0.0254);
    EXPECT_EQ(other->scene.nodes[0].local.rotation.x, 0);
}

TEST(SeModel, BonesBecomeNodesWithTheirLocalPose) {
    SeModelSpec spec = armModel();
    spec.bones[1].scale = {1, 2, 3};
    spec.bones[2].flags = 1;
    const auto opened = openModel(spec);
    ASSERT_EQ(opened->scene.nodes.size(), 4u);
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[2].name], "Upper");
    EXPECT_EQ(opened->scene.nodes[3].parent, 2u);
    EXPECT_EQ(opened->scene.nodes[3].local.translation.z, 40);
    EXPECT_EQ(opened->scene.nodes[2].local.scale.z, 3);
    EXPECT_EQ(opened->scene.nodes[3].properties.size(), 1u);
}

TEST(SeModel, DerivesLocalPosesFromGlobalPoses) {
    SeModelSpec spec = armModel();
    spec.boneParts = seGlobal;
    const float half = std::sqrt(0.5f);
    spec.bones[1].global = {0, 0, 40, half, 0, 0, half};    // rotated about x
    spec.bones[2].global = {0, -40, 40, half, 0, 0, half};  // 40 units along its z
    const auto opened = openModel(spec);
    const Transform& lower = nodeOf(*opened, 2).local;
    EXPECT_NEAR(lower.translation.x, 0, 1e-5);
    EXPECT_NEAR(lower.translation.y, 0, 1e-5);
    EXPECT_NEAR(lower.translation.z, 40, 1e-5);
    EXPECT_NEAR(std::fabs(lower.rotation.w), 1, 1e-6);
    EXPECT_FALSE(opened->has(Code::BONE_TRANSFORM_DISAGREES));
}

TEST(SeModel, AcceptsParentsAfterChildren) {
    SeModelSpec spec = armModel();
    std::swap(spec.bones[0], spec.bones[2]);
    spec.bones[0].parent = 1;
    spec.bones[1].parent = 2;
    spec.bones[2].parent = -1;
    const auto opened = openModel(spec);
    EXPECT_EQ(opened->scene.strings[nodeOf(*opened, 0).name], "Lower");
    // Joints are in the order of bones, not of nodes.
    const auto joints = list(*opened, opened->scene.skins[0].joints);
    for (std::uint32_t bone = 0; bone < 3; ++bone) EXPECT_EQ(opened->scene.nodes[joints[bone]].bone, static_cast<std::int32_t>(bone));
}

TEST(SeModel, InverseBindMatricesInvertTheRestPose) {
    const auto opened = openModel(armModel());
    const auto matrices = list(*opened, opened->scene.skins[0].inverseBindMatrices);
    EXPECT_EQ(matrices[2 * 16 + 14], -80);
    EXPECT_EQ(matrices[0], 1);
}

TEST(SeModel, MeshesKeepEveryAttribute) {
    const auto opened = openModel(armModel());
    ASSERT_EQ(opened->scene.meshes.size(), 1u);
    const Mesh& mesh = opened->scene.meshes[0];
    EXPECT_EQ(list(*opened, mesh.positions)[5], 0);
    EXPECT_EQ(list(*opened, mesh.positions)[8], 40);
    EXPECT_EQ(list(*opened, mesh.normals)[1], -1);
    ASSERT_EQ(mesh.uvs.size(), 2u);
    EXPECT_EQ(list(*opened, mesh.uvs[0]), (Vector<float>{0, 1, 1, 1, 0, 0.5f, 1, 0.5f, 0, 0, 1, 0}));
    EXPECT_EQ(list(*opened, mesh.uvs[1])[2], 0.5f);
    ASSERT_EQ(mesh.colors.size(), 1u);
    EXPECT_EQ(list(*opened, mesh.colors[0].bytes)[5], 40);
    EXPECT_EQ(list(*opened, mesh.indices16), (Vector<std::uint16_t>{0, 1, 2, 1, 3, 2, 2, 3, 4, 3, 5, 4}));  // reversed to counter-clockwise
    EXPECT_EQ(list(*opened, mesh.weights)[4], 0.5f);
    EXPECT_EQ(mesh.groups[0].material, 0u);
    EXPECT_EQ(mesh.properties.size(), 1u);  // material of the second layer, by name
}

TEST(SeModel, ComputesMissingNormals) {
    SeModelSpec spec = armModel();
    spec.meshParts = 0;
    spec.meshes[0].uvs.clear();
    spec.meshes[0].materials.clear();
    spec.meshes[0].bones.clear();
    spec.meshes[0].weights.clear();
    const auto opened = openModel(spec);
    EXPECT_EQ(list(*opened, opened->scene.meshes[0].normals)[1], -1);
    EXPECT_FALSE(hasJoints(opened->scene.meshes[0]));
    EXPECT_EQ(opened->diagnostics.total(Severity::warning) + opened->diagnostics.total(Severity::error), 0u);
}

TEST(SeModel, ReplacesDamagedNormalsByThoseOfTheFaces) {
    SeModelSpec spec = armModel();
    Vector<float>& normals = spec.meshes[0].normals;
    std::fill_n(normals.begin(), 3, 0.f);
    normals[3] = std::numeric_limits<float>::quiet_NaN();
    const auto opened = openModel(spec);
    EXPECT_EQ(list(*opened, opened->scene.meshes[0].normals)[1], -1);
    EXPECT_EQ(list(*opened, opened->scene.meshes[0].normals)[4], -1);
    ASSERT_TRUE(opened->has(Code::NORMAL_DAMAGED));
    EXPECT_EQ(opened->finding(Code::NORMAL_DAMAGED)->count, 2u);
}

TEST(SeModel, KeepsAllInfluences) {
    SeModelSpec spec = armModel();
    while (spec.bones.size() < 8) spec.bones.push_back({.name = "b" + std::to_string(spec.bones.size()), .parent = 0});
    spec.boneParts = seLocal;
    SeMeshSpec& mesh = spec.meshes[0];
    mesh.influences = 8;
    mesh.bones.clear();
    mesh.weights.clear();
    for (int i = 0; i < 48; ++i) {
        mesh.bones.push_back(static_cast<std::uint32_t>(i % 8));
        mesh.weights.push_back(0.125f);
    }
    const auto opened = openModel(spec);
    EXPECT_EQ(opened->scene.meshes[0].maxInfluences, 8u);
    EXPECT_EQ(list(*opened, opened->scene.meshes[0].influenceWeights), Vector<float>(48, 0.125f));
}

TEST(SeModel, MaterialsReferToTheirImages) {
    const auto opened = openModel(armModel());
    ASSERT_EQ(opened->scene.materials.size(), 2u);
    const Material& skin = opened->scene.materials[0];
    EXPECT_EQ(skin.name, "skin");
    EXPECT_EQ(skin.side, Side::both);
    ASSERT_EQ(skin.slots.size(), 3u);
    EXPECT_EQ(skin.slots[0].slot, "baseColor");
    EXPECT_EQ(skin.slots[2].slot, "specularColor");
    EXPECT_EQ(opened->scene.images[0].path, "images/skin_c.png");
    EXPECT_TRUE(opened->scene.textures[0].srgb);
    EXPECT_FALSE(opened->scene.textures[1].srgb);
    EXPECT_EQ(opened->scene.references[1].name, "images\\skin_n.png");
    EXPECT_TRUE(opened->scene.materials[1].slots.empty());
}

TEST(SeModel, OutlineContainsEveryByte) {
    const auto bytes = makeSeModel(armModel());
    const OpenedOutline opened = readOutline("", bytes);
    std::uint64_t sum = 0;
    for (const OutlineNode& part : opened.outline) sum += part.size;
    const OutlineNode& bones = opened.outline[1];
    ASSERT_EQ(bones.children.size(), 3u);
    EXPECT_EQ(bones.children[1].name, "Upper");
    std::uint64_t names = 0;
    for (const OutlineNode& bone : bones.children) names += bone.name.size() + 1;
    EXPECT_EQ(sum + names, bytes.size());
}

TEST(SeModel, NoDamageBreaksTheContract) {
    const auto bytes = makeSeModel(armModel());
    everyPrefix(bytes, "");
    bytePatches(bytes, 0, bytes.size(), "");
}

}  // namespace
}  // namespace rigcast::test
