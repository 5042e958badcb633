// Tests each rule of psk-psa.md: changes a valid file, and checks the finding and the result.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/deferred.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/unreal.hpp"
#include "support/unrealFixtures.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast {
namespace {

using unreal::PsaDocument;
using unreal::PskDocument;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::unique_ptr<test::Opened> openPsk(const PskDocument& document, test::ReadOptions options = {}) {
    if (options.name.empty()) options.name = "arm.psk";
    return test::readBytes("psk", unreal::write(document), options);
}

std::unique_ptr<test::Opened> openPsa(const PsaDocument& document, test::ReadOptions options = {}) {
    if (options.name.empty()) options.name = "arm.psa";
    return test::readBytes("psa", unreal::write(document), options);
}

const Track* trackOf(const test::Opened& opened, std::size_t clip, std::string_view bone, Path path) {
    for (const Track& track : opened.scene.clips[clip].tracks)
        if (opened.scene.strings[track.target] == bone && track.path == path) return &track;
    return nullptr;
}

std::string codesOf(const test::Opened& opened) {
    std::string codes;
    for (const Finding& finding : opened.diagnostics.findings()) codes += std::string(infoOf(finding.code).name) + " ";
    return codes;
}

// ------------------------------------------------------------------------------------------------ sound files

TEST(UnrealFixtures, EqualTheOutputOfTheGenerator) {
    for (const auto& [name, bytes] : test::unrealFixtures()) {
        const auto committed = test::readFile(test::dataFolder() / "unreal" / name);
        ASSERT_TRUE(committed) << name << ": run rigcast_fixtures";
        EXPECT_TRUE(*committed == bytes) << name << ": run rigcast_fixtures";
    }
}

TEST(UnrealPsk, ReadsTheArm) {
    const auto opened = openPsk(test::armDocument());
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_EQ(codesOf(*opened), "COLOR_ORDER_GUESSED ");
    const Scene& scene = opened->scene;
    ASSERT_EQ(scene.nodes.size(), 6u);  // root, three bones and two sockets
    const auto rest = restMatrices(scene);
    const double wanted[] = {0, 0.4, 0.8};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(scene.nodes[1 + i].bone, static_cast<std::int32_t>(i));
        EXPECT_NEAR(rest[1 + i].m[12], wanted[i], 1e-6);
    }
    EXPECT_NEAR(rest[4].m[12], 1.2, 1e-6);                 // Grip: 40 units along Lower
    EXPECT_NEAR(rest[5].m[14], 0.1, 1e-6);                 // Pivot: Unreal's +y is -y in the file and +z in the scene
    EXPECT_NEAR(scene.nodes[5].local.scale.y, 0.5, 1e-6);  // z and y are exchanged
    const Mesh& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.vertexCount, 28u);
    EXPECT_EQ(mesh.indices16.count, 3u * 28);
    ASSERT_EQ(mesh.groups.size(), 2u);
    EXPECT_EQ(mesh.groups[0].count, 3u * 24);
    EXPECT_EQ(mesh.uvs.size(), 4u);
    EXPECT_NEAR(mesh.min[1], -0.07, 1e-6);
    EXPECT_NEAR(mesh.max[0], 1.2, 1e-6);
    EXPECT_EQ(scene.materials.at(1).side, Side::both);
    ASSERT_EQ(mesh.morphs.size(), 2u);
    EXPECT_EQ(mesh.morphs[1].vertices.count, 9u);  // ring 3 has 4 points with 5 wedges in the tube and 4 in the cap
    const auto shift = opened->arena.values(mesh.morphs[1].positions);
    EXPECT_NEAR(shift[0], 0, 1e-7);
    EXPECT_NEAR(shift[2], 0.05, 1e-7);  // Unreal's +y
}

/// If triangles face outwards, the signed volume of a closed mesh is positive.
TEST(UnrealPsk, ReversesTrianglesToCounterClockwise) {
    const auto opened = openPsk(test::plainArmDocument());
    const Mesh& mesh = opened->scene.meshes.at(0);
    const auto p = opened->arena.values(mesh.positions);
    const auto n = opened->arena.values(mesh.normals);
    const auto at = [&](std::uint16_t i) { return Vec3{p[3 * i], p[3 * i + 1], p[3 * i + 2]}; };
    const auto indices = opened->arena.values(mesh.indices16);
    double volume = 0;
    for (std::size_t i = 0; i < indices.size(); i += 3) volume += dot(at(indices[i]), cross(at(indices[i + 1]), at(indices[i + 2]))) / 6;
    EXPECT_NEAR(volume, 1.2 * 0.14 * 0.14, 1e-6);
    // Caps and tube have different smoothing groups, so cap normals point along the arm.
    EXPECT_NEAR(std::abs(n[3 * 20]), 1, 1e-5);
}

