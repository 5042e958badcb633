// Tests the conversion of .ueworld files to scenes (docs/formats/ueformat.md section 5.2).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/ueformat.hpp"

namespace rigcast::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

/// Returns the rotation of a direction of the engine by an FRotator, computed as in Unreal: roll
/// about X, then pitch about Y, then yaw about Z, each in the engine's direction.
Vec3 turned(const Vec3& v, double pitch, double yaw, double roll) {
    const auto radians = [](double degrees) { return degrees * 3.14159265358979323846 / 180; };
    const double cp = std::cos(radians(pitch)), sp = std::sin(radians(pitch)), cy = std::cos(radians(yaw)), sy = std::sin(radians(yaw)),
                 cr = std::cos(radians(roll)), sr = std::sin(radians(roll));
    const Vec3 x{cp * cy, cp * sy, sp}, y{sr * sp * cy - cr * sy, sr * sp * sy + cr * cy, -sr * cp},
        z{-(cr * sp * cy + sr * sy), cy * sr - cr * sp * sy, cr * cp};
    return x * v.x + y * v.y + z * v.z;
}

UeModelSpec plate() {
    UeModelSpec spec;
    UeLodSpec lod;
    lod.positions = {{0, 0, 0}, {0, 100, 0}, {100, 0, 0}};
    lod.indices = {0, 1, 2};
    lod.materials = {{"Stone", "", 0, 1}};
    lod.weights = {{0, 0, 1}};
    spec.lods = {lod};
    spec.bones = {{"Root"}};
    return spec;
}

TEST(UeWorld, ActorsShareTheirModels) {
    for (const int version : {0, 9, 10}) {
        SCOPED_TRACE(version);
        UeWorldSpec spec;
        spec.models = {{7, makeUeModel(plate(), version)}, {8, makeUeModel(plate(), version)}};
        spec.actors = {{7, "A", {100, 200, 300}}, {8, "B", {}, {}, {1, 2, 3}}, {7, "C"}};
        const auto opened = readBytes("", makeUeWorld(spec), {.name = "a.ueworld"});
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->diagnostics.findings().size(), 1u);
        EXPECT_TRUE(opened->has(Code::PROTOTYPE_WORLD));
        const Scene& scene = opened->scene;
        ASSERT_EQ(scene.meshes.size(), 2u);
        EXPECT_EQ(scene.meshes[0].name, "Fixture");
        EXPECT_EQ(scene.materials.size(), 1u);
        EXPECT_EQ(scene.meshes[1].groups.at(0).material, 0u);
        EXPECT_TRUE(scene.skins.empty());
        ASSERT_EQ(scene.renderers.size(), 3u);
        EXPECT_EQ(scene.renderers[0].mesh, 0u);
        EXPECT_EQ(scene.renderers[1].mesh, 1u);
        EXPECT_EQ(scene.renderers[2].mesh, 0u);
        EXPECT_TRUE(scene.renderers[1].visible);
        const Vec3 &at = scene.nodes.at(1).local.translation, &scale = scene.nodes.at(2).local.scale;
        EXPECT_NEAR(at.x, 1, 1e-6);
        EXPECT_NEAR(at.y, 3, 1e-6);
        EXPECT_NEAR(at.z, 2, 1e-6);
        EXPECT_EQ(scale.y, 3);
        EXPECT_EQ(scale.z, 2);
    }
}

/// The writer negates y and z of the quaternion, and so pitch and yaw.
TEST(UeWorld, ActorsAreRotatedAsInTheEngine) {
    for (const Vec3 angles : {Vec3{0, 90, 0}, Vec3{30, 0, 0}, Vec3{0, 0, 40}, Vec3{10, 20, 0}}) {
        UeWorldSpec spec;
        spec.models = {{1, makeUeModel(plate())}};
        spec.actors = {{1, "A", {}, {-angles.x, -angles.y, angles.z}}};
        const auto opened = readBytes("", makeUeWorld(spec));
        ASSERT_TRUE(opened->result.hasScene);
        for (const Vec3 axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
            const Vec3 expected = turned(axis, angles.x, angles.y, angles.z);
            const Vec3 actual = rotate(opened->scene.nodes.at(1).local.rotation, {axis.x, axis.z, axis.y});
            EXPECT_NEAR(actual.x, expected.x, 1e-6);
            EXPECT_NEAR(actual.y, expected.z, 1e-6);
            EXPECT_NEAR(actual.z, expected.y, 1e-6);
        }
    }
}

