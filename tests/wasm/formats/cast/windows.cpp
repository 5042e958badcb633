// Tests meshes that are read and written in windows. The result must not depend on whether the file
// and the columns are in the heap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cast.hpp"
#include "core/json.hpp"
#include "support/deferred.hpp"
#include "support/scenes.hpp"

namespace rigcast::test {
namespace {

constexpr float notFinite = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t outside = 0xFFFFFFFF;  // no index

/// A grid of columns × rows vertices with four bones. Tests change its fields.
struct Grid {
    std::uint32_t columns, rows, perVertex = 4, bones = 4;
    Vector<float> positions, normals, uvs, weights, tangents;
    Vector<std::uint32_t> faces, joints;
    Vector<Vector<std::uint8_t>> colors;  // packed
    Vector<std::uint32_t> uvNumbers = {0};
    std::uint32_t announcedUvs = 1;
    Vector<float> floatColors;                                       // four per vertex, in a layer that follows the packed ones
    CastType faceType = CastType::text, jointType = CastType::text;  // text: integers of the narrowest type
    std::string_view repeated;  // name of a float property that is written twice, first with other values
    bool hasShape = false;
    bool isOld = false;  // one colour layer without a count
    std::string_view method = "linear";

    explicit Grid(std::uint32_t width = 60, std::uint32_t height = 40) : columns(width), rows(height) { make(); }

    std::uint32_t vertices() const { return columns * rows; }
    /// Returns the size of the columns if each vertex has `perVertex` bytes.
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

    /// Writes numbers with the given type.
    static void writeNumbers(CastBuilder& cast, std::string_view name, CastType type, const Vector<std::uint32_t>& numbers) {
        Vector<std::uint8_t> bytes;
        const auto put = [&](auto value) {
            const auto* data = reinterpret_cast<const std::uint8_t*>(&value);
            bytes.insert(bytes.end(), data, data + sizeof value);
        };
        for (const std::uint32_t number : numbers) switch (type) {
                case CastType::u8:
                    put(static_cast<std::uint8_t>(number));
                    break;
                case CastType::u16:
                    put(static_cast<std::uint16_t>(number));
                    break;
                case CastType::u64:
                    put(std::uint64_t{number} | (number == outside ? 1ull << 40 : 0));
                    break;
                case CastType::f32:
                    put(static_cast<float>(number));
                    break;
                case CastType::f64:
                    put(static_cast<double>(number));
                    break;
                default:
                    put(number);
            }
        if (type == CastType::text)
            cast.integers(name, numbers);
        else
            cast.raw(name, type, static_cast<std::uint32_t>(numbers.size()), {bytes.data(), bytes.size()});
    }