TEST(UnrealPsk, SplitsVerticesWhereSmoothingGroupsMeet) {
    PskDocument arm = test::plainArmDocument();
    for (std::size_t i = 0; i < arm.faces.size(); ++i) arm.faces[i].smoothing = i < 8 ? 1 : 2;
    const auto opened = openPsk(arm);
    EXPECT_EQ(opened->scene.meshes.at(0).vertexCount, 28u + 5);  // the ring between the groups exists twice
    for (auto& face : arm.faces) face.smoothing = 0;             // equal groups mean smooth
    EXPECT_EQ(openPsk(arm)->scene.meshes.at(0).vertexCount, 28u);
}

TEST(UnrealPsk, ReportsBonesWhoseMatrixOverflows) {
    PskDocument arm = test::plainArmDocument();
    unreal::Bone bone = arm.bones[2];
    bone.position[0] = 3e38f;
    while (arm.bones.size() < 200) {
        bone.parent = static_cast<std::int32_t>(arm.bones.size()) - 1;
        arm.bones.push_back(bone);
    }
    arm.bones[100].orientation[0] = std::numeric_limits<float>::quiet_NaN();
    const auto opened = openPsk(arm);
    ASSERT_TRUE(opened->has(Code::SINGULAR_BIND));
    EXPECT_EQ(opened->finding(Code::NON_FINITE)->detail, "bone 100: orientation");
    const auto inverses = opened->arena.values(opened->scene.skins.at(0).inverseBindMatrices);
    for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(inverses[199 * 16 + k], k % 5 == 0) << k;
    EXPECT_NE(inverses[3 * 16 + 12], 0);  // the matrix of a bone that is far away has an inverse
}

TEST(UnrealPsk, KeepsPointsWithoutTriangles) {
    PskDocument arm = test::armDocument();
    arm.points.push_back({500, 0, 0});  // a point without a wedge
    arm.points.push_back({0, 0, 300});  // a wedge without a face
    arm.wedges.push_back({17, 0.5f, 0.5f, 0, 0});
    arm.influences.push_back({1, 17, 2});
    arm.normals.resize(18, {0, 0, 1});
    arm.colors.resize(29);
    for (auto& set : arm.extraUvs) set.resize(29);
    arm.addMorph("Lone", {{{100, 0, 0}, {0, 0, 0}, 16}});
    for (const bool isPlain : {false, true}) {  // true: without normals, so that smoothing groups split vertices
        if (isPlain) {
            arm.normals.clear();
            for (std::size_t i = 0; i < arm.faces.size(); ++i) arm.faces[i].smoothing = i < 8 ? 1 : 2;
        }
        const auto opened = openPsk(arm);
        const Mesh& mesh = opened->scene.meshes.at(0);
        const std::uint32_t drawn = isPlain ? 33 : 28;
        ASSERT_EQ(mesh.vertexCount, drawn + 2);
        const auto sources = opened->arena.values(mesh.sourceVertices);
        EXPECT_EQ(sources[drawn], 16u);
        EXPECT_EQ(sources[drawn + 1], 17u);
        for (const std::uint16_t index : opened->arena.values(mesh.indices16)) EXPECT_LT(index, drawn);
        EXPECT_NEAR(mesh.max[0], 1.2, 1e-6);  // the box does not include lone points
        EXPECT_LT(mesh.max[1], 0.2);
        EXPECT_LT(mesh.radius, 1);
        const auto boxes = opened->arena.values(opened->scene.skins.at(0).jointBoxes);
        for (const float value : boxes) EXPECT_LT(std::abs(value) < 1e30f ? value : 0, 1.3f);
        EXPECT_EQ(opened->arena.values(mesh.joints8)[4 * (drawn + 1)], 2);
        EXPECT_EQ(opened->arena.values(mesh.uvs[0])[2 * drawn], 0);
        EXPECT_EQ(opened->arena.values(mesh.normals)[3 * drawn + 1], 1);  // (0, 0, 1) in the file; if it has no normals, up
        EXPECT_EQ(opened->arena.values(mesh.colors[0].bytes)[4 * drawn], 255);
        ASSERT_EQ(mesh.morphs.size(), 3u);
        EXPECT_EQ(opened->arena.values(mesh.morphs[2].vertices)[0], drawn);
        EXPECT_TRUE(opened->has(Code::INFLUENCE_MISSING));  // point 16
    }
}

