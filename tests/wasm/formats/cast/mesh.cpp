// Tests the conversion of meshes, blend shapes and hair.
#include <limits>

#include "cast.hpp"
#include "scene/lower.hpp"

#include "core/vector.hpp"

namespace rigcast::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

const Mesh& onlyMesh(const Opened& opened) {
    EXPECT_EQ(opened.scene.meshes.size(), 1u);
    return opened.scene.meshes.at(0);
}

TEST(CastMesh, CopiesAttributes) {
    const float normals[] = {0, 0, 1, 0, 1, 0, 1, 0, 0};
    const float uvs[] = {0, 0, 1, 0, 0, 1}, second[] = {5, 5, 6, 5, 5, 6};
    const std::uint32_t packed[] = {0xFF0000FF, 0x80102030, 0};
    const float colors[] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 4, 1};
    const auto opened = openCast(meshFile([&](CastBuilder& cast) {
        cast.floats("vn", CastType::vec3, normals).u8("ul", 2).floats("u0", CastType::vec2, uvs).floats("u1", CastType::vec2, second);
        cast.u8("cl", 2).integers("c0", packed).floats("c1", CastType::vec4, colors);
    }));
    expectFindings(*opened, {});
    const Mesh& mesh = onlyMesh(*opened);
    EXPECT_EQ(mesh.vertexCount, 3u);
    EXPECT_EQ(list(*opened, mesh.positions), Vector<float>(std::begin(triangle), std::end(triangle)));
    EXPECT_EQ(list(*opened, mesh.normals), Vector<float>(std::begin(normals), std::end(normals)));
    ASSERT_EQ(mesh.uvs.size(), 2u);
    EXPECT_EQ(list(*opened, mesh.uvs[1]), Vector<float>(std::begin(second), std::end(second)));
    EXPECT_EQ(list(*opened, mesh.indices16), (Vector<std::uint16_t>{0, 1, 2}));
    ASSERT_EQ(mesh.colors.size(), 2u);
    EXPECT_EQ(list(*opened, mesh.colors[0].bytes), (Vector<std::uint8_t>{255, 0, 0, 255, 0x30, 0x20, 0x10, 0x80, 0, 0, 0, 0}));
    EXPECT_EQ(list(*opened, mesh.colors[1].floats), Vector<float>(std::begin(colors), std::end(colors)));
    EXPECT_FALSE(mesh.colorsAreMaterial);
}

TEST(CastMesh, ComputesMissingNormals) {
    const auto opened = openCast(meshFile([](CastBuilder&) {}));
    EXPECT_EQ(list(*opened, onlyMesh(*opened).normals), (Vector<float>{0, 0, 1, 0, 0, 1, 0, 0, 1}));
}

/// A normal of zero length or with a non-finite number is damaged.
TEST(CastMesh, ReplacesDamagedNormalsByThoseOfTheFaces) {
    const float normals[] = {0, 0, 0, 1, 0, 0, nan, 1, 0};
    const auto opened = openCast(meshFile([&](CastBuilder& cast) { cast.floats("vn", CastType::vec3, normals); }));
    expectFindings(*opened, {"warning NON_FINITE Root[0]/Model[0]/Mesh[0].vn", "warning NORMAL_DAMAGED Root[0]/Model[0]/Mesh[0].vn"});
    EXPECT_EQ(opened->finding(Code::NORMAL_DAMAGED)->count, 2u);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).normals), (Vector<float>{0, 0, 1, 1, 0, 0, 0, 0, 1}));
}

/// Returns a cube with normals that point outwards. `outwards` is the number of its twelve faces
/// that are counter-clockwise when seen from outside; the others are reversed.
Vector<std::uint8_t> cube(std::size_t outwards) {
    Vector<float> corners;
    for (int i = 0; i < 8; ++i)
        for (int axis = 0; axis < 3; ++axis) corners.push_back(i >> axis & 1 ? 1.f : -1.f);
    Vector<std::uint32_t> faces = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                   2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (std::size_t i = outwards; i < 12; ++i) std::swap(faces[i * 3 + 1], faces[i * 3 + 2]);
    return modelFile([&](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, corners).floats("vn", CastType::vec3, corners).integers("f", faces).end();
    });
}

