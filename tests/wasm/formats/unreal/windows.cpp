// Tests that meshes that are read and written in windows give the same result as in the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "core/code.hpp"
#include "support/deferred.hpp"
#include "support/open.hpp"
#include "support/unreal.hpp"

namespace rigcast {
namespace {

using test::differenceOf;
using test::outcomeOf;
using test::ReadMode;
using unreal::PskDocument;

constexpr float notFinite = std::numeric_limits<float>::quiet_NaN();

PskDocument withNormals(PskDocument document) {
    for (const auto& point : document.points) document.normals.push_back({0.6f, point.x > 100 ? 0.8f : -0.8f, 0});
    return document;
}

PskDocument arm() { return withNormals(test::plainArmDocument()); }

/// Returns the number of bytes that were streamed. Fails the test if the results differ.
std::size_t streamedBytes(const PskDocument& document, std::string_view code = {}) {
    const auto bytes = unreal::write(document);
    const Input input = test::inputOf({bytes.data(), bytes.size()}, "a.psk");
    EXPECT_EQ(differenceOf("psk", input), "");
    const auto outcome = outcomeOf("psk", input, false, ReadMode::outside);
    EXPECT_NE(outcome.description.find(code), std::string::npos) << code;
    EXPECT_EQ(outcome.allocated, outcome.written);  // otherwise JavaScript would copy the block
    return outcome.written;
}

/// Compares the position of each vertex with its point. Needed because comparing modes does not
/// test the code that converts points, which all modes share.
void expectPositions(const PskDocument& document) {
    const auto opened = test::readBytes("psk", unreal::write(document));
    const Mesh& mesh = opened->scene.meshes.at(0);
    const auto positions = opened->arena.values(mesh.positions);
    const auto points = opened->arena.values(mesh.sourceVertices);
    ASSERT_EQ(positions.size(), 3 * points.size());
    std::size_t wrong = 0;
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex) {
        const auto& point = document.points[points[vertex]];
        const float* at = &positions[3 * vertex];
        wrong += at[0] != point.x * 0.01f || at[1] != point.z * 0.01f || at[2] != -(point.y * 0.01f);
    }
    EXPECT_EQ(wrong, 0u);
}

/// Reverses the order of the wedges, so that the first window of vertices needs all points.
void reverseWedges(PskDocument& document) {
    std::reverse(document.wedges.begin(), document.wedges.end());
    const auto last = static_cast<std::uint32_t>(document.wedges.size() - 1);
    for (auto& face : document.faces)
        for (std::uint32_t& wedge : face.wedges) wedge = last - wedge;
}

TEST(MeshInWindows, StreamsASmallMesh) {
    const PskDocument document = arm();
    const std::size_t vertices = document.wedges.size();
    EXPECT_EQ(streamedBytes(document), vertices * (12 + 4 + 12 + 8 + 4 + 16) + document.faces.size() * 6);
}

TEST(MeshInWindows, StreamsColoursAndSeveralUvSetsOfAnOddNumberOfVertices) {
    PskDocument document = withNormals(test::gridDocument(61, 3));
    const std::size_t vertices = document.wedges.size();
    ASSERT_EQ(vertices % 2, 1u);
    document.colors.resize(vertices);
    document.extraUvs.resize(2);
    for (auto& set : document.extraUvs) set.resize(vertices);
    const std::size_t padding = 3 * 4;  // after positions, normals, source vertices, colours and joints
    EXPECT_GE(streamedBytes(document), vertices * (12 + 4 + 12 + 3 * 8 + 4 + 4 + 16) + document.faces.size() * 6 + padding);
}

TEST(MeshInWindows, JointIndicesHave8BitsUpTo256Bones) {
    const auto bytesOf = [](std::uint32_t bones) { return streamedBytes(withNormals(test::gridDocument(60, bones))); };
    EXPECT_EQ(bytesOf(257), bytesOf(256) + 4 * test::gridDocument(60, 1).wedges.size());
}

/// Returns the number of bytes that were read more than once.
std::size_t bytesReadAgain(const PskDocument& document) {
    const auto bytes = unreal::write(document);
    return outcomeOf("psk", test::inputOf({bytes.data(), bytes.size()}, "a.psk"), false, ReadMode::outside).bytesRead - bytes.size();
}

TEST(MeshInWindows, OnlyWedgesAreReadTwice) {
    const PskDocument document = withNormals(test::gridDocument(300, 40));
    EXPECT_GT(streamedBytes(document), 55 * document.wedges.size());
    // Wedges are read twice, for points and for texture coordinates, and windows of influences
    // overlap.
    const std::size_t overlap = unreal::write(document).size() / 8;
    EXPECT_LT(bytesReadAgain(document), 16 * document.wedges.size() + overlap);
}

TEST(MeshInWindows, FacesAreReadAgainIfOneIsNotATriangleOrAWedgeIsUnused) {
    const PskDocument sound = withNormals(test::gridDocument(300, 40));
    PskDocument degenerate = sound, unused = sound, mixed = sound, descending = sound;
    degenerate.faces[5].wedges[0] = degenerate.faces[5].wedges[1];
    unused.wedges.push_back(unused.wedges.back());
    mixed.materials.push_back(mixed.materials[0]);
    mixed.faces[5].material = 1;
    descending.materials.push_back(descending.materials[0]);
    for (std::size_t i = 0; i < windowRecords; ++i) descending.faces[i].material = 1;  // within each window, triangles are in order
    for (const PskDocument* each : {&degenerate, &unused, &mixed, &descending})
        EXPECT_GT(bytesReadAgain(*each), bytesReadAgain(sound) + 12 * sound.faces.size());
}

TEST(MeshInWindows, ReadsPointsInAnyOrder) {
    PskDocument document = withNormals(test::gridDocument(100, 40));
    reverseWedges(document);
    EXPECT_GT(streamedBytes(document), 0u);
    expectPositions(document);
}

/// The size of the ring buffer for points is a power of two. This wedge refers to a point that is
/// 8,193 points back, so the buffer needs 16,384.
TEST(MeshInWindows, RingContainsThePointsThatWedgesReferBackTo) {
    constexpr std::uint32_t at = 9000, reach = 8193;
    PskDocument document = withNormals(test::gridDocument(150, 40));
    ASSERT_GT(document.points.size(), 2u * 8192);
    const auto windowEnd = static_cast<std::uint32_t>(at - at % windowRecords + windowRecords);
    const std::uint32_t highest = windowEnd - 2, point = highest + 1 - reach;  // all other wedges of the window refer to their own points
    for (auto& face : document.faces)
        for (std::uint32_t& wedge : face.wedges) wedge += wedge >= at;
    PskDocument::Wedge far = document.wedges[point];
    document.wedges.insert(document.wedges.begin() + at, far);
    document.faces.push_back({{at, point + 1, point + 150}, 0, 0, 1});
    EXPECT_GT(streamedBytes(document), 0u);
    expectPositions(document);
}

TEST(MeshInWindows, FindsSmoothingGroupsInAnyWindow) {
    const PskDocument grid = test::gridDocument(100, 1);
    for (const std::size_t face : {std::size_t{1}, grid.faces.size() / 2, grid.faces.size() - 1}) {
        PskDocument document = grid;
        document.faces[face].smoothing = 2;
        const auto opened = test::readBytes("psk", unreal::write(document));
        EXPECT_GT(opened->scene.meshes.at(0).vertexCount, grid.wedges.size()) << face;
    }
}

TEST(MeshInWindows, DamageInTheFirstOfManyWindowsNeedsTheHeap) {
    const PskDocument grid = withNormals(test::gridDocument(100, 4));
    ASSERT_GT(grid.points.size(), 2 * windowRecords);
    PskDocument document = grid;
    document.normals[3] = {0, 0, 0};
    EXPECT_EQ(streamedBytes(document, "NORMAL_DAMAGED"), 0u);
    document = grid;
    document.points[3].x = notFinite;
    EXPECT_EQ(streamedBytes(document, "NON_FINITE"), 0u);
    // All points are converted for the first window of vertices. The points that follow the
    // unweighted point have influences.
    document = grid;
    reverseWedges(document);
    erase_if(document.influences, [](const auto& influence) { return influence.point == static_cast<std::int32_t>(windowRecords - 1); });
    EXPECT_EQ(streamedBytes(document, "INFLUENCE_MISSING"), 0u);
}

TEST(MeshInWindows, IsNotEmptyIfOnlyTheLastPointsAreEqual) {
    PskDocument document = withNormals(test::gridDocument(100, 1));
    auto corner = document.points[0];  // the minimum of the first window in scene space
    for (std::size_t i = 0; i < windowRecords; ++i) {
        const auto& point = document.points[i];
        corner = {std::min(corner.x, point.x), std::max(corner.y, point.y), std::min(corner.z, point.z)};
    }
    for (std::size_t i = 2 * windowRecords; i < document.points.size(); ++i) document.points[i] = corner;
    EXPECT_FALSE(test::readBytes("psk", unreal::write(document))->has(Code::MESH_EMPTY));
}

TEST(MeshInWindows, CountsInfluencesPerVertex) {
    const auto maximum = [](const PskDocument& document) {
        EXPECT_GT(streamedBytes(document), 0u);
        return test::readBytes("psk", unreal::write(document))->scene.meshes.at(0).maxInfluences;
    };
    PskDocument document = withNormals(test::gridDocument(10, 4));
    EXPECT_EQ(maximum(document), 2u);
    document.influences.erase(document.influences.begin());
    for (std::int32_t bone = 3; bone >= 0; --bone)
        document.influences.insert(document.influences.begin(), {0.1f * static_cast<float>(4 - bone), 0, bone});
    EXPECT_EQ(maximum(document), 4u);
}

TEST(MeshInWindows, StreamsFurtherTextureCoordinates) {
    PskDocument document = arm();
    document.extraUvs.resize(2);
    for (std::size_t i = 0; i < document.wedges.size(); ++i)
        for (auto& uvs : document.extraUvs) uvs.push_back({static_cast<float>(i), 0.5f});
    EXPECT_GT(streamedBytes(document), 0u);
    document.extraUvs[1].pop_back();
    EXPECT_GT(streamedBytes(document, "ATTRIBUTE_COUNT"), 0u);
}

TEST(MeshInWindows, WithoutBonesThereAreNoWeights) {
    PskDocument document = arm();
    document.bones.clear();
    EXPECT_GT(streamedBytes(document), 0u);
}

struct Odd {
    const char* what;
    void (*make)(PskDocument&);
    const char* code = "";
};

std::string nameOf(const testing::TestParamInfo<Odd>& info) { return info.param.what; }

class OddMeshInWindows : public testing::TestWithParam<Odd> {};

TEST_P(OddMeshInWindows, IsReadInWindows) {
    PskDocument document = arm();
    GetParam().make(document);
    EXPECT_GT(streamedBytes(document, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(Psk, OddMeshInWindows,
                         testing::Values(Odd{"DegenerateFace",
                                             [](PskDocument& d) {
                                                 d.faces.push_back({{0, 4, 1}, 1, 0, 1});  // wedges 0 and 4 have the same point
                                             },
                                             "FACE_DEGENERATE"},
                                         Odd{"DegenerateFaceInside", [](PskDocument& d) { d.faces[3].wedges[0] = d.faces[3].wedges[1]; },
                                             "FACE_DEGENERATE"},
                                         Odd{"MaterialDisagrees", [](PskDocument& d) { d.wedges[2].material = 1; }, "MATERIAL_DISAGREES"},
                                         Odd{"MaterialMissing", [](PskDocument& d) { d.materials.pop_back(); }, "MATERIAL_RANGE"},
                                         Odd{"MaterialsMixed", [](PskDocument& d) { std::swap(d.faces[0], d.faces[26]); }},
                                         Odd{"WeightsBelowOne", [](PskDocument& d) { d.influences[0].weight = 0.5f; }, "INFLUENCE_SUM"},
                                         Odd{"BadUv", [](PskDocument& d) { d.wedges[7].v = notFinite; }, "NON_FINITE"},
                                         Odd{"UnusedWedge",
                                             [](PskDocument& d) {
                                                 d.wedges.insert(d.wedges.begin() + 9, {0, 0.5f, 0.5f, 0, 0});
                                                 for (auto& face : d.faces)
                                                     for (std::uint32_t& wedge : face.wedges) wedge += wedge >= 9;
                                             }},
                                         Odd{"WedgeOutside", [](PskDocument& d) { d.wedges[4].point = 16; }, "VERTEX_POINT_RANGE"},
                                         Odd{"FaceOutside", [](PskDocument& d) { d.faces[1].wedges[2] = 28; }, "FACE_INDEX_RANGE"},
                                         Odd{"Colors",
                                             [](PskDocument& d) {
                                                 for (std::size_t i = 0; i < d.wedges.size(); ++i)
                                                     d.colors.push_back({static_cast<std::uint8_t>(i), 1, 2, 3});
                                             },
                                             "COLOR_ORDER_GUESSED"},
                                         Odd{"FewColors", [](PskDocument& d) { d.colors.resize(1); }, "ATTRIBUTE_COUNT"},
                                         Odd{"OnePlace",
                                             [](PskDocument& d) {
                                                 for (auto& point : d.points) point = {1, 2, 3};
                                             },
                                             "MESH_EMPTY"}),
                         nameOf);

class OddMeshInHeap : public testing::TestWithParam<Odd> {};

TEST_P(OddMeshInHeap, IsReadInTheHeap) {
    PskDocument document = arm();
    ASSERT_GT(streamedBytes(document), 0u);
    GetParam().make(document);
    EXPECT_EQ(streamedBytes(document, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    Psk, OddMeshInHeap,
    testing::Values(Odd{"NoNormals", [](PskDocument& d) { d.normals.clear(); }},
                    Odd{"FewNormals", [](PskDocument& d) { d.normals.pop_back(); }, "ATTRIBUTE_COUNT"},
                    Odd{"ZeroNormal",
                        [](PskDocument& d) {
                            d.normals[3] = {0, 0, 0};
                        },
                        "NORMAL_DAMAGED"},
                    Odd{"BadNormal", [](PskDocument& d) { d.normals[3].x = notFinite; }, "NON_FINITE"},
                    Odd{"BadPoint", [](PskDocument& d) { d.points[15].y = notFinite; }, "NON_FINITE"},
                    Odd{"LonePoint",
                        [](PskDocument& d) {
                            d.points.push_back({1, 2, 3});
                            d.normals.push_back({1, 0, 0});
                            d.influences.push_back({1, 16, 0});
                        }},
                    Odd{"LonePointInside",
                        [](PskDocument& d) {
                            for (auto& wedge : d.wedges) wedge.point = wedge.point == 5 ? 6 : wedge.point;
                        }},
                    Odd{"BoneOutside", [](PskDocument& d) { d.influences[0].bone = 3; }, "INFLUENCE_BONE_RANGE"},
                    Odd{"WeightBelowZero", [](PskDocument& d) { d.influences[0].weight = -1; }},
                    Odd{"SameBoneTwice", [](PskDocument& d) { d.influences[8].bone = d.influences[9].bone = 1; }, "INFLUENCE_DUPLICATE"},
                    Odd{"Unweighted", [](PskDocument& d) { d.influences.erase(d.influences.begin()); }, "INFLUENCE_MISSING"},
                    Odd{"LastUnweighted", [](PskDocument& d) { d.influences.pop_back(); }, "INFLUENCE_MISSING"},
                    Odd{"NoInfluences", [](PskDocument& d) { d.influences.clear(); }, "INFLUENCE_MISSING"},
                    Odd{"InfluencesMixed", [](PskDocument& d) { std::swap(d.influences[0], d.influences[5]); }},
                    Odd{"OneInfluenceMore",
                        [](PskDocument& d) {
                            d.influences.push_back({1, 16, 0});
                        },
                        "INFLUENCE_POINT_RANGE"},
                    Odd{"FiveInfluences",
                        [](PskDocument& d) {
                            while (d.bones.size() < 6) d.bones.push_back(d.bones.back());
                            for (std::int32_t bone = 1; bone < 5; ++bone) d.influences.insert(d.influences.begin(), {0.1f, 0, bone});
                        }},
                    Odd{"FiveInfluencesOfTheLastPoint",
                        [](PskDocument& d) {
                            while (d.bones.size() < 6) d.bones.push_back(d.bones.back());
                            const auto last = static_cast<std::int32_t>(d.points.size() - 1);
                            erase_if(d.influences, [&](const auto& influence) { return influence.point == last; });
                            for (std::int32_t bone = 0; bone < 5; ++bone) d.influences.push_back({0.3f - 0.05f * bone, last, bone});
                        }},
                    Odd{"Morphs",
                        [](PskDocument& d) {
                            d.addMorph("Up", {{{0, 0, 1}, {0, 0, 0}, 3}});
                        }}),
    nameOf);

}  // namespace
}  // namespace rigcast