TEST(UnrealPsk, MapsPolyFlags) {
    PskDocument arm = test::plainArmDocument();
    const auto material = [&](std::uint32_t flags) {
        arm.materials[0].polyFlags = flags;
        return openPsk(arm)->scene.materials.at(0);
    };
    EXPECT_EQ(material(0).side, Side::front);
    EXPECT_EQ(material(1).side, Side::both);
    EXPECT_EQ(material(2).alphaMode, AlphaMode::add);
    EXPECT_EQ(material(2).model, "unlit");
    EXPECT_EQ(material(3).alphaMode, AlphaMode::mask);
    EXPECT_EQ(material(4).alphaMode, AlphaMode::multiply);
    EXPECT_FALSE(material(8).visible);
    EXPECT_EQ(material(0x10).model, "unlit");
}

TEST(UnrealPsk, AppliesItsOptions) {
    const PskDocument arm = test::armDocument();
    EXPECT_NEAR(openPsk(arm, {.options = R"({"unreal":{"unitScale":1}})"})->scene.meshes.at(0).max[0], 120, 1e-4);
    const auto color = [&](const char* order) {
        const auto opened = openPsk(arm, {.options = std::string(R"({"unreal":{"colorOrder":")") + order + "\"}}"});
        return opened->arena.values(opened->scene.meshes.at(0).colors.at(0).bytes)[0];
    };
    EXPECT_EQ(color("rgba"), 0);
    EXPECT_EQ(color("bgra"), 255);
    PskDocument turned = arm;
    turned.bones[0].orientation[2] = turned.bones[0].orientation[3] = std::sqrt(0.5f);
    const auto z = [&](const char* conjugate) {
        const auto opened = openPsk(turned, {.options = std::string(R"({"unreal":{"conjugateRoot":)") + conjugate + "}}"});
        return restMatrices(opened->scene)[2].m[14];
    };
    EXPECT_NEAR(z("false"), -0.4, 1e-6);
    EXPECT_NEAR(z("true"), 0.4, 1e-6);
    const Vec3 up = rotate(openPsk(arm, {.options = R"({"unreal":{"upAxis":"y"}})"})->scene.nodes[0].local.rotation, {0, 0, -1});
    EXPECT_NEAR(up.y, 1, 1e-9);  // +y of the file, which is -z of the scene, becomes up
    const Vec3 ahead = rotate(openPsk(arm, {.options = R"({"unreal":{"yaw":90}})"})->scene.nodes[0].local.rotation, {1, 0, 0});
    EXPECT_NEAR(ahead.z, -1, 1e-9);
    for (const char* bad : {R"({"unreal":{"unitScale":"big"}})", R"({"unreal":{"unitScale":0}})", R"({"unreal":{"colorOrder":"argb"}})",
                            R"({"unreal":{"upAxis":1}})", R"({"unreal":{"yaw":"left"}})", R"({"unreal":{"tracks":true}})",
                            R"({"unreal":{"conjugateRoot":1}})", R"({"unreal":{"unknown":1}})", R"({"unreal":7})"})
        EXPECT_TRUE(openPsk(arm, {.options = bad})->has(Code::BAD_OPTION)) << bad;
}

// ------------------------------------------------------------------------------------------------ one thing wrong

struct PskRule {
    const char* id;
    Code code;
    Severity severity;
    std::function<void(PskDocument&)> damage;
    bool hasMesh = true;
};

