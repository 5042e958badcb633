// Tests the conversion of .uemodel files to scenes (docs/formats/ueformat.md section 3).
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace rigcast::test
