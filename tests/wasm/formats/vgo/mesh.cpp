// Tests the conversion of valid and damaged meshes and renderers.
#include <gtest/gtest.h>

#include <functional>

#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::itemOf;
using test::listOf;
using test::memberOf;
using test::Opened;
using test::quadVgo;

std::unique_ptr<Opened> openWith(const std::function<void(VgoBuilder&, Value& mesh, Value& renderer)>& change) {
    VgoBuilder vgo = quadVgo();
    // Changes the mesh before the node, because accessing nodes can move the list.
    change(vgo, itemOf(memberOf(vgo.layout, "meshes"), 0), memberOf(itemOf(memberOf(vgo.layout, "nodes"), 1), "meshRenderer"));
    return test::readBytes("vgo", vgo.write());
}

Vector<std::uint16_t> indicesOf(const Opened& opened) {
    const auto values = opened.arena.values(opened.scene.meshes.at(0).indices16);
    return {values.begin(), values.end()};
}

TEST(VgoMesh, OmitsInvalidFaces) {
    const auto faces = [](Vector<std::uint32_t> indices) {
        return openWith([&](VgoBuilder& vgo, Value& mesh, Value&) { memberOf(mesh, "subMeshes") = listOf({vgo.addIndices(indices)}); });
    };
    const auto outside = faces({0, 1, 4, 0, 2, 1});
    EXPECT_EQ(outside->finding(Code::FACE_INDEX_RANGE)->severity, Severity::error);
    EXPECT_EQ(outside->scene.meshes.at(0).groups.at(0).count, 3u);
    EXPECT_EQ(indicesOf(*outside), (Vector<std::uint16_t>{0, 1, 2}));
    EXPECT_EQ(faces({0, 2, 1, 0})->finding(Code::FACE_TAIL)->severity, Severity::error);
    EXPECT_TRUE(faces({0, 0, 1, 0, 2, 1})->diagnostics.findings().empty()) << "Unity's spheres have triangles of no area";
    const auto nothing = faces({0, 2, 70000});
    EXPECT_TRUE(nothing->has(Code::MESH_UNUSABLE));
    EXPECT_TRUE(nothing->scene.renderers.empty());
    EXPECT_TRUE(nothing->result.hasScene);
}

TEST(VgoMesh, MinusOneMeansConsecutiveVertices) {
    const auto opened = openWith([](VgoBuilder& vgo, Value& mesh, Value&) {
        memberOf(mesh, "subMeshes") = listOf({-1, vgo.addIndices(Vector<std::uint32_t>{0, 1, 2})});
    });
    EXPECT_TRUE(opened->has(Code::FACE_TAIL)) << "four vertices";
    ASSERT_EQ(opened->scene.meshes.at(0).groups.size(), 2u);
    EXPECT_EQ(indicesOf(*opened), (Vector<std::uint16_t>{0, 2, 1, 0, 2, 1}));
}

TEST(VgoMesh, ReadsAttributesStoredAsPairs) {
    const auto opened = openWith([](VgoBuilder&, Value& mesh, Value&) {
        memberOf(mesh, "attributes") = listOf({Properties{{"Key", "POSITION"}, {"Value", 1}}, Properties{{"Key", "NORMAL"}, {"Value", 2}}});
    });
    EXPECT_TRUE(opened->diagnostics.findings().empty());
    EXPECT_EQ(opened->scene.meshes.at(0).vertexCount, 4u);
}

TEST(VgoMesh, ComputesOrReportsMissingAttributes) {
    const auto attributes = [](const std::function<void(VgoBuilder&, Value&)>& change) {
        return openWith([&](VgoBuilder& vgo, Value& mesh, Value&) { change(vgo, memberOf(mesh, "attributes")); });
    };
    const auto bare = attributes([](VgoBuilder&, Value& list) { memberOf(list, "NORMAL") = memberOf(list, "TEXCOORD_0") = -1; });
    EXPECT_TRUE(bare->diagnostics.findings().empty());
    EXPECT_EQ(bare->arena.values(bare->scene.meshes.at(0).normals)[2], 1) << "towards the eye, after the mirror";
    EXPECT_TRUE(bare->scene.meshes[0].uvs.empty());
    const auto outside = attributes([](VgoBuilder&, Value& list) { memberOf(list, "NORMAL") = 99; });
    EXPECT_EQ(outside->finding(Code::INDEX_RANGE)->severity, Severity::error);
    EXPECT_EQ(outside->scene.meshes.size(), 1u);
    const auto fewer =
        attributes([](VgoBuilder& vgo, Value& list) { memberOf(list, "NORMAL") = vgo.addFloats(VgoKind::mesh, 3, Vector<float>(9)); });
    EXPECT_EQ(fewer->finding(Code::ATTRIBUTE_COUNT)->severity, Severity::warning);
    const auto type = attributes([](VgoBuilder&, Value& list) { memberOf(list, "NORMAL") = 3; });
    EXPECT_TRUE(type->has(Code::PROPERTY_TYPE));
    const auto headless = attributes([](VgoBuilder&, Value& list) { memberOf(list, "POSITION") = -1; });
    EXPECT_TRUE(headless->has(Code::MESH_UNUSABLE));
    const auto second = attributes([](VgoBuilder&, Value& list) {
        memberOf(list, "TEXCOORD_1") = 3;
        memberOf(list, "TEXCOORD_0") = -1;
    });
    ASSERT_EQ(second->scene.meshes.at(0).uvs.size(), 2u) << "materials find sets by number";
    EXPECT_EQ(second->arena.values(second->scene.meshes[0].uvs[1])[1], 1);
    const auto infinite = attributes([](VgoBuilder& vgo, Value& list) {
        memberOf(list, "POSITION") = vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, 0, 1, 0, 0, 1, INFINITY, 0, 0, 1, NAN});
    });
    EXPECT_EQ(infinite->finding(Code::NON_FINITE)->count, 2u);
}

