// Meshes in which nothing is to be repaired, which go through windows: what comes out is what the careful way makes of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cast.hpp"
#include "support/later.hpp"

namespace rigcast::test {
namespace {

constexpr float notFinite = std::numeric_limits<float>::quiet_NaN();

/// A sheet of columns × rows vertices that four bones hold, and what a test does to it.
struct Sheet {
    std::uint32_t columns, rows, perVertex = 4, bones = 4;
    Vector<float> positions, normals, uvs, weights, tangents;
    Vector<std::uint32_t> faces, joints;
    Vector<Vector<std::uint8_t>> colors;  // packed
    std::uint32_t uvLayers = 1, announcedUvs = 1;
    bool hasWideJoints = false;
    bool isOld = false;  // one layer of colours, which nobody counts
    std::string_view method = "linear";

    explicit Sheet(std::uint32_t width = 60, std::uint32_t height = 40) : columns(width), rows(height) { make(); }

    std::uint32_t vertices() const { return columns * rows; }
    /// Bytes of its columns, `perVertex` for each vertex.
    std::size_t columnBytes(std::size_t perVertex) const {
        return vertices() * perVertex + (faces.size() * (vertices() > 65535 ? 4 : 2) + 7) / 8 * 8;
    }

    void make() {
        for (std::uint32_t i = 0; i < vertices(); ++i) {
            const auto x = static_cast<float>(i % columns), y = static_cast<float>(i / columns);
            positions.insert(positions.end(), {x, y, std::sin(x / 7) * std::cos(y / 5)});
            normals.insert(normals.end(), {0, 0.6f, 0.8f});
            uvs.insert(uvs.end(), {x / 60, y / 40});
            const float weight = 0.4f + 0.01f * static_cast<float>(i % 13);
            for (const float share : {weight, 0.9f * (1 - weight), 0.07f * (1 - weight), 0.03f * (1 - weight)}) weights.push_back(share);
            for (std::uint32_t k = 0; k < 4; ++k) joints.push_back((i / 9 + k) % 4);
        }
        for (std::uint32_t y = 0; y + 1 < rows; ++y)
            for (std::uint32_t x = 0; x + 1 < columns; ++x) {
                const std::uint32_t a = y * columns + x, b = a + 1, c = a + columns, d = c + 1;
                faces.insert(faces.end(), {a, b, d, a, d, c});
            }
    }

    void influences(std::uint32_t count) {
        perVertex = count;
        joints.clear();
        weights.clear();
        for (std::uint32_t i = 0; i < vertices(); ++i)
            for (std::uint32_t k = 0; k < count; ++k) {
                joints.push_back((i + k) % 4);
                weights.push_back(1 / static_cast<float>(count));
            }
    }

    void write(CastBuilder& cast) const {
        cast.begin("mesh").text("n", "sheet").floats("vp", CastType::vec3, positions);
        if (!normals.empty()) cast.floats("vn", CastType::vec3, normals);
        if (!tangents.empty()) cast.floats("vt", CastType::vec3, tangents);
        for (std::uint32_t layer = 0; layer < uvLayers; ++layer) cast.floats("u" + std::to_string(layer), CastType::vec2, uvs);
        cast.u8("ul", static_cast<std::uint8_t>(announcedUvs));
        for (std::size_t layer = 0; layer < colors.size(); ++layer)
            cast.raw(isOld ? "vc" : "c" + std::to_string(layer), CastType::u32, static_cast<std::uint32_t>(colors[layer].size() / 4),
                     {colors[layer].data(), colors[layer].size()});
        if (!isOld) cast.u8("cl", static_cast<std::uint8_t>(colors.size()));
        if (perVertex) cast.u8("mi", static_cast<std::uint8_t>(perVertex));
        if (perVertex && hasWideJoints)
            cast.raw("wb", CastType::u32, static_cast<std::uint32_t>(joints.size()),
                     {reinterpret_cast<const std::uint8_t*>(joints.data()), joints.size() * 4});
        else if (perVertex)
            cast.integers("wb", joints);
        if (!weights.empty() && perVertex) cast.floats("wv", CastType::f32, weights);
        cast.text("sm", method).integers("f", faces).f32("made", 7).end();
    }