TEST(UnrealPsk, ReportsEachRule) {
    constexpr Severity error = Severity::error, warning = Severity::warning, info = Severity::info;
    const PskRule rules[] = {
        {"E06", Code::MISSING_CHUNK, error, [](auto& d) { d.points.clear(); }, false},
        {"E07", Code::VERTEX_POINT_RANGE, error, [](auto& d) { d.wedges[3].point = 16; }},
        {"E08", Code::FACE_INDEX_RANGE, error, [](auto& d) { d.faces[0].wedges[1] = 28; }},
        {"E09", Code::INFLUENCE_BONE_RANGE, error, [](auto& d) { d.influences[0].bone = 3; }},
        {"E10", Code::INFLUENCE_POINT_RANGE, error, [](auto& d) { d.influences[0].point = -1; }},
        {"E14 point", Code::NON_FINITE, error, [](auto& d) { d.points[2].x = nan; }},
        {"E14 bone", Code::NON_FINITE, error, [](auto& d) { d.bones[1].position[0] = nan; }},
        {"E14 weight", Code::NON_FINITE, error, [](auto& d) { d.influences[0].weight = nan; }},
        {"E15", Code::BONE_CYCLE, error, [](auto& d) { d.bones[1].parent = 2; }},
        {"W03", Code::TRAILING_BYTES, warning, [](auto& d) { d.rest.assign(5, 0); }},
        {"W06", Code::MATERIAL_RANGE, warning, [](auto& d) { d.materials.pop_back(); }},
        {"W07", Code::MATERIAL_DISAGREES, info, [](auto& d) { d.wedges[0].material = 1; }},
        {"W08", Code::FACE_DEGENERATE, info, [](auto& d) { d.faces[0].wedges[1] = d.faces[0].wedges[0]; }},
        {"W09", Code::BONE_NAME_DUPLICATE, info, [](auto& d) { d.bones[2].name = "UPPER"; }},
        {"W10", Code::QUATERNION_NOT_UNIT, warning, [](auto& d) { d.bones[1].orientation[3] = 0; }},
        {"W11", Code::BONE_CHILD_COUNT, info, [](auto& d) { d.bones[1].childCount = 7; }},
        {"W12", Code::BONE_ORDER, warning,
         [](auto& d) {
             d.bones[1].parent = 2;
             d.bones[2].parent = 0;
         }},
        {"W13", Code::INFLUENCE_SUM, warning, [](auto& d) { d.influences[0].weight = 0.5f; }},
        {"W14", Code::INFLUENCE_MISSING, warning, [](auto& d) { d.influences[0].weight = 0; }},
        {"W14 of one bone", Code::INFLUENCE_MISSING, info,
         [](auto& d) {
             d.bones.resize(1);
             d.influences.clear();
         }},
        {"W15", Code::INFLUENCE_DUPLICATE, info,
         [](auto& d) {
             d.influences[0].weight = 0.5f;
             d.influences.push_back(d.influences[0]);
         }},
        {"W17", Code::ATTRIBUTE_COUNT, warning, [](auto& d) { d.colors.assign(3, {}); }},
        {"W17 normals", Code::ATTRIBUTE_COUNT, warning,
         [](auto& d) {
             d.normals.assign(3, {0, 0, 1});
         }},
        {"W18", Code::MORPH_DAMAGED, warning,
         [](auto& d) {
             d.addMorph("Out", {{{0, 0, 1}, {0, 0, 0}, 99}});
         }},
        {"W23", Code::NAME_DAMAGED, warning, [](auto& d) { d.bones[0].name.bytes.fill('x'); }},
        {"W26", Code::MESH_EMPTY, warning,
         [](auto& d) {
             d.points.assign(16, {1, 2, 3});
         }},
        {"W27", Code::BONE_PARENT_RANGE, warning, [](auto& d) { d.bones[2].parent = 2; }},
    };
    for (const PskRule& rule : rules) {
        SCOPED_TRACE(rule.id);
        PskDocument document = test::plainArmDocument();
        EXPECT_FALSE(openPsk(document)->has(rule.code));
        rule.damage(document);
        const auto opened = openPsk(document);
        ASSERT_TRUE(opened->has(rule.code)) << codesOf(*opened);
        EXPECT_EQ(opened->finding(rule.code)->severity, rule.severity);
        EXPECT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->scene.meshes.size(), rule.hasMesh ? 1u : 0u);
    }
}

struct PsaRule {
    const char* id;
    Code code;
    Severity severity;
    std::function<void(PsaDocument&)> damage;
    std::size_t clips = 3;
};

TEST(UnrealPsa, ReportsTracksOfOneNameOnce) {
    PsaDocument animations = test::armAnimations();
    for (auto& track : animations.tracks) track.name = "Same";
    const auto opened = openPsa(animations);
    const Finding* finding = opened->finding(Code::BONE_NAME_DUPLICATE);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, Severity::info);
    EXPECT_EQ(finding->count, 1u);
    EXPECT_EQ(finding->detail, "2 of 3 tracks, the first is 1: Same");
}

TEST(UnrealPsa, IgnoresAWrongFirstFrameOfASingleSequence) {
    PsaDocument animations = test::armAnimations();
    animations.sequences.resize(1);
    animations.sequences[0].firstFrame = 7;
    animations.keys.resize(15);  // five frames with three tracks
    animations.scaleKeys = {};
    animations.curves = {};
    const auto opened = openPsa(animations);
    EXPECT_EQ(codesOf(*opened), "FIRST_FRAME_WRONG ");
    EXPECT_EQ(opened->finding(Code::FIRST_FRAME_WRONG)->severity, Severity::info);
    EXPECT_EQ(opened->scene.clips[0].frameCount, 5u);
}