/// Returns the number of faces that are visible from outside.
std::size_t facingOut(const Opened& opened) {
    const Mesh& mesh = opened.scene.meshes.at(0);
    const auto indices = opened.arena.values(mesh.indices16);
    const auto positions = opened.arena.values(mesh.positions);
    const auto at = [&](std::size_t i) {
        return Vec3{positions[indices[i] * 3], positions[indices[i] * 3 + 1], positions[indices[i] * 3 + 2]};
    };
    std::size_t count = 0;
    for (std::size_t i = 0; i < indices.size(); i += 3) count += dot(cross(at(i + 1) - at(i), at(i + 2) - at(i)), at(i)) > 0;
    return count;
}

TEST(CastMesh, ReversesFacesAgainstTheirNormals) {
    const auto turned = openCast(cube(0));
    EXPECT_EQ(facingOut(*turned), 12u);
    expectFindings(*turned, {"warning FACE_WINDING Root[0]/Model[0]/Mesh[0].f"});
    for (const std::size_t right : {1u, 6u, 12u}) {  // even one of twelve faces is more than 5 %
        const auto kept = openCast(cube(right));
        EXPECT_EQ(facingOut(*kept), right);
        expectFindings(*kept, {});
    }
}

TEST(CastMesh, OptionWindingOverridesTheDetection) {
    const auto faces = [](std::size_t outwards, const char* winding) {
        const auto opened = openCast(cube(outwards), std::string(R"({"cast": {"winding": ")") + winding + "\"}}");
        expectFindings(*opened, {});
        return facingOut(*opened);
    };
    EXPECT_EQ(faces(0, "file"), 0u);
    EXPECT_EQ(faces(0, "reversed"), 12u);
    EXPECT_EQ(faces(12, "reversed"), 0u);
    EXPECT_TRUE(openCast(cube(0), R"({"cast": {"winding": 1}})")->has(Code::BAD_OPTION));
}

TEST(CastMesh, ComputedNormalsFollowTheWinding) {
    const auto opened = openCast(meshFile([](CastBuilder&) {}), R"({"cast": {"winding": "reversed"}})");
    EXPECT_EQ(list(*opened, onlyMesh(*opened).normals), (Vector<float>{0, 0, -1, 0, 0, -1, 0, 0, -1}));
}

TEST(CastMesh, TangentHandednessFollowsTheUvs) {
    const float tangents[] = {1, 0, 0, 1, 0, 0, 1, 0, 0};
    const auto handedness = [&](const float(&uvs)[6]) {
        const auto opened = openCast(meshFile(
            [&](CastBuilder& cast) { cast.u8("ul", 1).floats("u0", CastType::vec2, uvs).floats("vt", CastType::vec3, tangents); }));
        return list(*opened, onlyMesh(*opened).tangents);
    };
    // V increases in the direction of -y, as in images, so cross(normal, tangent) = +y points to
    // the top of the image.
    EXPECT_EQ(handedness({0, 1, 1, 1, 0, 0}), (Vector<float>{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1}));
    EXPECT_EQ(handedness({0, 0, 1, 0, 0, 1})[3], -1);
}

TEST(CastMesh, ReadsIndicesOfEveryWidth) {
    for (const CastType type : {CastType::u8, CastType::u16, CastType::u32}) {
        const auto opened = openCast(modelFile([&](CastBuilder& cast) {
            const std::uint8_t bytes[] = {2, 1, 0};
            const std::uint16_t shorts[] = {2, 1, 0};
            const std::uint32_t words[] = {2, 1, 0};
            const void* data = type == CastType::u8    ? static_cast<const void*>(bytes)
                               : type == CastType::u16 ? static_cast<const void*>(shorts)
                                                       : words;
            cast.begin("mesh").floats("vp", CastType::vec3, triangle);
            cast.raw("f", type, 3, {static_cast<const std::uint8_t*>(data), 3u * infoOf(type).size}).end();
        }));
        expectFindings(*opened, {});
        EXPECT_EQ(list(*opened, onlyMesh(*opened).indices16), (Vector<std::uint16_t>{2, 1, 0}));
    }
    const Vector<float> many(65536 * 3, 0.5f);
    const auto opened = openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, many).integers("f", {0, 1, 65535}).end();
    }));
    EXPECT_EQ(list(*opened, onlyMesh(*opened).indices32), (Vector<std::uint32_t>{0, 1, 65535}));
}