    void paint() {
        colors.emplace_back();
        for (std::uint32_t i = 0; i < 4 * vertices(); ++i) colors.back().push_back(static_cast<std::uint8_t>(i * 31));
    }
};

void addBones(CastBuilder& cast, std::uint32_t bones) {
    cast.begin("skel");
    for (std::uint32_t bone = 0; bone < bones; ++bone)
        addBone(cast, "bone" + std::to_string(bone), bone - 1, 1, static_cast<float>(bone), 0.5f);
    cast.end();
}

Vector<std::uint8_t> fileOf(const Sheet& sheet) {
    return modelFile([&](CastBuilder& cast) {
        if (sheet.bones) addBones(cast, sheet.bones);
        sheet.write(cast);
    });
}

/// Bytes that went out in windows; a failure where the ways differ.
std::size_t pushed(const Vector<std::uint8_t>& bytes, std::string_view code = {}) {
    const Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    EXPECT_EQ(differenceOf("cast", input), "");
    const Outcome outcome = outcomeOf("cast", input, false, Way::outside);
    EXPECT_NE(outcome.description.find(code), std::string::npos) << code;
    return outcome.pushed;
}
std::size_t pushed(const Sheet& sheet, std::string_view code = {}) { return pushed(fileOf(sheet), code); }

TEST(PlainCastMesh, GoesThroughWindows) {
    const Sheet sheet;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
}

TEST(PlainCastMesh, JointsAreBytesUpTo256Bones) {
    Sheet sheet;
    sheet.bones = 256;
    sheet.joints[5] = 255;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
    sheet.bones = 257;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 8 + 16));
}

TEST(PlainCastMesh, OfManyWindowsIsReadOnce) {
    const Sheet sheet(30, 2800);
    const auto bytes = fileOf(sheet);
    EXPECT_EQ(pushed(bytes), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
    // Points again for the boxes of joints, and a few for what is farthest; some triangles, to see which way they face.
    EXPECT_LT(outcomeOf("cast", test::inputOf({bytes.data(), bytes.size()}, "a.cast"), false, Way::outside).pulled,
              bytes.size() + 12 * sheet.vertices() + bytes.size() / 4);
}

TEST(PlainCastMesh, InfluencesMayBeFewAndOfAnyWidth) {
    for (std::uint32_t count = 0; count <= 4; ++count) {
        Sheet sheet;
        sheet.influences(count);
        EXPECT_GT(pushed(sheet), 0u) << count;
        sheet.hasWideJoints = true;
        EXPECT_GT(pushed(sheet), 0u) << count;
        sheet.hasWideJoints = false;
        sheet.bones = 300;
        for (std::uint32_t& joint : sheet.joints) joint *= 99;
        EXPECT_GT(pushed(sheet), 0u) << count;
    }
}

TEST(PlainCastMesh, OneBoneMovesAllWhateverItsWeight) {
    Sheet sheet;
    sheet.influences(1);
    std::fill(sheet.weights.begin(), sheet.weights.end(), notFinite);
    EXPECT_GT(pushed(sheet), 0u);
    sheet.weights.clear();
    EXPECT_GT(pushed(sheet), 0u);
}

TEST(PlainCastMesh, LayersComeAlong) {
    Sheet sheet;
    sheet.uvLayers = sheet.announcedUvs = 3;
    sheet.paint();
    sheet.paint();
    sheet.method = "quaternion";
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 24 + 8 + 4 + 16));
    sheet.uvLayers = sheet.announcedUvs = 0;
    sheet.colors.clear();
    EXPECT_GT(pushed(sheet), 0u);
    sheet.paint();
    sheet.isOld = true;
    EXPECT_GT(pushed(sheet, "LEGACY_FORM"), 0u);
}