TEST(UnrealPsa, ReportsEachRule) {
    constexpr Severity error = Severity::error, warning = Severity::warning;
    const PsaRule rules[] = {
        {"E11", Code::KEY_COUNT, error, [](auto& d) { d.keys.resize(20); }, 2},
        {"E12 keys fit", Code::TRACK_COUNT, error, [](auto& d) { d.sequences[1].trackCount = 4; }},
        {"E13", Code::NEGATIVE_COUNT, error, [](auto& d) { d.sequences[2].frameCount = -1; }, 2},
        {"E14", Code::NON_FINITE, error, [](auto& d) { d.keys[4].position[1] = nan; }},
        {"E14 rotation", Code::NON_FINITE, error, [](auto& d) { d.keys[4].orientation[1] = nan; }},
        {"W09", Code::BONE_NAME_DUPLICATE, Severity::info, [](auto& d) { d.tracks[2].name = d.tracks[1].name; }},
        {"W19", Code::FIRST_FRAME_WRONG, warning, [](auto& d) { d.sequences[1].firstFrame = 0; }},
        {"W20", Code::FRAME_RATE, warning, [](auto& d) { d.sequences[0].rate = 0; }},
        {"W20 high", Code::FRAME_RATE, warning, [](auto& d) { d.sequences[0].rate = 1000; }},
        {"W21", Code::SCALE_KEY_COUNT, warning, [](auto& d) { d.scaleKeys.pop_back(); }},
        {"W22", Code::SEQUENCE_NAME_DUPLICATE, warning, [](auto& d) { d.sequences[2].name = "bend"; }},
        {"W25", Code::LOOKS_STRIPPED, warning,
         [](auto& d) {
             for (std::size_t key = 1; key < 15; key += 3) d.keys[key] = {};
         }},
        {"W26", Code::SCALE_ZERO, warning, [](auto& d) { d.scaleKeys[2].scale[0] = 0; }},
        {"curves", Code::CURVE_MISMATCH, warning,
         [](auto& d) {
             d.curves[0].frames = 4;
             for (auto& curve : d.curves[0].curves) curve.weights.resize(4);
         }},
        {"W24", Code::LOOKS_ADDITIVE, warning,
         [](auto& d) {
             for (std::size_t key = 0; key < d.keys.size(); ++key)
                 if (key % 3) d.keys[key].position[0] = 0;
         }},
    };
    for (const PsaRule& rule : rules) {
        SCOPED_TRACE(rule.id);
        PsaDocument document = test::armAnimations();
        EXPECT_EQ(codesOf(*openPsa(document)), "");
        rule.damage(document);
        const auto opened = openPsa(document);
        ASSERT_TRUE(opened->has(rule.code)) << codesOf(*opened);
        EXPECT_EQ(opened->finding(rule.code)->severity, rule.severity);
        EXPECT_EQ(opened->scene.clips.size(), rule.clips);
    }
}

// ------------------------------------------------------------------------------------------------ animations

TEST(UnrealPsa, AddsItsSkeleton) {
    const auto opened = openPsa(test::armAnimations());
    const auto& nodes = opened->scene.nodes;
    ASSERT_EQ(nodes.size(), 4u);
    EXPECT_EQ(opened->scene.strings[nodes[3].name], "Lower");
    EXPECT_EQ(nodes[3].parent, 2u);
    EXPECT_EQ(nodes[3].bone, 2);
    EXPECT_NEAR(nodes[3].local.translation.x, 0.4, 1e-6);
}

TEST(UnrealPsa, AddsNoSkeletonIfAllBonesAreChildrenOfTheFirst) {
    PsaDocument animations = test::armAnimations();
    for (auto& track : animations.tracks) track.parent = 0;
    EXPECT_EQ(openPsa(animations)->scene.nodes.size(), 1u);
    animations.tracks[2].parent = 7;  // also if a parent does not exist
    EXPECT_EQ(openPsa(animations)->scene.nodes.size(), 1u);
}

TEST(UnrealPsa, ConvertsKeys) {
    const auto opened = openPsa(test::armAnimations());
    ASSERT_EQ(opened->scene.clips.size(), 3u);
    const Clip& bend = opened->scene.clips[0];
    EXPECT_NEAR(bend.duration, 4.0 / 30, 1e-6);
    const Track* turn = trackOf(*opened, 0, "Lower", Path::rotation);
    ASSERT_TRUE(turn);
    ASSERT_EQ(turn->times.count, 5u);
    const auto values = opened->arena.values(turn->values);  // z of the file is y of the scene; the stored conjugate is inverted
    EXPECT_NEAR(values[4 * 4 + 1], std::sin(1.0), 1e-6);
    EXPECT_NEAR(values[4 * 4 + 3], std::cos(1.0), 1e-6);
    EXPECT_EQ(trackOf(*opened, 0, "Lower", Path::translation)->times.count, 1u);  // constant, so one key suffices
    EXPECT_NEAR(opened->arena.values(trackOf(*opened, 1, "Root", Path::translation)->values)[6], 1.0, 1e-6);
    const Track* root = trackOf(*opened, 1, "Root", Path::rotation);
    EXPECT_NEAR(opened->arena.values(root->values)[4 * 2 + 1], std::sin(0.1), 1e-6);  // bone 0 is not stored as a conjugate
    EXPECT_FALSE(trackOf(*opened, 0, "Lower", Path::scale));                          // only Walk Fwd has scale keys
    const Track* grow = trackOf(*opened, 1, "Lower", Path::scale);
    ASSERT_TRUE(grow);
    EXPECT_NEAR(opened->arena.values(grow->values)[6], 2, 1e-6);
    const Track* curve = trackOf(*opened, 0, "", Path::weight);
    ASSERT_TRUE(curve);
    EXPECT_EQ(opened->scene.strings[curve->property], "Bulge");
    EXPECT_NEAR(opened->arena.values(curve->values)[2], 0.5, 1e-6);
}