TEST(CastMesh, OmitsInvalidFaces) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, triangle).integers("f", {0, 1, 2, 0, 1, 3, 1, 1, 2, 2, 1, 0, 0}).end();
    }));
    expectFindings(*opened, {"warning FACE_TAIL Root[0]/Model[0]/Mesh[0].f", "error FACE_INDEX_RANGE Root[0]/Model[0]/Mesh[0].f",
                             "warning FACE_DEGENERATE Root[0]/Model[0]/Mesh[0].f"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).indices16), (Vector<std::uint16_t>{0, 1, 2, 2, 1, 0}));
}

TEST(CastMesh, MeshWithoutValidFaceIsUnusable) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, triangle).integers("f", {0, 1, 3, 9, 1, 2, 1, 1, 2}).end();
    }));
    EXPECT_EQ(opened->scene.meshes.size(), 0u);
    expectFindings(*opened, {"error FACE_INDEX_RANGE Root[0]/Model[0]/Mesh[0].f", "warning FACE_DEGENERATE Root[0]/Model[0]/Mesh[0].f",
                             "error MESH_UNUSABLE Root[0]/Model[0]/Mesh[0]"});
}

TEST(CastMesh, OmitsUnusableMeshes) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        cast.begin("mesh").integers("f", {0, 1, 2}).end();
        cast.begin("mesh").floats("vp", CastType::vec3, triangle).end();
        cast.begin("mesh").floats("vp", CastType::vec3, {}).integers("f", {}).end();
        addTriangle(cast.begin("mesh")).end();
    }));
    expectFindings(*opened, {"error MESH_UNUSABLE Root[0]/Model[0]/Mesh[0]", "error MESH_UNUSABLE Root[0]/Model[0]/Mesh[1]",
                             "error MESH_UNUSABLE Root[0]/Model[0]/Mesh[2]"});
    EXPECT_EQ(opened->scene.meshes.size(), 1u);
}

TEST(CastMesh, OmitsBuffersOfTheWrongLength) {
    const float two[] = {0, 0, 1, 0, 0, 1};
    const std::uint32_t colors[] = {1, 2};
    const auto opened = openCast(meshFile([&](CastBuilder& cast) {
        cast.floats("vn", CastType::vec3, two)
            .floats("vt", CastType::vec3, two)
            .u8("ul", 1)
            .floats("u0", CastType::vec2, std::span<const float>(two).first(4));
        cast.u8("cl", 1).raw("c0", CastType::u32, 2, {reinterpret_cast<const std::uint8_t*>(colors), 8});
    }));
    const std::string at = "warning ATTRIBUTE_COUNT Root[0]/Model[0]/Mesh[0].";
    expectFindings(*opened, {at + "vn", at + "u0", at + "c0", at + "vt"});
    EXPECT_FALSE(onlyMesh(*opened).tangents.present());
}

TEST(CastMesh, ReportsLayerCountsThatDiffer) {
    const float uvs[6] = {1, 1, 1, 1, 1, 1};
    const auto open = [&](std::function<void(CastBuilder&)> fill) { return openCast(meshFile(std::move(fill))); };
    auto opened = open([&](CastBuilder& cast) { cast.u8("ul", 2).floats("u0", CastType::vec2, uvs); });
    expectFindings(*opened, {"warning LAYER_COUNT Root[0]/Model[0]/Mesh[0].ul"});
    EXPECT_EQ(onlyMesh(*opened).uvs.size(), 1u);
    opened = open([&](CastBuilder& cast) { cast.floats("u0", CastType::vec2, uvs); });
    expectFindings(*opened, {"warning LAYER_COUNT Root[0]/Model[0]/Mesh[0].ul"});
    EXPECT_EQ(onlyMesh(*opened).uvs.size(), 0u);
    opened = open([&](CastBuilder& cast) { cast.u8("ul", 2).floats("u1", CastType::vec2, uvs); });  // layer 1 remains layer 1
    EXPECT_EQ(onlyMesh(*opened).uvs.size(), 2u);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).uvs[0]), Vector<float>(6, 0.f));
    opened = open([&](CastBuilder& cast) { cast.u32("ul", 0xFFFFFFFF).floats("u0", CastType::vec2, uvs); });
    EXPECT_EQ(onlyMesh(*opened).uvs.size(), 1u);
}