    void write(CastBuilder& cast) const {
        cast.begin("mesh").text("n", "sheet");
        if (!repeated.empty()) cast.floats(repeated, CastType::vec3, Vector<float>(positions.size(), notFinite));
        cast.floats("vp", CastType::vec3, positions);
        if (!normals.empty()) cast.floats("vn", CastType::vec3, normals);
        if (!tangents.empty()) cast.floats("vt", CastType::vec3, tangents);
        for (const std::uint32_t number : uvNumbers) cast.floats("u" + std::to_string(number), CastType::vec2, uvs);
        cast.u8("ul", static_cast<std::uint8_t>(announcedUvs));
        for (std::size_t layer = 0; layer < colors.size(); ++layer)
            cast.raw(isOld ? "vc" : "c" + std::to_string(layer), CastType::u32, static_cast<std::uint32_t>(colors[layer].size() / 4),
                     {colors[layer].data(), colors[layer].size()});
        if (!floatColors.empty()) cast.floats("c" + std::to_string(colors.size()), CastType::vec4, floatColors);
        if (!isOld) cast.u8("cl", static_cast<std::uint8_t>(colors.size() + !floatColors.empty()));
        if (perVertex) cast.u8("mi", static_cast<std::uint8_t>(perVertex));
        if (perVertex) writeNumbers(cast, "wb", jointType, joints);
        if (!weights.empty() && perVertex) cast.floats("wv", CastType::f32, weights);
        writeNumbers(cast.text("sm", method), "f", faceType, faces);
        cast.f32("made", 7).end();
        if (!hasShape) return;
        const std::uint64_t hash = cast.lastHash();
        cast.begin("blsh").text("n", "smile").link("b", hash).integers("vi", {3, 900});
        cast.floats("vp", CastType::vec3, Vector<float>{1, 2, 3, 400, 5, 6}).end();
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

Vector<std::uint8_t> fileOf(const Grid& grid) {
    return modelFile([&](CastBuilder& cast) {
        if (grid.bones) addBones(cast, grid.bones);
        grid.write(cast);
    });
}

/// Returns the number of bytes in streamed columns. Fails the test if the result depends on whether
/// file and columns are in the heap.
std::size_t streamedBytes(const Vector<std::uint8_t>& bytes, std::string_view code = {}) {
    const Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    EXPECT_EQ(differenceOf("cast", input), "");
    const Outcome outcome = outcomeOf("cast", input, false, ReadMode::outside);
    EXPECT_NE(outcome.description.find(code), std::string::npos) << code;
    return outcome.written;
}
std::size_t streamedBytes(const Grid& grid, std::string_view code = {}) { return streamedBytes(fileOf(grid), code); }

TEST(CastWindows, StreamsLargeMeshes) {
    const Grid grid;
    EXPECT_EQ(streamedBytes(grid), grid.columnBytes(12 + 12 + 8 + 4 + 16));
}

TEST(CastWindows, AllocatesTheSizeOfTheColumns) {
    const auto bytes = fileOf(Grid(61, 41));
    const Outcome outcome = outcomeOf("cast", test::inputOf({bytes.data(), bytes.size()}, "a.cast"), false, ReadMode::outside);
    EXPECT_GT(outcome.written, 0u);
    EXPECT_EQ(outcome.allocated, outcome.written);
}

TEST(CastWindows, JointIndicesHave8BitsUpTo256Bones) {
    Grid grid;
    grid.bones = 256;
    grid.joints[5] = 255;
    EXPECT_EQ(streamedBytes(grid), grid.columnBytes(12 + 12 + 8 + 4 + 16));
    grid.bones = 257;
    EXPECT_EQ(streamedBytes(grid), grid.columnBytes(12 + 12 + 8 + 8 + 16));
}

TEST(CastWindows, ReadsEachWindowOnce) {
    const Grid grid(30, 2800);
    const auto bytes = fileOf(grid);
    EXPECT_EQ(streamedBytes(bytes), grid.columnBytes(12 + 12 + 8 + 4 + 16));
    // Points are read again for joint boxes, a few more to find the farthest point, and some
    // triangles to find the winding.
    EXPECT_LT(outcomeOf("cast", test::inputOf({bytes.data(), bytes.size()}, "a.cast"), false, ReadMode::outside).bytesRead,
              bytes.size() + 12 * grid.vertices() + bytes.size() / 4);
}

TEST(CastWindows, ReadsInfluencesOfAnyNumberAndWidth) {
    for (std::uint32_t count = 0; count <= 4; ++count) {
        Grid grid;
        grid.influences(count);
        EXPECT_GT(streamedBytes(grid), 0u) << count;
        grid.jointType = CastType::u32;
        EXPECT_GT(streamedBytes(grid), 0u) << count;
        grid.jointType = CastType::text;
        grid.bones = 300;
        for (std::uint32_t& joint : grid.joints) joint *= 99;
        EXPECT_GT(streamedBytes(grid), 0u) << count;
    }
}

TEST(CastWindows, SingleInfluenceHasWeightOne) {
    Grid grid;
    grid.influences(1);
    std::fill(grid.weights.begin(), grid.weights.end(), notFinite);
    EXPECT_GT(streamedBytes(grid), 0u);
    grid.weights.clear();
    EXPECT_GT(streamedBytes(grid), 0u);
}

TEST(CastWindows, StreamsLayers) {
    Grid grid;
    grid.uvNumbers = {0, 1, 2};
    grid.announcedUvs = 3;
    grid.paint();
    grid.paint();
    grid.method = "quaternion";
    EXPECT_EQ(streamedBytes(grid), grid.columnBytes(12 + 12 + 24 + 8 + 4 + 16));
    grid.uvNumbers.clear();
    grid.announcedUvs = 0;
    grid.colors.clear();
    EXPECT_GT(streamedBytes(grid), 0u);
    grid.paint();
    grid.isOld = true;
    EXPECT_GT(streamedBytes(grid, "LEGACY_FORM"), 0u);
}

TEST(CastWindows, ReportsFindingsOfStreamedMeshes) {
    Grid grid;
    grid.faces[700] = grid.faces[701];
    EXPECT_GT(streamedBytes(grid, "FACE_DEGENERATE"), 0u);
    for (std::size_t i = 0; i < grid.faces.size(); i += 3) std::swap(grid.faces[i + 1], grid.faces[i + 2]);
    EXPECT_GT(streamedBytes(grid, "FACE_WINDING"), 0u);
    grid.weights[400] = 0.1f;
    EXPECT_GT(streamedBytes(grid, "INFLUENCE_SUM"), 0u);
}

TEST(CastWindows, ReversesTrianglesIfAMajorityIsAgainstTheNormals) {
    // Faces are reversed if more than 95 of 100 face in the opposite direction of their normals.
    for (const std::size_t of100 : {94, 96, 100}) {
        Grid grid(100);
        for (std::size_t i = 0; i < grid.faces.size(); i += 3)
            if (i / 3 % 100 < of100) std::swap(grid.faces[i + 1], grid.faces[i + 2]);
        const bool isTurned = of100 > 95;
        const auto bytes = fileOf(grid);
        EXPECT_GT(streamedBytes(bytes, isTurned ? "FACE_WINDING" : ""), 0u);
        EXPECT_EQ(openCast(bytes)->diagnostics.total(Severity::warning), isTurned ? 1u : 0u) << of100;
    }
}

TEST(CastWindows, StreamsDifferentMeshesOfOneSkeleton) {
    Grid first, second, third;
    second.tangents = second.normals;
    for (float& at : third.positions) at = at * 3 + 5;
    const Grid* const orders[][3] = {{&first, &second, &third}, {&second, &first, &third}, {&first, &third, &first}};
    for (const auto& order : orders) {
        const auto bytes = modelFile([&](CastBuilder& cast) {
            addBones(cast, 4);
            for (const Grid* grid : order) grid->write(cast);
        });
        EXPECT_GT(streamedBytes(bytes), 0u);
    }
    // Two models, each with its own skeleton.
    EXPECT_GT(streamedBytes(castFile([&](CastBuilder& cast) {
                  for (const Grid* grid : {&first, &third}) {
                      cast.begin("modl");
                      addBones(cast, 4);
                      grid->write(cast);
                      second.write(cast);
                      cast.end();
                  }
              })),
              0u);
}

struct Odd {
    const char* what;
    void (*make)(Grid&);
    const char* code = "";
};

class RepairedMesh : public testing::TestWithParam<Odd> {};

TEST_P(RepairedMesh, IsStreamed) {
    Grid grid;
    GetParam().make(grid);
    EXPECT_GT(streamedBytes(grid, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(CastWindows, RepairedMesh,
                         testing::Values(Odd{"NoNormals", [](Grid& s) { s.normals.clear(); }},
                                         Odd{"FewNormals", [](Grid& s) { s.normals.resize(30); }, "ATTRIBUTE_COUNT"},
                                         Odd{"BadNormal", [](Grid& s) { s.normals[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"NormalWithoutLength", [](Grid& s) { std::fill_n(&s.normals[30], 3, 0.f); }, "NORMAL_DAMAGED"},
                                         Odd{"BadPoint", [](Grid& s) { s.positions[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"BadUv", [](Grid& s) { s.uvs[31] = notFinite; }, "NON_FINITE"},
                                         Odd{"OnePoint", [](Grid& s) { std::fill(s.positions.begin(), s.positions.end(), 1.f); }},
                                         Odd{"FaceOutside", [](Grid& s) { s.faces[5] = s.vertices(); }, "FACE_INDEX_RANGE"},
                                         Odd{"FaceTail", [](Grid& s) { s.faces.pop_back(); }, "FACE_TAIL"},
                                         Odd{"MoreUvsThanAnnounced",
                                             [](Grid& s) {
                                                 s.uvNumbers = {0, 1};
                                             },
                                             "LAYER_COUNT"},
                                         Odd{"FewerUvsThanAnnounced", [](Grid& s) { s.announcedUvs = 2; }, "LAYER_COUNT"},
                                         Odd{"FewUvs", [](Grid& s) { s.uvs.resize(200); }, "ATTRIBUTE_COUNT"},
                                         Odd{"FewColors",
                                             [](Grid& s) {
                                                 s.paint();
                                                 s.colors[0].resize(40);
                                             },
                                             "ATTRIBUTE_COUNT"},
                                         Odd{"BoneOutside", [](Grid& s) { s.joints[3] = 4; }, "INFLUENCE_BONE_RANGE"},
                                         Odd{"NoBones", [](Grid& s) { s.bones = 0; }, "INFLUENCE_BONE_RANGE"},
                                         Odd{"WeightBelowZero", [](Grid& s) { s.weights[2] = -1; }, "INFLUENCE_SUM"},
                                         Odd{"BadWeight", [](Grid& s) { s.weights[2] = notFinite; }, "NON_FINITE"},
                                         Odd{"SameBoneTwice", [](Grid& s) { s.joints[1] = s.joints[0]; }, "INFLUENCE_DUPLICATE"},
                                         Odd{"Unweighted", [](Grid& s) { std::fill_n(s.weights.begin() + 80, 4, 0.f); },
                                             "INFLUENCE_MISSING"},
                                         Odd{"FewWeights", [](Grid& s) { s.weights.pop_back(); }, "ATTRIBUTE_COUNT"},
                                         Odd{"FewJoints", [](Grid& s) { s.joints.pop_back(); }, "ATTRIBUTE_COUNT"},
                                         Odd{"MethodUnknown", [](Grid& s) { s.method = "cubic"; }, "VALUE_UNKNOWN"}),
                         [](const auto& info) { return info.param.what; });

class MeshWithRandomAccess : public testing::TestWithParam<Odd> {};

TEST_P(MeshWithRandomAccess, StaysInTheHeap) {
    Grid grid;
    ASSERT_GT(streamedBytes(grid), 0u);
    GetParam().make(grid);
    EXPECT_EQ(streamedBytes(grid, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(CastWindows, MeshWithRandomAccess,
                         testing::Values(Odd{"Tangents", [](Grid& s) { s.tangents = s.normals; }},
                                         Odd{"FiveInfluences", [](Grid& s) { s.influences(5); }},
                                         Odd{"Shape", [](Grid& s) { s.hasShape = true; }}),
                         [](const auto& info) { return info.param.what; });

TEST(CastWindows, DamageIsRepairedInEveryWindow) {
    for (const std::uint32_t vertex : {0u, 4095u, 4096u, 5999u}) {
        Grid grid(60, 100);
        grid.positions[3 * vertex + 1] = notFinite;
        grid.uvs[2 * vertex] = notFinite;
        grid.weights[4 * vertex] = notFinite;
        const std::size_t corner = 6 * (vertex / 2);
        grid.faces[corner + 2] = outside;
        const auto opened = openCast(fileOf(grid));
        const Mesh& mesh = opened->scene.meshes[0];
        grid.positions[3 * vertex + 1] = 0;
        grid.uvs[2 * vertex] = 0;
        grid.faces.erase(grid.faces.begin() + corner, grid.faces.begin() + corner + 3);
        EXPECT_EQ(valuesOf(opened->arena, mesh.positions), grid.positions);
        EXPECT_EQ(valuesOf(opened->arena, mesh.normals), grid.normals);
        EXPECT_EQ(valuesOf(opened->arena, mesh.uvs[0]), grid.uvs);
        EXPECT_EQ(valuesOf(opened->arena, mesh.indices16), Vector<std::uint16_t>(grid.faces.begin(), grid.faces.end()));
        const auto joints = valuesOf(opened->arena, mesh.joints8);
        const auto weights = valuesOf(opened->arena, mesh.weights);
        for (std::uint32_t i = 0; i < grid.vertices(); ++i) {
            // An invalid influence is dropped and becomes joint 0 with weight 0.
            const std::size_t skipped = i == vertex ? 1 : 0;
            float sum = 0;
            for (std::size_t k = skipped; k < 4; ++k) sum += grid.weights[4 * i + k];
            Vector<std::pair<float, std::uint32_t>> wanted;
            for (std::size_t k = skipped; k < 4; ++k) wanted.push_back({grid.weights[4 * i + k] / sum, grid.joints[4 * i + k]});
            std::sort(wanted.begin(), wanted.end(), std::greater());
            for (std::size_t k = 0; k < 4; ++k) {
                ASSERT_NEAR(weights[4 * i + k], k < wanted.size() ? wanted[k].first : 0, 1e-6) << i;
                ASSERT_EQ(joints[4 * i + k], k < wanted.size() ? wanted[k].second : 0) << i;
            }
        }
        expectFindings(*opened, {"info UNKNOWN_PROPERTY Root[0]/Model[0]/Mesh[1].made", "warning NON_FINITE Root[0]/Model[0]/Mesh[1].vp",
                                 "error FACE_INDEX_RANGE Root[0]/Model[0]/Mesh[1].f", "warning NON_FINITE Root[0]/Model[0]/Mesh[1].u0",
                                 "warning NON_FINITE Root[0]/Model[0]/Mesh[1].wv", "warning INFLUENCE_SUM Root[0]/Model[0]/Mesh[1].wv"});
    }
}

TEST(CastWindows, DetectsTheWindingInAnyTriangleOrder) {
    Grid grid(4000);
    const std::uint32_t triangles = static_cast<std::uint32_t>(grid.faces.size() / 3);
    Vector<std::uint32_t> mixed;
    for (std::uint32_t i = 0; i < triangles; ++i)
        for (const std::uint32_t k : {0, 2, 1}) mixed.push_back(grid.faces[std::size_t{i} * 7919 % triangles * 3 + k]);
    grid.faces = mixed;
    EXPECT_GT(streamedBytes(grid, "FACE_WINDING"), 0u);
}

TEST(CastWindows, TangentsAreComputedInTheHeap) {
    const auto bytes = fileOf(Grid());
    Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    input.tangents = true;
    EXPECT_EQ(differenceOf("cast", input), "");
    EXPECT_EQ(outcomeOf("cast", input, false, ReadMode::outside).written, 0u);
}

/// A random number generator that returns the same numbers on every machine.
class Random {
public:
    explicit Random(std::uint32_t seed) : state_(seed * 2654435761u + 1) {}
    std::uint32_t below(std::size_t limit) {
        state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
        return static_cast<std::uint32_t>((state_ >> 33) % limit);
    }
    template <class T>
    T& in(Vector<T>& list) {
        return list[below(list.size())];
    }
    template <class T>
    T of(std::initializer_list<T> list) {
        return list.begin()[below(list.size())];
    }

private:
    std::uint64_t state_;
};

/// Damages or changes a mesh in one of many ways.
void damage(Grid& grid, Random& random) {
    static constexpr float infinite = std::numeric_limits<float>::infinity();
    const auto number = [&] { return random.of({0.f, -0.f, -1.f, 0.25f, 1e-30f, 1e30f, infinite, -infinite, notFinite}); };
    const auto numberType = [&] { return random.of({CastType::u16, CastType::u32, CastType::u64, CastType::f32, CastType::f64}); };
    switch (random.below(26)) {
        case 0:
            random.in(grid.positions) = number();
            break;
        case 1:
            if (!grid.normals.empty()) random.in(grid.normals) = number();
            break;
        case 2:
            if (!grid.normals.empty()) std::fill_n(&grid.normals[random.below(grid.normals.size() / 3) * 3], 3, 0.f);
            break;
        case 3:
            grid.normals.resize(random.of({0u, 30u}));
            break;
        case 4:
            if (!grid.uvs.empty()) random.in(grid.uvs) = number();
            break;
        case 5:
            grid.uvNumbers = random.of<Vector<std::uint32_t>>({{}, {1}, {0, 1}, {0, 3}, {1, 0}, {0, 0}, {2, 40}, {9}});
            grid.announcedUvs = random.of({0u, 1u, 2u, 4u, 50u});
            break;
        case 6:
            grid.uvs.resize(random.of({0u, 200u}));
            break;
        case 7:
            random.in(grid.faces) = random.of({outside, grid.vertices(), grid.vertices() - 1, 0u});
            break;
        case 8:
            grid.faces.resize(grid.faces.size() / 3 * 3 - random.below(3));
            break;
        case 9:
            std::fill(grid.faces.begin(), grid.faces.end(), random.of({outside, 0u}));
            break;
        case 10:
            for (std::size_t i = 0; i + 2 < grid.faces.size(); i += 3)
                if (random.below(100) < 97) std::swap(grid.faces[i + 1], grid.faces[i + 2]);
            break;
        case 11:
            for (std::size_t i = 0; i + 2 < grid.faces.size(); i += 3)
                std::swap_ranges(&grid.faces[i], &grid.faces[i] + 3, &grid.faces[random.below(grid.faces.size() / 3) * 3]);
            break;
        case 12:
        case 13:
            for (std::uint32_t i = random.below(4); i < 4; ++i)
                if (!grid.weights.empty()) random.in(grid.weights) = number();
            break;
        case 14:
            if (grid.weights.size() >= 4) std::fill_n(grid.weights.begin() + random.below(grid.weights.size() - 3), 4, 0.f);
            break;
        case 15:
            random.in(grid.joints) = random.of({outside, 4u, 3u, 0u});
            break;
        case 16:
            grid.influences(random.below(8));
            if (grid.joints.empty()) grid.joints = {0};
            break;
        case 17:
            if (!grid.weights.empty()) grid.weights.resize(grid.weights.size() - random.below(2));
            if (random.below(2)) grid.joints.pop_back();
            if (grid.joints.empty()) grid.joints = {0};
            break;
        case 18:
            grid.faceType = numberType();
            break;
        case 19:
            grid.jointType = random.below(4) ? numberType() : CastType::u8;
            break;
        case 20:
            grid.tangents = grid.positions;
            random.in(grid.tangents) = number();
            grid.tangents.resize(grid.tangents.size() - random.below(2) * 3);
            break;
        case 21:
            grid.paint();
            grid.colors.back().resize(grid.colors.back().size() - random.below(2) * 4);
            grid.isOld = random.below(2);
            break;
        case 22:
            grid.floatColors.assign(grid.vertices() * 4, 0.5f);
            random.in(grid.floatColors) = number();
            break;
        case 23:
            grid.bones = random.of({0u, 1u, 256u, 257u});
            grid.method = random.of<std::string_view>({"linear", "quaternion", "", "cubic"});
            break;
        case 24:
            grid.repeated = random.of<std::string_view>({"vp", "vn", "vt", "f", "u0"});
            break;
        case 25:
            grid.hasShape = random.below(2);
            if (!grid.hasShape) std::fill(grid.positions.begin(), grid.positions.end(), 1.f);
            break;
    }
}

TEST(CastWindows, RandomDamageGivesTheResultOfTheHeap) {
    for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        Random random(seed);
        Grid grid = random.below(8) ? Grid(60, 80) : random.below(3) ? Grid(5, 4) : Grid(60, 1200);
        const auto bytes = modelFile([&](CastBuilder& cast) {
            for (std::uint32_t mesh = 0; mesh < 2; ++mesh) {
                for (std::uint32_t times = 1 + random.below(3); times > 0; --times) damage(grid, random);
                if (mesh == 0 && grid.bones) addBones(cast, grid.bones);
                grid.write(cast);
            }
        });
        Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
        input.tangents = random.below(8) == 0;
        const Value options =
            parseJson(random.of({"{}", "{}", R"({"cast": {"winding": "file"}})", R"({"cast": {"winding": "reversed"}})"}));
        input.options = &options;
        EXPECT_EQ(differenceOf("cast", input), "") << seed;
    }
}

TEST(CastWindows, DamageInAnyWindowGivesTheResultOfTheHeap) {
    const auto bytes = fileOf(Grid(32));
    for (std::size_t at = 0; at < bytes.size(); at += at < 1200 ? 1 : 97) {
        auto damaged = bytes;
        damaged[at] ^= 0x55;
        EXPECT_EQ(differenceOf("cast", test::inputOf({damaged.data(), damaged.size()}, "a.cast")), "") << at;
    }
}

}  // namespace
}  // namespace rigcast::test