TEST(UnrealPsa, RotationsUseTheShortPathForAnySigns) {
    constexpr std::uint32_t bones = 40, frames = 100;  // two windows of keys
    PsaDocument animations = test::manyAnimations(1, bones, frames);
    const auto sound = openPsa(animations);
    for (std::size_t frame : {1, 2, 5, 7, 8, 50, 51, 52, 99})
        for (std::size_t bone = 0; bone < bones; ++bone)
            for (float& value : animations.keys[frame * bones + bone].orientation) value = -value;
    const auto opened = openPsa(animations);
    std::size_t turns = 0;
    for (std::size_t i = 0; i < opened->scene.clips[0].tracks.size(); ++i) {
        const Track& track = opened->scene.clips[0].tracks[i];
        if (track.path != Path::rotation) continue;
        const auto values = opened->arena.values(track.values), expected = sound->arena.values(sound->scene.clips[0].tracks[i].values);
        ASSERT_EQ(values.size(), 4 * frames);
        EXPECT_TRUE(std::equal(values.begin(), values.end(), expected.begin(), expected.end())) << i;
        ++turns;
    }
    EXPECT_EQ(turns, bones);
}

TEST(UnrealPsa, AppliesTheConfig) {
    const std::string text =
        "\r\n[AnimSet]\r\nbAnimRotationOnly=1\r\n[UseTranslationBoneNames]\r\nLOWER\r\n[ForceMeshTranslationBoneNames]\r\nroot\r\n"
        "[RemoveTracks]\r\nWalk Fwd.2=all\r\nPose.1=rot\r\nnonsense\r\n";
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    const auto opened = openPsa(test::armAnimations(), {.supplied = {{"config", "arm.config", bytes}}});
    EXPECT_TRUE(opened->has(Code::CONFIG_APPLIED));
    EXPECT_TRUE(opened->has(Code::CONFIG_LINE));
    EXPECT_FALSE(trackOf(*opened, 0, "Root", Path::translation));
    EXPECT_FALSE(trackOf(*opened, 0, "Upper", Path::translation));
    EXPECT_TRUE(trackOf(*opened, 0, "Lower", Path::translation));
    EXPECT_TRUE(trackOf(*opened, 0, "Upper", Path::rotation));
    EXPECT_FALSE(trackOf(*opened, 1, "Lower", Path::rotation));
    EXPECT_FALSE(trackOf(*opened, 1, "Lower", Path::translation));
    EXPECT_FALSE(trackOf(*opened, 2, "Upper", Path::rotation));
    const auto everything =
        openPsa(test::armAnimations(), {.options = R"({"unreal":{"tracks":"everything"}})", .supplied = {{"config", "arm.config", bytes}}});
    EXPECT_TRUE(trackOf(*everything, 1, "Lower", Path::rotation));
    const auto rotations = openPsa(test::armAnimations(), {.options = R"({"unreal":{"tracks":"rotation-only"}})"});
    EXPECT_TRUE(trackOf(*rotations, 0, "Root", Path::translation));
    EXPECT_FALSE(trackOf(*rotations, 0, "Upper", Path::translation));
    const auto& references = opened->scene.references;
    ASSERT_EQ(references.size(), 1u);  // companion files without effect are not requested
    EXPECT_EQ(references[0].name, "arm.config");
    EXPECT_TRUE(references[0].supplied);
    const auto without = openPsa(test::armAnimations());
    ASSERT_EQ(without->scene.references.size(), 2u);
    EXPECT_EQ(without->scene.references[1].kind, "props");
    EXPECT_EQ(without->scene.references[1].name, "arm.props.txt");
    EXPECT_FALSE(without->scene.references[1].supplied);
}