TEST(PlainCastMesh, WhatIsOnlyToldIsTold) {
    Sheet sheet;
    sheet.faces[700] = sheet.faces[701];
    EXPECT_GT(pushed(sheet, "FACE_DEGENERATE"), 0u);
    for (std::size_t i = 0; i < sheet.faces.size(); i += 3) std::swap(sheet.faces[i + 1], sheet.faces[i + 2]);
    EXPECT_GT(pushed(sheet, "FACE_WINDING"), 0u);
    sheet.weights[400] = 0.1f;
    EXPECT_GT(pushed(sheet, "INFLUENCE_SUM"), 0u);
}

TEST(PlainCastMesh, TrianglesAreTurnedWhereAMajorityIsAgainstItsNormals) {
    // More than 95 of 100.
    for (const std::size_t of100 : {94, 96, 100}) {
        Sheet sheet(100);
        for (std::size_t i = 0; i < sheet.faces.size(); i += 3)
            if (i / 3 % 100 < of100) std::swap(sheet.faces[i + 1], sheet.faces[i + 2]);
        const bool isTurned = of100 > 95;
        const auto bytes = fileOf(sheet);
        EXPECT_GT(pushed(bytes, isTurned ? "FACE_WINDING" : ""), 0u);
        EXPECT_EQ(openCast(bytes)->diagnostics.total(Severity::warning), isTurned ? 1u : 0u) << of100;
    }
}

TEST(PlainCastMesh, MeshesOfOneSkeletonMayGoDifferentWays) {
    Sheet first, second, third;
    second.weights[40] = notFinite;
    for (float& at : third.positions) at = at * 3 + 5;
    const Sheet* const orders[][3] = {{&first, &second, &third}, {&second, &first, &third}, {&first, &third, &first}};
    for (const auto& order : orders) {
        const auto bytes = modelFile([&](CastBuilder& cast) {
            addBones(cast, 4);
            for (const Sheet* sheet : order) sheet->write(cast);
        });
        EXPECT_GT(pushed(bytes), 0u);
    }
    // Two models, each with its own.
    EXPECT_GT(pushed(castFile([&](CastBuilder& cast) {
                  for (const Sheet* sheet : {&first, &third}) {
                      cast.begin("modl");
                      addBones(cast, 4);
                      sheet->write(cast);
                      second.write(cast);
                      cast.end();
                  }
              })),
              0u);
}

TEST(PlainCastMesh, ShapesNeedTheirMeshInMemory) {
    const Sheet sheet;
    EXPECT_EQ(pushed(modelFile([&](CastBuilder& cast) {
                  addBones(cast, 4);
                  sheet.write(cast);
                  const std::uint64_t hash = cast.lastHash();
                  cast.begin("blsh").text("n", "smile").link("b", hash).integers("vi", {3, 900});
                  cast.floats("vp", CastType::vec3, Vector<float>{1, 2, 3, 400, 5, 6}).end();
              })),
              0u);
}

struct Odd {
    const char* what;
    void (*make)(Sheet&);
    const char* code = "";
};

class OddCastMesh : public testing::TestWithParam<Odd> {};