TEST(CastMesh, ReadsLegacyColours) {
    const std::uint32_t old[] = {1, 2, 3}, fresh[] = {4, 5, 6};
    const auto layers = [&](std::function<void(CastBuilder&)> fill) {
        const auto opened = openCast(meshFile(std::move(fill)));
        Vector<int> firsts;
        for (const ColorLayer& layer : onlyMesh(*opened).colors) firsts.push_back(list(*opened, layer.bytes)[0]);
        return firsts;
    };
    const auto words = [](CastBuilder& cast, std::string_view name, const std::uint32_t(&values)[3]) {
        cast.raw(name, CastType::u32, 3, {reinterpret_cast<const std::uint8_t*>(values), 12});
    };
    EXPECT_EQ(layers([&](CastBuilder& cast) { words(cast, "vc", old); }), (Vector<int>{1}));
    EXPECT_EQ(layers([&](CastBuilder& cast) {
                  cast.u8("cl", 0);
                  words(cast, "vc", old);
              }),
              (Vector<int>{}));
    EXPECT_EQ(layers([&](CastBuilder& cast) {
                  cast.u8("cl", 1);
                  words(cast, "vc", old);
              }),
              (Vector<int>{1}));
    EXPECT_EQ(layers([&](CastBuilder& cast) {
                  cast.u8("cl", 1);
                  words(cast, "vc", old);
                  words(cast, "c0", fresh);
              }),
              (Vector<int>{4}));
    EXPECT_EQ(layers([&](CastBuilder& cast) { words(cast, "c0", fresh); }), (Vector<int>{}));
}

TEST(CastMesh, ReplacesNonFiniteNumbers) {
    const float broken[] = {0, nan, 0, 1, 0, 0, 0, 1, std::numeric_limits<float>::infinity()};
    const auto opened = openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, broken).integers("f", {0, 1, 2}).end();
    }));
    expectFindings(*opened, {"warning NON_FINITE Root[0]/Model[0]/Mesh[0].vp"});
    EXPECT_EQ(opened->diagnostics.findings()[0].count, 2u);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).positions), Vector<float>(std::begin(triangle), std::end(triangle)));
}

TEST(CastMesh, ReversesFacesOfLargeMeshes) {
    Vector<float> positions(3 * 65'536), normals;
    std::copy(std::begin(triangle), std::end(triangle), positions.begin());
    for (std::size_t i = 0; i < positions.size(); ++i) normals.push_back(i % 3 == 2 ? -1.f : 0.f);
    const auto file = modelFile([&](CastBuilder& cast) {
        cast.begin("mesh").floats("vp", CastType::vec3, positions).floats("vn", CastType::vec3, normals).integers("f", {0, 1, 2}).end();
    });
    const auto opened = openCast(file);
    expectFindings(*opened, {"warning FACE_WINDING Root[0]/Model[0]/Mesh[0].f"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).indices32), (Vector<std::uint32_t>{0, 2, 1}));
}