// ------------------------------------------------------------------------------------------------ the container

TEST(UnrealChunks, RepairsAWrongCount) {
    PskDocument arm = test::armDocument();
    Vector<std::uint8_t> bytes = unreal::write(arm);
    const std::string id = "MRPHINFO";
    const auto at = std::search(bytes.begin(), bytes.end(), id.begin(), id.end()) - bytes.begin();
    bytes[static_cast<std::size_t>(at) + 28] = 4;  // the file contains 2
    const auto opened = test::readBytes("psk", bytes);
    EXPECT_TRUE(opened->has(Code::COUNT_REPAIRED));
    EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
    EXPECT_EQ(opened->scene.meshes.at(0).morphs.size(), 2u);
    EXPECT_EQ(opened->scene.features.size(), 2u);
}

/// Some exporters write the number of vertices as the record count of their last chunk, which
/// contains the influences.
TEST(UnrealChunks, ReadsInfluencesBeyondTheirCount) {
    const PskDocument arm = test::plainArmDocument();
    const auto sound = openPsk(arm);
    const auto count = static_cast<std::uint32_t>(arm.influences.size());
    const auto write = [&](std::uint32_t announced, const PskDocument& document = test::plainArmDocument()) {
        Vector<std::uint8_t> bytes = unreal::write(document);
        const std::size_t at = bytes.size() - 12 * std::size_t{count} - 4;
        std::memcpy(&bytes[at], &announced, 4);
        return bytes;
    };
    const auto expectWhole = [&](const Vector<std::uint8_t>& bytes) {
        const auto opened = test::readBytes("psk", bytes, {.name = "arm.psk"});
        ASSERT_TRUE(opened->has(Code::COUNT_REPAIRED));
        EXPECT_EQ(opened->finding(Code::COUNT_REPAIRED)->severity, Severity::warning);
        EXPECT_EQ(opened->finding(Code::COUNT_REPAIRED)->path, "RAWWEIGHTS");
        EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
        const Mesh &mesh = opened->scene.meshes.at(0), &expected = sound->scene.meshes.at(0);
        const auto weights = opened->arena.values(mesh.weights), same = sound->arena.values(expected.weights);
        EXPECT_TRUE(std::equal(weights.begin(), weights.end(), same.begin(), same.end()));
        EXPECT_EQ(test::differenceOf("psk", test::inputOf({bytes.data(), bytes.size()}, "arm.psk")), "");
    };
    for (const std::uint32_t announced : {count - 1, count - 2, count - 3, count - 9, 0u}) expectWhole(write(announced));
    const auto expectLost = [&](const Vector<std::uint8_t>& bytes) {
        EXPECT_FALSE(test::readBytes("psk", bytes, {.name = "arm.psk"})->has(Code::COUNT_REPAIRED));
    };
    Vector<std::uint8_t> cut = write(count - 9);
    cut.pop_back();  // the size is not a multiple of the record size
    expectLost(cut);
    PskDocument damaged = arm;
    damaged.influences.back().bone = 3;
    expectLost(write(count - 9, damaged));
    damaged = arm;
    damaged.influences.back().point = -1;
    expectLost(write(count - 9, damaged));
    for (const float weight : {1.5f, -0.5f, nan}) {
        damaged = arm;
        damaged.influences.back().weight = weight;
        expectLost(write(count - 9, damaged));
    }
}

/// Records after another chunk do not belong to the influences.
TEST(UnrealChunks, ReadsOnlyInfluencesBeyondTheirCount) {
    PskDocument arm = test::plainArmDocument();
    arm.normals.assign(arm.points.size(), {0, 0, 1});
    Vector<std::uint8_t> bytes = unreal::write(arm);
    const std::uint32_t announced = static_cast<std::uint32_t>(arm.normals.size()) - 3;
    std::memcpy(&bytes[bytes.size() - 12 * arm.normals.size() - 4], &announced, 4);
    const auto opened = test::readBytes("psk", bytes, {.name = "arm.psk"});
    EXPECT_FALSE(opened->has(Code::COUNT_REPAIRED));
    EXPECT_GT(opened->diagnostics.total(Severity::error), 0u);
}