TEST_P(OddCastMesh, IsReadTheCarefulWay) {
    Sheet sheet;
    ASSERT_GT(pushed(sheet), 0u);
    GetParam().make(sheet);
    EXPECT_EQ(pushed(sheet, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(PlainCastMesh, OddCastMesh,
                         testing::Values(Odd{"NoNormals", [](Sheet& s) { s.normals.clear(); }},
                                         Odd{"FewNormals", [](Sheet& s) { s.normals.resize(30); }, "ATTRIBUTE_COUNT"},
                                         Odd{"BadNormal", [](Sheet& s) { s.normals[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"BadPoint", [](Sheet& s) { s.positions[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"BadUv", [](Sheet& s) { s.uvs[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"OnePoint", [](Sheet& s) { std::fill(s.positions.begin(), s.positions.end(), 1.f); }},
                                         Odd{"Tangents", [](Sheet& s) { s.tangents = s.normals; }},
                                         Odd{"FaceOutside", [](Sheet& s) { s.faces[5] = s.vertices(); }, "FACE_INDEX_RANGE"},
                                         Odd{"FaceTail", [](Sheet& s) { s.faces.pop_back(); }, "FACE_TAIL"},
                                         Odd{"MoreUvsThanAnnounced", [](Sheet& s) { s.uvLayers = 2; }, "LAYER_COUNT"},
                                         Odd{"FewerUvsThanAnnounced", [](Sheet& s) { s.announcedUvs = 2; }, "LAYER_COUNT"},
                                         Odd{"FewUvs", [](Sheet& s) { s.uvs.resize(200); }, "ATTRIBUTE_COUNT"},
                                         Odd{"FewColors",
                                             [](Sheet& s) {
                                                 s.paint();
                                                 s.colors[0].resize(40);
                                             },
                                             "ATTRIBUTE_COUNT"},
                                         Odd{"BoneOutside", [](Sheet& s) { s.joints[3] = 4; }, "INFLUENCE_BONE_RANGE"},
                                         Odd{"NoBones", [](Sheet& s) { s.bones = 0; }, "INFLUENCE_BONE_RANGE"},
                                         Odd{"WeightBelowZero", [](Sheet& s) { s.weights[2] = -1; }, "INFLUENCE_SUM"},
                                         Odd{"BadWeight", [](Sheet& s) { s.weights[2] = notFinite; }, "NON_FINITE"},
                                         Odd{"SameBoneTwice", [](Sheet& s) { s.joints[1] = s.joints[0]; }, "INFLUENCE_DUPLICATE"},
                                         Odd{"Unweighted", [](Sheet& s) { std::fill_n(s.weights.begin() + 80, 4, 0.f); },
                                             "INFLUENCE_MISSING"},
                                         Odd{"FewWeights", [](Sheet& s) { s.weights.pop_back(); }, "ATTRIBUTE_COUNT"},
                                         Odd{"FewJoints", [](Sheet& s) { s.joints.pop_back(); }, "ATTRIBUTE_COUNT"},
                                         Odd{"FiveInfluences", [](Sheet& s) { s.influences(5); }},
                                         Odd{"MethodUnknown", [](Sheet& s) { s.method = "cubic"; }, "VALUE_UNKNOWN"}),
                         [](const auto& info) { return info.param.what; });

TEST(PlainCastMesh, TrianglesThatReachFarAreLookedAtInMemory) {
    Sheet sheet(4000);
    const std::uint32_t triangles = static_cast<std::uint32_t>(sheet.faces.size() / 3);
    Vector<std::uint32_t> mixed;
    for (std::uint32_t i = 0; i < triangles; ++i)
        for (std::uint32_t k = 0; k < 3; ++k) mixed.push_back(sheet.faces[std::size_t{i} * 7919 % triangles * 3 + k]);
    sheet.faces = mixed;
    EXPECT_EQ(pushed(sheet), 0u);
}

TEST(PlainCastMesh, WithTangentsItIsInMemory) {
    const auto bytes = fileOf(Sheet());
    Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    input.tangents = true;
    EXPECT_EQ(differenceOf("cast", input), "");
    EXPECT_EQ(outcomeOf("cast", input, false, Way::outside).pushed, 0u);
}

TEST(PlainCastMesh, DamageAnywhereComesToTheSame) {
    const auto bytes = fileOf(Sheet(32));
    for (std::size_t at = 0; at < bytes.size(); at += at < 1200 ? 1 : 97) {
        auto damaged = bytes;
        damaged[at] ^= 0x55;
        EXPECT_EQ(differenceOf("cast", test::inputOf({damaged.data(), damaged.size()}, "a.cast")), "") << at;
    }
}

}  // namespace
}  // namespace rigcast::test