TEST(UeWorld, DamageIsReported) {
    const auto model = makeUeModel(plate(), 0);
    const auto openWorld = [](const UeWorldSpec& spec) { return readBytes("", makeUeWorld(spec)); };
    const auto missing = openWorld({{{1, model}}, {{1, "A"}, {2, "B"}}});
    ASSERT_TRUE(missing->result.hasScene);
    EXPECT_TRUE(missing->has(Code::INDEX_RANGE));
    EXPECT_EQ(missing->scene.renderers.size(), 1u);
    EXPECT_TRUE(openWorld({{{1, model}, {1, model}}, {{1, "A"}}})->has(Code::DUPLICATE_CHUNK));
    EXPECT_EQ(openWorld({{{1, model}}, {{1, "A", {nan, 0, 0}, {0, nan, 0}, {nan, 0, 0}}}})->count(Code::NON_FINITE), 3u);
    const auto empty = openWorld({{{1, model}}, {}});
    EXPECT_FALSE(empty->result.hasScene);
    EXPECT_TRUE(empty->has(Code::MISSING_CHUNK));
    // Embedded files are models: a world in a world is not read.
    const auto nested = openWorld({{{1, makeUeWorld({{{1, model}}, {{1, "A"}}})}, {2, model}}, {{1, "A"}, {2, "B"}}});
    ASSERT_TRUE(nested->result.hasScene);
    EXPECT_EQ(nested->scene.renderers.size(), 1u);
    ASSERT_TRUE(nested->has(Code::UNSUPPORTED_CONTENT));
    EXPECT_EQ(nested->finding(Code::UNSUPPORTED_CONTENT)->path, "MESHES/1/header");
    const auto compressed = openWorld({{{1, makeCompressedUeFile("UEMODEL", 0, "GZIP", 100, {1, 2, 3})}, {2, model}}, {{2, "A"}}});
    EXPECT_TRUE(compressed->result.hasScene);
    EXPECT_TRUE(compressed->has(Code::UNSUPPORTED_COMPRESSION));
}

/// Findings of an embedded model name its part, with the offset in the world.
TEST(UeWorld, FindingsOfModelsHaveTheirOffset) {
    UeModelSpec broken = plate();
    broken.lods[0].indices = {0, 1, 9, 0, 1, 2};
    const auto bytes = makeUeWorld({{{5, makeUeModel(broken, 0)}}, {{5, "A"}}});
    const auto opened = readBytes("", bytes);
    ASSERT_TRUE(opened->has(Code::FACE_INDEX_RANGE));
    const Finding* finding = opened->finding(Code::FACE_INDEX_RANGE);
    EXPECT_EQ(finding->path, "MESHES/5/INDICES");
    const std::string text(bytes.begin(), bytes.end());
    EXPECT_EQ(*finding->offset + 4, text.find("INDICES"));
}

TEST(UeWorld, SizesThatDoNotFitAreReported) {
    for (const std::int32_t size : {-1, 1 << 30}) {
        UeBytes meshes;
        meshes.integer(1).integer(size).text("x");
        UeParts root(0);
        root.array("MESHES", 1, meshes);
        EXPECT_EQ(readBytes("", makeUeFile("UEWORLD", 0, root.finish()))->count(Code::BAD_COUNT), 1u);
    }
}

TEST(UeWorld, DamagedFilesAreRead) {
    const auto bytes = makeUeWorld({{{1, makeUeModel(plate(), 0)}}, {{1, "A"}, {1, "B"}}});
    everyPrefix(bytes, "ueworld");
    bytePatches(bytes, bytes.size(), "ueworld");
}

TEST(UeWorld, OutlineListsModelsAndActors) {
    const auto bytes = makeUeWorld({{{1, makeUeModel(plate(), 0)}}, {{1, "A"}, {1, "B"}}});
    const OpenedOutline opened = readOutline("ueworld", bytes);
    EXPECT_EQ(opened.diagnostics.findings().size(), 0u);
    ASSERT_EQ(opened.outline.size(), 3u);
    const OutlineNode& meshes = opened.outline[1];
    ASSERT_EQ(meshes.children.size(), 1u);
    const OutlineNode& model = meshes.children[0];
    EXPECT_EQ(model.name, "1");
    EXPECT_EQ(model.children.at(0).kind, "header");
    EXPECT_EQ(model.children.at(0).offset, model.offset + 8);
    EXPECT_EQ(model.children.at(1).kind, "VERTICES");
    EXPECT_EQ(model.children.back().offset + model.children.back().size, model.offset + model.size);
    ASSERT_EQ(opened.outline[2].children.size(), 2u);
    EXPECT_EQ(opened.outline[2].children[1].name, "B");
    EXPECT_EQ(opened.outline[2].children[1].offset + opened.outline[2].children[1].size, bytes.size());
}

}  // namespace
}  // namespace rigcast::test