TEST(CastMesh, OmitsLayersOfTheWrongTypeOrBeyondTheLimit) {
    const float pairs[] = {0, 0, 1, 0, 0, 1};
    const auto opened = openCast(meshFile([&](CastBuilder& cast) {
        cast.u8("ul", 255).floats("u0", CastType::vec3, triangle).floats("u1", CastType::vec2, pairs).floats("u99", CastType::vec2, pairs);
        cast.u8("cl", 2).floats("c0", CastType::f32, pairs).raw("c1", CastType::u32, 0, {});
    }));
    const Mesh& mesh = onlyMesh(*opened);
    ASSERT_EQ(mesh.uvs.size(), 2u);  // u0 is missing and becomes blank
    EXPECT_EQ(list(*opened, mesh.uvs[0]), (Vector<float>{0, 0, 0, 0, 0, 0}));
    EXPECT_EQ(list(*opened, mesh.uvs[1]), Vector<float>(std::begin(pairs), std::end(pairs)));
    EXPECT_TRUE(mesh.colors.empty());
    EXPECT_EQ(opened->finding(Code::LAYER_COUNT)->path, "Root[0]/Model[0]/Mesh[0].ul");
    EXPECT_EQ(opened->finding(Code::PROPERTY_TYPE)->path, "Root[0]/Model[0]/Mesh[0].u0");
}

TEST(CastMesh, LegacyColoursReplaceAMissingFirstLayer) {
    const std::uint32_t old[] = {1, 2, 3}, second[] = {4, 5, 6};
    const auto words = [](const std::uint32_t(&values)[3]) { return Bytes{reinterpret_cast<const std::uint8_t*>(values), 12}; };
    const auto opened = openCast(meshFile(
        [&](CastBuilder& cast) { cast.u8("cl", 2).raw("vc", CastType::u32, 3, words(old)).raw("c1", CastType::u32, 3, words(second)); }));
    expectFindings(*opened, {"info LEGACY_FORM Root[0]/Model[0]/Mesh[0].vc"});
    ASSERT_EQ(onlyMesh(*opened).colors.size(), 2u);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).colors[0].bytes)[0], 1);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).colors[1].bytes)[0], 4);
    expectFindings(*openCast(meshFile([](CastBuilder& cast) { cast.raw("vc", CastType::u32, 0, {}); })), {});
}

// ---------------------------------------------------------------- skinning

/// Returns a model with two bones and a triangle with `perVertex` influences.
Vector<std::uint8_t> skinned(std::uint8_t perVertex, Vector<std::uint32_t> bones, Vector<float> weights, std::string_view method = "") {
    return modelFile([&](CastBuilder& cast) {
        cast.begin("skel");
        addBone(cast, "a", 0xFFFFFFFF);
        addBone(cast, "b", 0, 0, 1, 0);
        cast.end();
        addTriangle(cast.begin("mesh")).u8("mi", perVertex).integers("wb", bones);
        if (!weights.empty()) cast.floats("wv", CastType::f32, weights);
        if (!method.empty()) cast.text("sm", method);
        cast.end();
    });
}

