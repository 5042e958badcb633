// Tests the conversion of .uemodel files to scenes (docs/formats/ueformat.md section 3).
#include <gtest/gtest.h>

#include <cmath>

#include "scene/lower.hpp"
#include "support/open.hpp"
#include "support/ueformat.hpp"

namespace rigcast::test {
namespace {

std::unique_ptr<Opened> openModel(const UeModelSpec& spec, int version = 10) {
    return readBytes("", makeUeModel(spec, version), {.name = "arm.uemodel"});
}

template <class T>
std::vector<T> valuesOf(const Opened& opened, const Column<T>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

/// A rectangle of two triangles and two materials, on two bones.
UeLodSpec rectangle(const std::string& name = "LOD0") {
    UeLodSpec lod;
    lod.name = name;
    lod.positions = {{0, 0, 0}, {0, 100, 0}, {100, 0, 0}, {100, 100, 50}};
    lod.normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}};
    lod.tangents = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
    lod.signs = {1, 1, -1, 1};
    lod.uvs = {{0, 0, 0, 1, 1, 0, 1, 0.25f}};
    lod.indices = {0, 1, 2, 1, 3, 2};
    lod.materials = {{"Skin", "/Game/Skin", 0, 1}, {"Cloth", "/Game/Cloth", 3, 1}};
    lod.weights = {{0, 0, 1}, {0, 1, 0.25f}, {1, 1, 0.75f}, {1, 2, 1}, {1, 3, 1}};
    return lod;
}

UeModelSpec model() {
    UeModelSpec spec;
    spec.lods = {rectangle()};
    spec.bones = {{"Root"}, {"Arm", 0, {10, 20, 30}}};
    return spec;
}

TEST(UeModel, AllVersionsGiveTheSameMesh) {
    for (int version = 0; version <= 10; ++version) {
        SCOPED_TRACE(version);
        const auto opened = openModel(model(), version);
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->diagnostics.findings().size(), 0u);
        const Mesh& mesh = opened->scene.meshes.at(0);
        EXPECT_EQ(valuesOf(*opened, mesh.positions), (std::vector<float>{0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0.5f, 1}));
        EXPECT_EQ(valuesOf(*opened, mesh.indices16), (std::vector<std::uint16_t>{0, 1, 2, 1, 3, 2}));
        EXPECT_EQ(valuesOf(*opened, mesh.uvs.at(0)), (std::vector<float>{0, 0, 0, 1, 1, 0, 1, 0.25f}));
        EXPECT_FALSE(mesh.normalsComputed);
        // Version 0 stores no sign of the binormal, so its tangents are not used.
        EXPECT_EQ(mesh.tangents.present(), version > 0);
        if (version > 0) {
            EXPECT_EQ(valuesOf(*opened, mesh.tangents).at(11), -1);
        }
        EXPECT_EQ(mesh.groups.size(), 2u);
        EXPECT_EQ(valuesOf(*opened, mesh.weights), (std::vector<float>{1, 0, 0, 0, 0.75f, 0.25f, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
        const Vec3& arm = opened->scene.nodes.at(2).local.translation;
        EXPECT_NEAR(arm.x, 0.1, 1e-7);
        EXPECT_NEAR(arm.y, 0.3, 1e-7);
        EXPECT_NEAR(arm.z, 0.2, 1e-7);
    }
}

TEST(UeModel, OnlyTheFirstLevelOfDetailIsVisibleAndLevelsShareMaterials) {
    UeModelSpec spec = model();
    spec.lods.push_back(rectangle("LOD1"));
    spec.lods[1].materials[1].path = "/Game/Other";
    for (const int version : {4, 9, 10}) {
        SCOPED_TRACE(version);
        const auto opened = openModel(spec, version);
        ASSERT_EQ(opened->scene.renderers.size(), 2u);
        EXPECT_TRUE(opened->scene.renderers[0].visible);
        EXPECT_FALSE(opened->scene.renderers[1].visible);
        EXPECT_EQ(opened->scene.meshes[1].name, "LOD1");
        // Paths of materials are stored from version 6. A material with another path is another one.
        EXPECT_EQ(opened->scene.materials.size(), version < 6 ? 2u : 3u);
    }
}

TEST(UeModel, MissingNormalsAreComputed) {
    UeModelSpec spec = model();
    spec.lods[0].normals = {};
    spec.lods[0].tangents = {};
    const auto opened = openModel(spec);
    EXPECT_TRUE(opened->scene.meshes.at(0).normalsComputed);
    EXPECT_TRUE(opened->scene.meshes.at(0).normals.present());
    EXPECT_FALSE(opened->scene.meshes.at(0).tangents.present());
}

TEST(UeModel, TangentsWithoutDirectionAreLeftOut) {
    UeModelSpec spec = model();
    spec.lods[0].tangents[2] = {};
    EXPECT_FALSE(openModel(spec)->scene.meshes.at(0).tangents.present());
}

TEST(UeModel, BonesOfVersion10HaveAScaleIfTheirSizeSaysSo) {
    UeModelSpec spec = model();
    spec.bones[1].scale = {1, 2, 3};
    const auto scaled = openModel(spec);
    EXPECT_EQ(scaled->scene.nodes.at(2).local.scale.y, 3);
    EXPECT_EQ(scaled->scene.nodes.at(2).local.scale.z, 2);
    spec.hasBoneScale = false;
    const auto plain = openModel(spec);
    EXPECT_EQ(plain->diagnostics.findings().size(), 0u);
    EXPECT_EQ(plain->scene.nodes.at(2).local.scale.y, 1);
    EXPECT_NEAR(plain->scene.nodes.at(2).local.translation.x, 0.1, 1e-7);
}

/// Three bones whose scales are not uniform. Root is rotated by 90° about the engine's Z axis, so that
/// its X axis points along Y.
UeModelSpec scaledChain() {
    const double half = std::sqrt(0.5);
    UeModelSpec spec;
    spec.lods = {rectangle()};
    spec.bones = {
        {"Root", -1, {0, 0, 5}, {0, 0, half, half}, {2, 3, 4}}, {"Arm", 0, {20, 6, 8}, {}, {0.5, 2, 1}}, {"Hand", 1, {10, 12, 4}}};
    return spec;
}

// CUE4Parse stores positions that are multiplied by the scales of all ancestors: without scales, each
// position is where the engine shows the bone. Arm is at (20, 6, 8) in the rotated space of Root, thus
// at (-6, 20, 13). The scales of Root and Arm have the product (1, 6, 4).
TEST(UeModel, PositionsContainTheScalesOfAncestors) {
    const auto opened = openModel(scaledChain());
    const auto at = [&](std::size_t row) { return opened->scene.nodes.at(row).local.translation; };
    const auto expectNear = [](const Vec3& value, const Vec3& expected) {
        EXPECT_NEAR(value.x, expected.x, 1e-9);
        EXPECT_NEAR(value.y, expected.y, 1e-9);
        EXPECT_NEAR(value.z, expected.z, 1e-9);
    };
    expectNear(at(1), {0, 0.05, 0});
    expectNear(at(2), {0.20 / 2, 0.08 / 4, 0.06 / 3});
    expectNear(at(3), {0.10 / 1, 0.04 / 4, 0.12 / 6});
    const Vector<Mat4> world = restMatrices(opened->scene);
    const auto expectWorld = [&](std::size_t row, const Vec3& engine) {
        expectNear({world[row].m[12], world[row].m[13], world[row].m[14]}, Vec3{engine.x, engine.z, engine.y} * 0.01);
    };
    expectWorld(2, {-6, 20, 13});
    expectWorld(3, {-18, 30, 17});
    EXPECT_EQ(opened->count(Code::SCALED_POSITIONS), 2u);
    // Files without scales contain the same positions.
    UeModelSpec unscaled = scaledChain();
    for (UeBoneSpec& bone : unscaled.bones) bone.scale = {1, 1, 1};
    for (const int version : {9, 10}) {
        const auto plain = openModel(unscaled, version);
        const Vector<Mat4> same = restMatrices(plain->scene);
        for (std::size_t row = 1; row <= 3; ++row)
            for (const int i : {12, 13, 14}) EXPECT_NEAR(same[row].m[i], world[row].m[i], 1e-9);
        EXPECT_EQ(plain->count(Code::SCALED_POSITIONS), 0u);
    }
}

TEST(UeModel, PositionsAreNotDividedByZeroOrInfinity) {
    UeModelSpec spec = model();
    spec.bones = {{"Root", -1, {}, {}, {0, 1e29, 2}}, {"Arm", 0, {10, 20, 30}, {}, {1, 1e29, 1}}};
    for (int i = 0; i < 12; ++i) spec.bones.push_back({"B" + std::to_string(i), 1 + i, {10, 20, 30}, {}, {1, 1e29, 1}});
    const auto opened = openModel(spec);
    EXPECT_NEAR(opened->scene.nodes.at(2).local.translation.x, 0.1, 1e-9);
    EXPECT_NEAR(opened->scene.nodes.at(2).local.translation.y, 0.15, 1e-9);
    EXPECT_NEAR(opened->scene.nodes.at(14).local.translation.z, 0.2, 1e-9);
}

}  // namespace
}  // namespace rigcast::test
