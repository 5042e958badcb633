// Meshes that are read and written in windows. The result must not depend on where the file and the columns are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "cast.hpp"
#include "core/json.hpp"
#include "support/later.hpp"
#include "support/scenes.hpp"

namespace rigcast::test {
namespace {

constexpr float notFinite = std::numeric_limits<float>::quiet_NaN();
constexpr std::uint32_t outside = 0xFFFFFFFF;  // no index

/// A sheet of columns × rows vertices that four bones hold, and what a test does to it.
struct Sheet {
    std::uint32_t columns, rows, perVertex = 4, bones = 4;
    Vector<float> positions, normals, uvs, weights, tangents;
    Vector<std::uint32_t> faces, joints;
    Vector<Vector<std::uint8_t>> colors;  // packed
    Vector<std::uint32_t> uvNumbers = {0};
    std::uint32_t announcedUvs = 1;
    Vector<float> floatColors;                                       // four per vertex, in a layer behind the packed ones
    CastType faceType = CastType::text, jointType = CastType::text;  // text: the narrowest integers
    std::string_view repeated;  // the name of a float property that is written twice, first with other values
    bool hasShape = false;
    bool isOld = false;  // one layer of colours without a count
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

    /// Writes numbers as any type.
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

Vector<std::uint8_t> fileOf(const Sheet& sheet) {
    return modelFile([&](CastBuilder& cast) {
        if (sheet.bones) addBones(cast, sheet.bones);
        sheet.write(cast);
    });
}

/// Returns the number of bytes of streamed columns. Fails if the result depends on where the file and the columns are.
std::size_t pushed(const Vector<std::uint8_t>& bytes, std::string_view code = {}) {
    const Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    EXPECT_EQ(differenceOf("cast", input), "");
    const Outcome outcome = outcomeOf("cast", input, false, Way::outside);
    EXPECT_NE(outcome.description.find(code), std::string::npos) << code;
    return outcome.written;
}
std::size_t pushed(const Sheet& sheet, std::string_view code = {}) { return pushed(fileOf(sheet), code); }

TEST(CastWindows, GoesThroughWindows) {
    const Sheet sheet;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
}

TEST(CastWindows, JointsAreBytesUpTo256Bones) {
    Sheet sheet;
    sheet.bones = 256;
    sheet.joints[5] = 255;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
    sheet.bones = 257;
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 8 + 8 + 16));
}

TEST(CastWindows, OfManyWindowsIsReadOnce) {
    const Sheet sheet(30, 2800);
    const auto bytes = fileOf(sheet);
    EXPECT_EQ(pushed(bytes), sheet.columnBytes(12 + 12 + 8 + 4 + 16));
    // Points again for the boxes of joints, and a few for what is farthest; some triangles, to see which way they face.
    EXPECT_LT(outcomeOf("cast", test::inputOf({bytes.data(), bytes.size()}, "a.cast"), false, Way::outside).bytesRead,
              bytes.size() + 12 * sheet.vertices() + bytes.size() / 4);
}

TEST(CastWindows, InfluencesMayBeFewAndOfAnyWidth) {
    for (std::uint32_t count = 0; count <= 4; ++count) {
        Sheet sheet;
        sheet.influences(count);
        EXPECT_GT(pushed(sheet), 0u) << count;
        sheet.jointType = CastType::u32;
        EXPECT_GT(pushed(sheet), 0u) << count;
        sheet.jointType = CastType::text;
        sheet.bones = 300;
        for (std::uint32_t& joint : sheet.joints) joint *= 99;
        EXPECT_GT(pushed(sheet), 0u) << count;
    }
}

TEST(CastWindows, OneBoneMovesAllWhateverItsWeight) {
    Sheet sheet;
    sheet.influences(1);
    std::fill(sheet.weights.begin(), sheet.weights.end(), notFinite);
    EXPECT_GT(pushed(sheet), 0u);
    sheet.weights.clear();
    EXPECT_GT(pushed(sheet), 0u);
}

TEST(CastWindows, LayersComeAlong) {
    Sheet sheet;
    sheet.uvNumbers = {0, 1, 2};
    sheet.announcedUvs = 3;
    sheet.paint();
    sheet.paint();
    sheet.method = "quaternion";
    EXPECT_EQ(pushed(sheet), sheet.columnBytes(12 + 12 + 24 + 8 + 4 + 16));
    sheet.uvNumbers.clear();
    sheet.announcedUvs = 0;
    sheet.colors.clear();
    EXPECT_GT(pushed(sheet), 0u);
    sheet.paint();
    sheet.isOld = true;
    EXPECT_GT(pushed(sheet, "LEGACY_FORM"), 0u);
}

TEST(CastWindows, WhatIsOnlyToldIsTold) {
    Sheet sheet;
    sheet.faces[700] = sheet.faces[701];
    EXPECT_GT(pushed(sheet, "FACE_DEGENERATE"), 0u);
    for (std::size_t i = 0; i < sheet.faces.size(); i += 3) std::swap(sheet.faces[i + 1], sheet.faces[i + 2]);
    EXPECT_GT(pushed(sheet, "FACE_WINDING"), 0u);
    sheet.weights[400] = 0.1f;
    EXPECT_GT(pushed(sheet, "INFLUENCE_SUM"), 0u);
}

TEST(CastWindows, TrianglesAreTurnedWhereAMajorityIsAgainstItsNormals) {
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

TEST(CastWindows, MeshesOfOneSkeletonMayDiffer) {
    Sheet first, second, third;
    second.tangents = second.normals;
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

struct Odd {
    const char* what;
    void (*make)(Sheet&);
    const char* code = "";
};

class RepairedMesh : public testing::TestWithParam<Odd> {};

TEST_P(RepairedMesh, IsStreamed) {
    Sheet sheet;
    GetParam().make(sheet);
    EXPECT_GT(pushed(sheet, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    CastWindows, RepairedMesh,
    testing::Values(Odd{"NoNormals", [](Sheet& s) { s.normals.clear(); }},
                    Odd{"FewNormals", [](Sheet& s) { s.normals.resize(30); }, "ATTRIBUTE_COUNT"},
                    Odd{"BadNormal", [](Sheet& s) { s.normals[31] = notFinite; }, "NON_FINITE"},
                    Odd{"NormalWithoutLength", [](Sheet& s) { std::fill_n(&s.normals[30], 3, 0.f); }, "NORMAL_DAMAGED"},
                    Odd{"BadPoint", [](Sheet& s) { s.positions[31] = notFinite; }, "NON_FINITE"},
                    Odd{"BadUv", [](Sheet& s) { s.uvs[31] = notFinite; }, "NON_FINITE"},
                    Odd{"OnePoint", [](Sheet& s) { std::fill(s.positions.begin(), s.positions.end(), 1.f); }},
                    Odd{"FaceOutside", [](Sheet& s) { s.faces[5] = s.vertices(); }, "FACE_INDEX_RANGE"},
                    Odd{"FaceTail", [](Sheet& s) { s.faces.pop_back(); }, "FACE_TAIL"},
                    Odd{"MoreUvsThanAnnounced",
                        [](Sheet& s) {
                            s.uvNumbers = {0, 1};
                        },
                        "LAYER_COUNT"},
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
                    Odd{"Unweighted", [](Sheet& s) { std::fill_n(s.weights.begin() + 80, 4, 0.f); }, "INFLUENCE_MISSING"},
                    Odd{"FewWeights", [](Sheet& s) { s.weights.pop_back(); }, "ATTRIBUTE_COUNT"},
                    Odd{"FewJoints", [](Sheet& s) { s.joints.pop_back(); }, "ATTRIBUTE_COUNT"},
                    Odd{"MethodUnknown", [](Sheet& s) { s.method = "cubic"; }, "VALUE_UNKNOWN"}),
    [](const auto& info) { return info.param.what; });

class MeshWithRandomAccess : public testing::TestWithParam<Odd> {};

TEST_P(MeshWithRandomAccess, StaysInTheHeap) {
    Sheet sheet;
    ASSERT_GT(pushed(sheet), 0u);
    GetParam().make(sheet);
    EXPECT_EQ(pushed(sheet, GetParam().code), 0u);
}

INSTANTIATE_TEST_SUITE_P(CastWindows, MeshWithRandomAccess,
                         testing::Values(Odd{"Tangents", [](Sheet& s) { s.tangents = s.normals; }},
                                         Odd{"FiveInfluences", [](Sheet& s) { s.influences(5); }},
                                         Odd{"Shape", [](Sheet& s) { s.hasShape = true; }}),
                         [](const auto& info) { return info.param.what; });

TEST(CastWindows, DamageIsRepairedInEveryWindow) {
    for (const std::uint32_t vertex : {0u, 4095u, 4096u, 5999u}) {
        Sheet sheet(60, 100);
        sheet.positions[3 * vertex + 1] = notFinite;
        sheet.uvs[2 * vertex] = notFinite;
        sheet.weights[4 * vertex] = notFinite;
        const std::size_t corner = 6 * (vertex / 2);
        sheet.faces[corner + 2] = outside;
        const auto opened = openCast(fileOf(sheet));
        const Mesh& mesh = opened->scene.meshes[0];
        sheet.positions[3 * vertex + 1] = 0;
        sheet.uvs[2 * vertex] = 0;
        sheet.faces.erase(sheet.faces.begin() + corner, sheet.faces.begin() + corner + 3);
        EXPECT_EQ(valuesOf(opened->arena, mesh.positions), sheet.positions);
        EXPECT_EQ(valuesOf(opened->arena, mesh.normals), sheet.normals);
        EXPECT_EQ(valuesOf(opened->arena, mesh.uvs[0]), sheet.uvs);
        EXPECT_EQ(valuesOf(opened->arena, mesh.indices16), Vector<std::uint16_t>(sheet.faces.begin(), sheet.faces.end()));
        const auto joints = valuesOf(opened->arena, mesh.joints8);
        const auto weights = valuesOf(opened->arena, mesh.weights);
        for (std::uint32_t i = 0; i < sheet.vertices(); ++i) {
            // A damaged influence is dropped. Its slot names joint 0 with weight 0.
            const std::size_t skipped = i == vertex ? 1 : 0;
            float sum = 0;
            for (std::size_t k = skipped; k < 4; ++k) sum += sheet.weights[4 * i + k];
            Vector<std::pair<float, std::uint32_t>> wanted;
            for (std::size_t k = skipped; k < 4; ++k) wanted.push_back({sheet.weights[4 * i + k] / sum, sheet.joints[4 * i + k]});
            std::sort(wanted.begin(), wanted.end(), std::greater());
            for (std::size_t k = 0; k < 4; ++k) {
                ASSERT_NEAR(weights[4 * i + k], k < wanted.size() ? wanted[k].first : 0, 1e-6) << i;
                ASSERT_EQ(joints[4 * i + k], k < wanted.size() ? wanted[k].second : 0) << i;
            }
        }
        expectTold(*opened, {"info UNKNOWN_PROPERTY Root[0]/Model[0]/Mesh[1].made", "warning NON_FINITE Root[0]/Model[0]/Mesh[1].vp",
                             "error FACE_INDEX_RANGE Root[0]/Model[0]/Mesh[1].f", "warning NON_FINITE Root[0]/Model[0]/Mesh[1].u0",
                             "warning NON_FINITE Root[0]/Model[0]/Mesh[1].wv", "warning INFLUENCE_SUM Root[0]/Model[0]/Mesh[1].wv"});
    }
}

TEST(CastWindows, TrianglesInAnyOrderFaceTheSameWay) {
    Sheet sheet(4000);
    const std::uint32_t triangles = static_cast<std::uint32_t>(sheet.faces.size() / 3);
    Vector<std::uint32_t> mixed;
    for (std::uint32_t i = 0; i < triangles; ++i)
        for (const std::uint32_t k : {0, 2, 1}) mixed.push_back(sheet.faces[std::size_t{i} * 7919 % triangles * 3 + k]);
    sheet.faces = mixed;
    EXPECT_GT(pushed(sheet, "FACE_WINDING"), 0u);
}

TEST(CastWindows, TangentsAreComputedInTheHeap) {
    const auto bytes = fileOf(Sheet());
    Input input = test::inputOf({bytes.data(), bytes.size()}, "a.cast");
    input.tangents = true;
    EXPECT_EQ(differenceOf("cast", input), "");
    EXPECT_EQ(outcomeOf("cast", input, false, Way::outside).written, 0u);
}

/// A generator that returns the same numbers on every machine.
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

/// Damages a mesh, or makes it unusual, in one of many ways.
void damage(Sheet& sheet, Random& random) {
    static constexpr float infinite = std::numeric_limits<float>::infinity();
    const auto number = [&] { return random.of({0.f, -0.f, -1.f, 0.25f, 1e-30f, 1e30f, infinite, -infinite, notFinite}); };
    const auto numberType = [&] { return random.of({CastType::u16, CastType::u32, CastType::u64, CastType::f32, CastType::f64}); };
    switch (random.below(26)) {
        case 0:
            random.in(sheet.positions) = number();
            break;
        case 1:
            if (!sheet.normals.empty()) random.in(sheet.normals) = number();
            break;
        case 2:
            if (!sheet.normals.empty()) std::fill_n(&sheet.normals[random.below(sheet.normals.size() / 3) * 3], 3, 0.f);
            break;
        case 3:
            sheet.normals.resize(random.of({0u, 30u}));
            break;
        case 4:
            if (!sheet.uvs.empty()) random.in(sheet.uvs) = number();
            break;
        case 5:
            sheet.uvNumbers = random.of<Vector<std::uint32_t>>({{}, {1}, {0, 1}, {0, 3}, {1, 0}, {0, 0}, {2, 40}, {9}});
            sheet.announcedUvs = random.of({0u, 1u, 2u, 4u, 50u});
            break;
        case 6:
            sheet.uvs.resize(random.of({0u, 200u}));
            break;
        case 7:
            random.in(sheet.faces) = random.of({outside, sheet.vertices(), sheet.vertices() - 1, 0u});
            break;
        case 8:
            sheet.faces.resize(sheet.faces.size() / 3 * 3 - random.below(3));
            break;
        case 9:
            std::fill(sheet.faces.begin(), sheet.faces.end(), random.of({outside, 0u}));
            break;
        case 10:
            for (std::size_t i = 0; i + 2 < sheet.faces.size(); i += 3)
                if (random.below(100) < 97) std::swap(sheet.faces[i + 1], sheet.faces[i + 2]);
            break;
        case 11:
            for (std::size_t i = 0; i + 2 < sheet.faces.size(); i += 3)
                std::swap_ranges(&sheet.faces[i], &sheet.faces[i] + 3, &sheet.faces[random.below(sheet.faces.size() / 3) * 3]);
            break;
        case 12:
        case 13:
            for (std::uint32_t i = random.below(4); i < 4; ++i)
                if (!sheet.weights.empty()) random.in(sheet.weights) = number();
            break;
        case 14:
            if (sheet.weights.size() >= 4) std::fill_n(sheet.weights.begin() + random.below(sheet.weights.size() - 3), 4, 0.f);
            break;
        case 15:
            random.in(sheet.joints) = random.of({outside, 4u, 3u, 0u});
            break;
        case 16:
            sheet.influences(random.below(8));
            if (sheet.joints.empty()) sheet.joints = {0};
            break;
        case 17:
            if (!sheet.weights.empty()) sheet.weights.resize(sheet.weights.size() - random.below(2));
            if (random.below(2)) sheet.joints.pop_back();
            if (sheet.joints.empty()) sheet.joints = {0};
            break;
        case 18:
            sheet.faceType = numberType();
            break;
        case 19:
            sheet.jointType = random.below(4) ? numberType() : CastType::u8;
            break;
        case 20:
            sheet.tangents = sheet.positions;
            random.in(sheet.tangents) = number();
            sheet.tangents.resize(sheet.tangents.size() - random.below(2) * 3);
            break;
        case 21:
            sheet.paint();
            sheet.colors.back().resize(sheet.colors.back().size() - random.below(2) * 4);
            sheet.isOld = random.below(2);
            break;
        case 22:
            sheet.floatColors.assign(sheet.vertices() * 4, 0.5f);
            random.in(sheet.floatColors) = number();
            break;
        case 23:
            sheet.bones = random.of({0u, 1u, 256u, 257u});
            sheet.method = random.of<std::string_view>({"linear", "quaternion", "", "cubic"});
            break;
        case 24:
            sheet.repeated = random.of<std::string_view>({"vp", "vn", "vt", "f", "u0"});
            break;
        case 25:
            sheet.hasShape = random.below(2);
            if (!sheet.hasShape) std::fill(sheet.positions.begin(), sheet.positions.end(), 1.f);
            break;
    }
}

TEST(CastWindows, AnyDamageComesToTheSame) {
    for (std::uint32_t seed = 0; seed < 60 && !HasFailure(); ++seed) {
        Random random(seed);
        Sheet sheet = random.below(8) ? Sheet(60, 80) : random.below(3) ? Sheet(5, 4) : Sheet(60, 1200);
        const auto bytes = modelFile([&](CastBuilder& cast) {
            for (std::uint32_t mesh = 0; mesh < 2; ++mesh) {
                for (std::uint32_t times = 1 + random.below(3); times > 0; --times) damage(sheet, random);
                if (mesh == 0 && sheet.bones) addBones(cast, sheet.bones);
                sheet.write(cast);
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

TEST(CastWindows, DamageAnywhereComesToTheSame) {
    const auto bytes = fileOf(Sheet(32));
    for (std::size_t at = 0; at < bytes.size(); at += at < 1200 ? 1 : 97) {
        auto damaged = bytes;
        damaged[at] ^= 0x55;
        EXPECT_EQ(differenceOf("cast", test::inputOf({damaged.data(), damaged.size()}, "a.cast")), "") << at;
    }
}

}  // namespace
}  // namespace rigcast::test