/// A normal that is zero or NaN is replaced with the average normal of the adjacent faces.
TEST(UnrealPsk, ReplacesDamagedNormalsByThoseOfTheFaces) {
    PskDocument arm = test::plainArmDocument();
    for (auto& face : arm.faces) face.smoothing = 1;
    const auto without = openPsk(arm);  // computed normals
    for (const auto& point : arm.points) arm.normals.push_back({0.6f, point.y > 0 ? 0.8f : -0.8f, 0});
    const auto sound = openPsk(arm);
    arm.normals[3] = {0, 0, 0};
    arm.normals[5] = {nan, 0, 0};
    arm.normals[9] = {0, std::numeric_limits<float>::infinity(), 0};
    const auto opened = openPsk(arm);
    EXPECT_EQ(opened->finding(Code::NON_FINITE)->count, 2u);
    EXPECT_EQ(opened->finding(Code::NORMAL_DAMAGED)->severity, Severity::warning);
    const Mesh& mesh = opened->scene.meshes.at(0);
    const auto normals = opened->arena.values(mesh.normals), faces = without->arena.values(without->scene.meshes.at(0).normals),
               given = sound->arena.values(sound->scene.meshes.at(0).normals);
    const auto sources = opened->arena.values(mesh.sourceVertices);
    ASSERT_EQ(normals.size(), faces.size());
    std::size_t repaired = 0;
    for (std::size_t vertex = 0; vertex < sources.size(); ++vertex) {
        const std::uint32_t point = sources[vertex];
        const bool isDamaged = point == 3 || point == 5 || point == 9;
        for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(normals[3 * vertex + k], (isDamaged ? faces : given)[3 * vertex + k]) << point;
        repaired += isDamaged;
    }
    EXPECT_EQ(opened->finding(Code::NORMAL_DAMAGED)->count, repaired);
}

/// A damaged normal of a lone point is not reported, because the point is not drawn.
TEST(UnrealPsk, DoesNotReportDamagedNormalsOfLonePoints) {
    PskDocument arm = test::plainArmDocument();
    arm.normals.assign(arm.points.size(), {0, 0, 1});
    arm.points.push_back({1, 2, 3});
    arm.normals.push_back({0, 0, 0});
    const auto opened = openPsk(arm);
    EXPECT_FALSE(opened->has(Code::NORMAL_DAMAGED));
    const auto normals = opened->arena.values(opened->scene.meshes.at(0).normals);
    EXPECT_EQ(normals[normals.size() - 2], 1);
}

/// A few indices out of range are damage. The upper halves of indices are treated as garbage only
/// if more than half of the wedges are out of range.
TEST(UnrealPsk, TheUpperHalfOfAnIndexIsGarbageIfMostAreOutOfRange) {
    const PskDocument arm = test::plainArmDocument();
    const std::size_t wedges = arm.wedges.size();
    const auto withGarbageIn = [&](std::size_t count) {
        Vector<std::uint8_t> bytes = unreal::write(arm);
        const std::string_view id = "VTXW0000", wide = "VTXW3200";  // declares wide indices
        const auto at = std::search(bytes.begin(), bytes.end(), id.begin(), id.end());
        std::copy(wide.begin(), wide.end(), at);
        for (std::size_t i = 0; i < count; ++i) *(at + 32 + static_cast<std::ptrdiff_t>(16 * i) + 2) = 1;
        return test::readBytes("psk", bytes, {.name = "arm.psk"});
    };
    for (const std::size_t count : {wedges / 4 + 1, wedges / 2}) {
        const auto opened = withGarbageIn(count);
        EXPECT_FALSE(opened->has(Code::POINT_INDEX_16BIT)) << count;
        ASSERT_TRUE(opened->has(Code::VERTEX_POINT_RANGE)) << count;
        EXPECT_EQ(opened->finding(Code::VERTEX_POINT_RANGE)->count, count);
    }
    const auto garbage = withGarbageIn(wedges / 2 + 1);
    EXPECT_TRUE(garbage->has(Code::POINT_INDEX_16BIT));
    EXPECT_FALSE(garbage->has(Code::VERTEX_POINT_RANGE));
}

TEST(UnrealSweeps, ReadsEveryPrefix) {
    test::everyPrefix(unreal::write(test::armDocument()), "psk", {.name = "arm.psk"}, 3);
    test::everyPrefix(unreal::write(test::armAnimations()), "psa", {.name = "arm.psa"}, 3);
}

TEST(UnrealSweeps, ReadsPatchedBytes) {
    for (const auto& [bytes, format] :
         {std::pair{unreal::write(test::armDocument()), "psk"}, std::pair{unreal::write(test::armAnimations()), "psa"}}) {
        Outline outline;
        Diagnostics diagnostics;
        openOutline({bytes, "", nullptr, {}}, format, outline, diagnostics);
        for (const OutlineNode& chunk : outline) test::bytePatches(bytes, chunk.offset, 40, format);  // headers and first fields
    }
    const auto animations = unreal::write(test::armAnimations());
    test::bytePatches(animations, 32 + 32 + 360 + 32, 3 * 168, "psa");  // all of ANIMINFO
}

}  // namespace
}  // namespace rigcast