TEST(VgoMesh, ReplacesDamagedNormalsByThoseOfTheFaces) {
    const auto opened = openWith([](VgoBuilder& vgo, Value& mesh, Value&) {
        memberOf(memberOf(mesh, "attributes"), "NORMAL") =
            vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, 0, 0, 1, 0, NAN, 1, 0, 0, 1, 0});
    });
    ASSERT_TRUE(opened->has(Code::NORMAL_DAMAGED));
    EXPECT_EQ(opened->finding(Code::NORMAL_DAMAGED)->count, 2u);
    const auto normals = opened->arena.values(opened->scene.meshes.at(0).normals);
    EXPECT_EQ(normals[2], 1) << "towards the eye, after the mirror";
    EXPECT_EQ(normals[4], 1);
    EXPECT_EQ(normals[8], 1);
}

TEST(VgoMesh, ReadsByteAndFloatColours) {
    const auto colors = [](bool asFloats) {
        return openWith([&](VgoBuilder& vgo, Value& mesh, Value&) {
            const Vector<float> floats(16, 0.5f);
            memberOf(memberOf(mesh, "attributes"), "COLOR_0") =
                asFloats ? vgo.addDense(VgoKind::mesh, vgoVec4U8, 4, {reinterpret_cast<const std::uint8_t*>(floats.data()), 64})  // E1
                         : vgo.addUnsigned(VgoKind::mesh, vgoVec4U8, Vector<std::uint32_t>(16, 128));
        });
    };
    const auto floats = colors(true), bytes = colors(false);
    EXPECT_EQ(floats->arena.values(floats->scene.meshes.at(0).colors.at(0).floats)[5], 0.5f);
    EXPECT_EQ(bytes->arena.values(bytes->scene.meshes.at(0).colors.at(0).bytes)[5], 128);
    EXPECT_FALSE(bytes->scene.meshes[0].colorsAreMaterial) << "Standard does not draw them";
}

TEST(VgoMesh, GroupsMatchMaterials) {
    const auto shown = [](Vector<Value> materials) {
        return openWith([&](VgoBuilder& vgo, Value& mesh, Value& renderer) {
            auto& list = memberOf(vgo.layout, "materials").as<Vector<Value>>();
            list.push_back(Properties{{"name", "Second"}, {"shaderName", "UniGLTF/StandardVColor"}});
            memberOf(mesh, "subMeshes") = listOf({4, 4});
            memberOf(renderer, "materials") = materials;
        });
    };
    using List = Vector<std::uint32_t>;
    EXPECT_EQ(shown({1})->scene.renderers.at(0).materials, (List{1, 1})) << "the last one again";
    EXPECT_EQ(shown({})->scene.renderers.at(0).materials, (List{none, none}));
    const auto minus = shown({0, -1});
    EXPECT_EQ(minus->scene.renderers.at(0).materials, (List{0, none}));
    EXPECT_EQ(minus->finding(Code::INDEX_RANGE)->severity, Severity::warning);
    EXPECT_EQ(shown({0, 7})->finding(Code::INDEX_RANGE)->severity, Severity::warning);
    const auto more = shown({0, 0, 1});
    const Mesh& mesh = more->scene.meshes.at(more->scene.renderers.at(0).mesh);
    ASSERT_EQ(mesh.groups.size(), 3u) << "Unity draws the last sub-mesh again";
    EXPECT_EQ(mesh.groups[2].start, mesh.groups[1].start);
    EXPECT_EQ(more->scene.renderers[0].materials, (List{0, 0, 1}));
    EXPECT_TRUE(mesh.colorsAreMaterial);
    EXPECT_EQ(more->arena.values(mesh.normals)[2], 1) << "mirrored once, although two meshes have this data";
}