TEST(CastMesh, NormalizesWeights) {
    const auto opened = openCast(skinned(2, {0, 1, 1, 0, 1, 1}, {0.75f, 0.25f, 0.75f, 0.25f, 0.5f, 0.5f}));
    expectFindings(*opened, {"warning INFLUENCE_DUPLICATE Root[0]/Model[0]/Mesh[1].wb"});
    const Mesh& mesh = onlyMesh(*opened);
    EXPECT_EQ(list(*opened, mesh.joints8), (Vector<std::uint8_t>{0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(list(*opened, mesh.weights), (Vector<float>{.75f, .25f, 0, 0, .75f, .25f, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(opened->scene.renderers[0].skin, 0u);
    const Skin& skin = opened->scene.skins.at(0);
    ASSERT_EQ(list(*opened, skin.joints), (Vector<std::uint32_t>{2, 3}));
    EXPECT_EQ(list(*opened, skin.inverseBindMatrices)[16 + 13], -1);  // bone b is at y = 1
}

TEST(CastMesh, SingleInfluenceHasWeightOne) {
    const auto opened = openCast(skinned(1, {0, 1, 1}, {0.5f, 0, 7}));
    expectFindings(*opened, {});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).weights), (Vector<float>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(list(*opened, onlyMesh(*openCast(skinned(1, {0, 1, 1}, {}))).weights)[4], 1);
}

TEST(CastMesh, SortsWeights) {
    auto opened = openCast(skinned(2, {0, 9, 0, 1, 0, 1}, {1, 1, 0.5f, 0.1f, 0, 0}));
    expectFindings(*opened, {"warning INFLUENCE_BONE_RANGE Root[0]/Model[0]/Mesh[1].wb",
                             "warning INFLUENCE_SUM Root[0]/Model[0]/Mesh[1].wv", "warning INFLUENCE_MISSING Root[0]/Model[0]/Mesh[1].wv"});
    opened = openCast(skinned(2, {0, 1}, {1, 0}));
    expectFindings(*opened, {"warning ATTRIBUTE_COUNT Root[0]/Model[0]/Mesh[1].wb"});
    EXPECT_FALSE(hasJoints(onlyMesh(*opened)));
    opened = openCast(skinned(0, {}, {}));
    expectFindings(*opened, {});
    opened = openCast(skinned(2, {0, 1, 0, 1, 0, 1}, {nan, 1, 1, 0, 1, 0}));
    EXPECT_TRUE(opened->has(Code::NON_FINITE));
}

TEST(CastMesh, ReadsBoneIndicesStoredAsFloats) {
    const float bones[] = {0, 1, 1};
    const auto opened = openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("skel");
        addBone(cast, "a", 0xFFFFFFFF);
        addBone(cast, "b", 0);
        cast.end();
        addTriangle(cast.begin("mesh")).u8("mi", 1).floats("wb", CastType::f32, bones).text("sm", "").end();
    }));
    expectFindings(*opened, {"warning PROPERTY_TYPE Root[0]/Model[0]/Mesh[1].wb"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).joints8), (Vector<std::uint8_t>{0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}));
}

TEST(CastMesh, KeepsAllInfluences) {
    Vector<std::uint32_t> bones;
    Vector<float> weights;
    for (int vertex = 0; vertex < 3; ++vertex)
        for (std::uint32_t i = 0; i < 8; ++i) {
            bones.push_back(i);
            weights.push_back(i == 0 ? 0.65f : 0.05f);
        }
    const auto opened = openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("skel");
        for (int i = 0; i < 8; ++i) addBone(cast, "b" + std::to_string(i), 0xFFFFFFFF);
        cast.end();
        addTriangle(cast.begin("mesh")).u8("mi", 8).integers("wb", bones).floats("wv", CastType::f32, weights).end();
    }));
    expectFindings(*opened, {});  // no finding, because the renderer reports a reduction
    EXPECT_EQ(onlyMesh(*opened).maxInfluences, 8u);
    EXPECT_EQ(onlyMesh(*opened).influenceJoints.count, 24u);
}

TEST(CastMesh, ReadsSkinningMethods) {
    EXPECT_EQ(onlyMesh(*openCast(skinned(1, {0, 0, 0}, {}, "quaternion"))).skinning, SkinningMethod::dualQuaternion);
    EXPECT_EQ(onlyMesh(*openCast(skinned(1, {0, 0, 0}, {}, "linear"))).skinning, SkinningMethod::linear);
    const auto scaled = [](const char* how) {
        return openCast(skinned(1, {0, 0, 0}, {}, "quaternion"), std::string(R"({"cast": {"dualQuaternionScale": ")") + how + "\"}}");
    };
    EXPECT_TRUE(scaled("carry")->scene.hints.dualQuaternionScale);
    EXPECT_FALSE(scaled("ignore")->scene.hints.dualQuaternionScale);
    EXPECT_FALSE(scaled("ignore")->has(Code::BAD_OPTION));
    EXPECT_TRUE(scaled("maya")->has(Code::BAD_OPTION));
    const auto opened = openCast(skinned(1, {0, 0, 0}, {}, "cubic"));
    expectFindings(*opened, {"warning VALUE_UNKNOWN Root[0]/Model[0]/Mesh[1].sm"});
}

// ---------------------------------------------------------------- blend shapes

Vector<std::uint8_t> shapeFile(const std::function<void(CastBuilder&, std::uint64_t)>& fill) {
    return modelFile([&](CastBuilder& cast) {
        addTriangle(cast.begin("mesh").text("n", "face")).end();
        const std::uint64_t mesh = cast.lastHash();
        cast.begin("blsh").text("n", "smile").link("b", mesh);
        fill(cast, mesh);
        cast.end();
    });
}

TEST(CastMesh, ShapePositionsBecomeDeltas) {
    const float moved[] = {1, 0, 2, 0, 0, 5};
    const auto opened = openCast(shapeFile([&](CastBuilder& cast, std::uint64_t) {
        cast.integers("vi", {1, 0}).floats("vp", CastType::vec3, moved).f32("ts", 2.5f);
    }));
    expectFindings(*opened, {});
    const MorphTarget& morph = onlyMesh(*opened).morphs.at(0);
    EXPECT_EQ(morph.name, "smile");
    EXPECT_EQ(morph.maximum, 2.5f);
    EXPECT_EQ(list(*opened, morph.vertices), (Vector<std::uint32_t>{0, 1}));
    EXPECT_EQ(list(*opened, morph.positions), (Vector<float>{0, 0, 5, 0, 0, 2}));
}

TEST(CastMesh, ReportsDamagedShapes) {
    const float two[] = {1, 0, 2, 0, 0, 5}, three[] = {9, 9, 9, 1, 0, 2, 0, 0, 5};
    auto opened = openCast(shapeFile([&](CastBuilder& cast, std::uint64_t) {
        cast.integers("vi", {0, 1, 2}).floats("vp", CastType::vec3, two);
    }));
    expectFindings(*opened, {"warning MORPH_DAMAGED Root[0]/Model[0]/BlendShape[1].vi"});
    EXPECT_EQ(onlyMesh(*opened).morphs.at(0).vertices.count, 2u);
    opened = openCast(shapeFile([&](CastBuilder& cast, std::uint64_t) {
        cast.integers("vi", {7, 1, 1}).floats("vp", CastType::vec3, three);
    }));
    expectFindings(*opened, {"warning MORPH_DAMAGED Root[0]/Model[0]/BlendShape[1].vi"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).morphs.at(0).positions), (Vector<float>{-1, 0, 5}));  // the last of two positions is used
    opened = openCast(shapeFile([](CastBuilder&, std::uint64_t) {}));
    expectFindings(*opened, {"warning MORPH_DAMAGED Root[0]/Model[0]/BlendShape[1]"});
    EXPECT_EQ(onlyMesh(*opened).morphs.size(), 1u);
}

TEST(CastMesh, ReportsShapesWithoutMesh) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) { cast.begin("blsh").text("n", "x").link("b", 5).end(); }));
    expectFindings(*opened, {"warning LINK_UNRESOLVED Root[0]/Model[0]/BlendShape[0].b"});
}

TEST(CastMesh, ReadsLegacyShapes) {
    const float deltas[] = {0, 0, 5};
    auto opened =
        openCast(shapeFile([&](CastBuilder& cast, std::uint64_t) { cast.integers("vi", {1}).floats("vd", CastType::vec3, deltas); }));
    expectFindings(*opened, {"info LEGACY_FORM Root[0]/Model[0]/BlendShape[1].vd"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).morphs.at(0).positions), (Vector<float>{0, 0, 5}));

    const float other[] = {0, 0, 0, 1, 0, 0, 0, 1, 3};
    opened = openCast(modelFile([&](CastBuilder& cast) {
        addTriangle(cast.begin("mesh").text("n", "base")).end();
        const std::uint64_t base = cast.lastHash();
        cast.begin("mesh").text("n", "up").floats("vp", CastType::vec3, other).integers("f", {0, 1, 2}).end();
        const std::uint64_t targets[] = {cast.lastHash()};
        const float maxima[] = {0.5f};
        cast.begin("blsh").text("n", "deformer").link("b", base).link("t", targets[0]).floats("ts", CastType::f32, maxima).end();
    }));
    expectFindings(*opened, {"info LEGACY_FORM Root[0]/Model[0]/BlendShape[2].t"});
    const MorphTarget& morph = opened->scene.meshes[0].morphs.at(0);
    EXPECT_EQ(morph.name, "up");
    EXPECT_EQ(morph.maximum, 0.5f);
    EXPECT_EQ(list(*opened, morph.vertices), (Vector<std::uint32_t>{2}));
    EXPECT_TRUE(opened->scene.renderers[0].visible);
    EXPECT_FALSE(opened->scene.renderers[1].visible);
}