TEST(VgoMesh, RenderersShareMeshes) {
    const auto opened = openWith([](VgoBuilder& vgo, Value&, Value& renderer) {
        memberOf(renderer, "enabled") = false;
        const Value copy = Properties{{"mesh", 0}, {"materials", listOf({0})}};
        memberOf(itemOf(memberOf(vgo.layout, "nodes"), 0), "meshRenderer") = copy;
    });
    ASSERT_EQ(opened->scene.renderers.size(), 2u);
    EXPECT_EQ(opened->scene.meshes.size(), 1u);
    EXPECT_EQ(opened->scene.renderers[0].name, "Root") << "the node's";
    EXPECT_TRUE(opened->scene.renderers[0].visible);
    EXPECT_FALSE(opened->scene.renderers[1].visible);
}

TEST(VgoMesh, DamagedShapesKeepTheNumbering) {
    const auto opened = openWith([](VgoBuilder& vgo, Value& mesh, Value&) {
        const int wrong = vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, 1});
        const int right = vgo.addFloats(VgoKind::mesh, 3, Vector<float>{0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0});
        memberOf(mesh, "blendShapes") = listOf(
            {Properties{{"name", "wrong"}, {"attributes", Properties{{"POSITION", wrong}}}}, Value(),
             Properties{{"name", "right"}, {"attributes", Properties{{"POSITION", right}, {"TANGENT", right}}}, {"facePartsType", 50}}});
    });
    const auto& morphs = opened->scene.meshes.at(0).morphs;
    ASSERT_EQ(morphs.size(), 3u);
    EXPECT_EQ(opened->finding(Code::MORPH_DAMAGED)->severity, Severity::warning);
    EXPECT_EQ(opened->arena.values(morphs[0].vertices).size(), 0u);
    ASSERT_EQ(opened->arena.values(morphs[2].vertices).size(), 1u);
    EXPECT_EQ(opened->arena.values(morphs[2].vertices)[0], 1u);
    EXPECT_EQ(opened->arena.values(morphs[2].positions)[2], -2);
    EXPECT_EQ(morphs[2].properties.at(0).name, "facePartsType");
    EXPECT_EQ(opened->finding(Code::UNKNOWN_PROPERTY)->severity, Severity::info);
}

TEST(VgoSkin, DamagedJointsBecomeTheRoot) {
    const auto skinned = [](const std::function<void(VgoBuilder&)>& change) {
        VgoBuilder vgo = test::puppetVgo();
        change(vgo);
        return test::readBytes("vgo", vgo.write());
    };
    const auto skin = [](VgoBuilder& vgo) -> Value& { return itemOf(memberOf(vgo.layout, "skins"), 0); };
    const auto missing = skinned([&](VgoBuilder& vgo) { memberOf(skin(vgo), "joints") = listOf({1, 99}); });
    EXPECT_EQ(missing->finding(Code::INDEX_RANGE)->severity, Severity::warning);
    EXPECT_EQ(missing->arena.values(missing->scene.skins.at(0).joints)[1], 0u);
    const auto minus = skinned([&](VgoBuilder& vgo) { memberOf(skin(vgo), "joints") = listOf({1, -1}); });
    EXPECT_TRUE(minus->has(Code::INDEX_RANGE));
    const auto fewer = skinned([&](VgoBuilder& vgo) { memberOf(skin(vgo), "joints") = listOf({1}); });
    EXPECT_EQ(fewer->finding(Code::INFLUENCE_BONE_RANGE)->severity, Severity::warning);
    const auto more = skinned([&](VgoBuilder& vgo) { memberOf(skin(vgo), "joints") = listOf({1, 2, 5}); });
    EXPECT_EQ(more->finding(Code::ATTRIBUTE_COUNT)->severity, Severity::error) << "fewer matrices than joints";
    const auto unweighted =
        skinned([&](VgoBuilder& vgo) { memberOf(memberOf(itemOf(memberOf(vgo.layout, "meshes"), 0), "attributes"), "WEIGHTS_0") = -1; });
    EXPECT_TRUE(unweighted->has(Code::PROPERTY_MISSING));
    EXPECT_EQ(unweighted->scene.renderers.at(0).skin, none);
    const auto jointless = skinned([&](VgoBuilder& vgo) { memberOf(skin(vgo), "joints") = listOf({}); });
    EXPECT_TRUE(jointless->has(Code::PROPERTY_MISSING));
    const auto outside = skinned([&](VgoBuilder& vgo) { memberOf(itemOf(memberOf(vgo.layout, "nodes"), 3), "skin") = 4; });
    EXPECT_EQ(outside->finding(Code::INDEX_RANGE)->severity, Severity::error);
}

}  // namespace
}  // namespace rigcast