/// In files written before 2024-06, targets are meshes.
TEST(CastMesh, OmitsInvalidLegacyTargets) {
    const float four[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0}, maxima[] = {nan};
    const auto opened = openCast(modelFile([&](CastBuilder& cast) {
        addTriangle(cast.begin("mesh").text("n", "base")).end();
        const std::uint64_t base = cast.lastHash();
        cast.begin("mesh").text("n", "other").floats("vp", CastType::vec3, four).integers("f", {0, 1, 2}).end();
        const std::uint64_t targets[] = {base, cast.lastHash(), 5, base};
        cast.begin("blsh").text("n", "deformer").link("b", base).floats("ts", CastType::f32, maxima);
        cast.raw("t", CastType::u64, 4, {reinterpret_cast<const std::uint8_t*>(targets), 32}).end();
    }));
    const std::string at = "Root[0]/Model[0]/BlendShape[2].t";
    expectFindings(*opened, {"info LEGACY_FORM " + at, "warning MORPH_DAMAGED " + at, "warning LINK_UNRESOLVED " + at});
    ASSERT_EQ(opened->scene.meshes[0].morphs.size(), 2u);  // both targets are the mesh itself, so nothing moves
    EXPECT_EQ(opened->scene.meshes[0].morphs[0].vertices.count, 0u);
    EXPECT_EQ(opened->scene.meshes[0].morphs[0].maximum, 1);
    EXPECT_TRUE(opened->scene.renderers[0].visible);
    EXPECT_TRUE(opened->scene.renderers[1].visible);
}

TEST(CastMesh, PositionsHavePriorityOverTargetMeshes) {
    const float moved[] = {1, 0, 2};
    const auto opened = openCast(shapeFile(
        [&](CastBuilder& cast, std::uint64_t mesh) { cast.integers("vi", {1}).floats("vp", CastType::vec3, moved).link("t", mesh); }));
    EXPECT_EQ(onlyMesh(*opened).morphs.at(0).name, "smile");
    EXPECT_EQ(list(*opened, onlyMesh(*opened).morphs[0].positions), (Vector<float>{0, 0, 2}));
    const auto without = openCast(shapeFile([&](CastBuilder& cast, std::uint64_t) {
        cast.integers("vi", {1}).floats("vp", CastType::vec3, moved).raw("t", CastType::u64, 0, {});
    }));
    expectFindings(*without, {});
    EXPECT_EQ(onlyMesh(*without).morphs.at(0).vertices.count, 1u);
}

// ---------------------------------------------------------------- hair

TEST(CastMesh, HairBecomesStrands) {
    const float particles[] = {0, 0, 0, 0, 1, 0, 5, 0, 0};
    const auto hair = [&](std::initializer_list<std::uint32_t> segments) {
        return openCast(modelFile([&](CastBuilder& cast) {
            cast.begin("hair").text("n", "tuft").integers("se", segments).floats("pt", CastType::vec3, particles).end();
        }));
    };
    auto opened = hair({1, 0});
    expectFindings(*opened, {});
    EXPECT_EQ(onlyMesh(*opened).topology, Topology::strands);
    EXPECT_EQ(list(*opened, onlyMesh(*opened).strandOffsets), (Vector<std::uint32_t>{0, 2, 3}));
    opened = hair({1, 4});
    expectFindings(*opened, {"warning HAIR_COUNT Root[0]/Model[0]/Hair[0].pt"});
    EXPECT_EQ(list(*opened, onlyMesh(*opened).strandOffsets), (Vector<std::uint32_t>{0, 2}));
    opened = hair({0xFFFFFFFF, 0xFFFFFFFF});
    expectFindings(*opened, {"warning HAIR_COUNT Root[0]/Model[0]/Hair[0].pt"});
    EXPECT_TRUE(opened->scene.meshes.empty());
}

}  // namespace
}  // namespace rigcast::test
