// Tests the conversion of lights, skies, particles and springs.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include <algorithm>
#include <functional>
#include <string>

#include "support/open.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::itemOf;
using test::listOf;
using test::memberOf;
using test::Opened;
using test::puppetVgo;

/// Opens the puppet after a change.
std::unique_ptr<Opened> openWith(const std::function<void(VgoBuilder&)>& change, const test::VgoConventions& conventions = {}) {
    VgoBuilder vgo = puppetVgo(conventions);
    change(vgo);
    return test::readBytes("vgo", vgo.write(), {.name = "puppet.vgo"});
}

Value& at(VgoBuilder& vgo, std::string_view list, std::size_t index) { return itemOf(memberOf(vgo.layout, list), index); }

const Value* propertyOf(const Scene& scene, std::string_view kind, std::string_view name) {
    for (const Feature& feature : scene.features)
        for (const Property& entry : feature.properties)
            if (feature.kind == kind && entry.name == name) return &entry.value;
    return nullptr;
}

TEST(VgoFeatures, MeshRendererBesideParticlesIsTheirMesh) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        memberOf(at(vgo, "nodes", 7), "meshRenderer") = Properties{{"name", "Sparks"}, {"mesh", 0}, {"materials", listOf({1})}};
    });
    ASSERT_EQ(opened->scene.renderers.size(), 1u) << "nothing still stands at the emitter";
    EXPECT_EQ(opened->scene.renderers[0].node, 4u);
    EXPECT_EQ(propertyOf(opened->scene, "particleSystem", "mesh")->asNumber(-1), 0);
    EXPECT_EQ(propertyOf(opened->scene, "particleSystem", "materials")->as<Vector<Value>>().at(0).asNumber(-1), 1);
    EXPECT_EQ(opened->diagnostics.total(Severity::warning) + opened->diagnostics.total(Severity::error), 0u);
}

TEST(VgoFeatures, AMeshOnANodeWithParticlesIsDrawnUpTo24) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", 7), "mesh") = 0; }, {.minor = 4});
    EXPECT_EQ(opened->scene.renderers.size(), 2u);
}

// ---- what is active counts

TEST(VgoFeatures, OnlyActiveLightsDetermineTheExposure) {
    const auto intensities = [](bool isActive) {
        const auto opened = openWith([&](VgoBuilder& vgo) {
            // The sun is a child of the inactive box. The lamp has intensity 2.
            memberOf(at(vgo, "nodes", 6), "isActive") = isActive;
            memberOf(at(vgo, "nodes", 6), "children") = listOf({7});
            memberOf(at(vgo, "nodes", 0), "children") = listOf({1, 3, 4, 6});
            memberOf(at(vgo, "nodes", 7), "light") = 1;
            auto& lights = memberOf(vgo.layout, "lights").as<Vector<Value>>();
            lights.push_back(Properties{{"type", 1}, {"intensity", 100000}});
        });
        return std::pair{opened->scene.lights.at(0).intensity, opened->has(Code::LIGHTS_EXPOSED)};
    };
    EXPECT_NEAR(intensities(false).first, 2 * 3.14159265f, 1e-5);
    EXPECT_FALSE(intensities(false).second);
    EXPECT_NEAR(intensities(true).first, 2e-5f * 3.14159265f, 1e-9);
    EXPECT_TRUE(intensities(true).second);
}

// ---- order

TEST(VgoFeatures, StoresTheOrderOfChildren) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", 0), "children") = listOf({1, 3, 6, 4, 7}); });
    const Properties& own = opened->scene.nodes[1].properties;
    const auto children = std::find_if(own.begin(), own.end(), [](const Property& each) { return each.name == "children"; });
    ASSERT_NE(children, own.end());
    ASSERT_EQ(children->value.as<Vector<Value>>().size(), 5u);
    EXPECT_EQ(children->value.as<Vector<Value>>()[2].asNumber(0), 7);
    const auto plain = openWith([](VgoBuilder&) {});
    for (const Property& each : plain->scene.nodes[1].properties) EXPECT_NE(each.name, "children");
}

// ---- names

TEST(VgoFeatures, NamelessPresetsHaveTheNameOfTheirType) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        const Value bindings = listOf({Properties{{"index", 0}, {"weight", 100}}});
        memberOf(memberOf(at(vgo, "nodes", 3), "meshRenderer"), "blendShapePresets") =
            listOf({Properties{{"type", 12}, {"bindings", bindings}}, Properties{{"type", 15}, {"bindings", bindings}}});
    });
    ASSERT_GE(opened->scene.expressions.size(), 2u);
    EXPECT_EQ(opened->scene.expressions[0].name, "Preset_12");
    EXPECT_EQ(opened->scene.expressions[1].name, "Preset_15");
}

TEST(VgoFeatures, UnpairedSurrogateBecomesOneReplacement) {
    auto bytes = [] {
        VgoBuilder vgo = puppetVgo({});
        memberOf(at(vgo, "nodes", 4), "tag") = "tag345";
        return vgo.write();
    }();
    const std::string_view tag = "tag345", half = "\\ud83d";
    const auto found = std::search(bytes.begin(), bytes.end(), tag.begin(), tag.end());
    ASSERT_NE(found, bytes.end());
    std::copy(half.begin(), half.end(), found);
    const auto read = test::readBytes("vgo", bytes, {.name = "puppet.vgo"});
    ASSERT_TRUE(read->result.hasScene);
    EXPECT_EQ(read->diagnostics.total(Severity::error), 0u);
    EXPECT_EQ(read->finding(Code::NAME_DAMAGED)->severity, Severity::warning);
}

// ---- curves

/// Opens the puppet with curves for these pairs of type and property in the clip of its body.
std::unique_ptr<Opened> openWithCurves(std::initializer_list<std::pair<const char*, const char*>> curves) {
    return openWith([&](VgoBuilder& vgo) {
        memberOf(at(vgo, "nodes", 3), "animation") = Properties{{"clipIndex", 0}};
        memberOf(at(vgo, "nodes", 6), "animation") = Value{};
        const Value keys = listOf({Properties{{"time", 0}, {"value", 0}}, Properties{{"time", 1}, {"value", 100}}});
        Vector<Value> bindings;
        for (const auto& [type, property] : curves)
            bindings.push_back(Properties{{"type", type}, {"propertyName", property}, {"animationCurve", Properties{{"keys", keys}}}});
        memberOf(at(vgo, "animationClips", 0), "curveBindings") = std::move(bindings);
    });
}

TEST(VgoCurves, AcceptsBothSpellingsOfAType) {
    const auto opened = openWithCurves({{"UnityEngine.SkinnedMeshRenderer", "blendShape.Smile"},
                                        {"SkinnedMeshRenderer", "blendShape.Wink"},
                                        {"UnityEngine.Transform", "m_LocalPosition.x"}});
    const auto& tracks = opened->scene.clips.at(0).tracks;
    ASSERT_EQ(tracks.size(), 3u);
    for (const std::size_t i : {0, 1}) {
        EXPECT_EQ(tracks[i].path, Path::weight);
        EXPECT_EQ(tracks[i].node, 4u);
        EXPECT_EQ(opened->arena.values(tracks[i].values)[1], 1);
    }
    EXPECT_EQ(tracks[2].path, Path::translation);
    EXPECT_FALSE(opened->has(Code::CURVE_NOT_PLAYED));
}

TEST(VgoCurves, NodesWithOneClipShareItsCurves) {
    const auto opened = openWith([&](VgoBuilder& vgo) {
        for (const std::size_t node : {1, 2, 3, 5})
            memberOf(at(vgo, "nodes", node), "animation") = Properties{{"clipIndex", 0}, {"wrapMode", 1}};
    });
    const auto& clips = opened->scene.clips;
    ASSERT_EQ(clips.size(), 5u);
    const std::uint32_t rows[] = {2, 3, 4, 6, 7};
    for (std::size_t i = 0; i < clips.size(); ++i) {
        for (const Track& track : clips[i].tracks) EXPECT_EQ(track.node, rows[i]);
        EXPECT_EQ(clips[i].loop, i == 4);
        // The body has a mesh, whose material a curve animates. The other clips share one block.
        EXPECT_EQ(clips[i].block == clips[0].block, i != 2);
        EXPECT_EQ(clips[i].tracks[2].path, i == 2 ? Path::material : Path::property);
    }
    EXPECT_EQ(opened->scene.strings[clips[1].tracks[0].target], "Chest");
    EXPECT_EQ(opened->arena.values(clips[4].tracks[1].values)[1], -2) << "mirrored once";
}

TEST(VgoCurves, CurvesOfMeshesTargetTheMeshOfEachNode) {
    const auto opened = openWith([&](VgoBuilder& vgo) {
        // Adds a second body with another wrap mode.
        memberOf(at(vgo, "nodes", 5), "meshRenderer") = Properties{{"name", "Twin"}, {"mesh", 0}, {"materials", listOf({0})}};
        memberOf(at(vgo, "nodes", 3), "animation") = Properties{{"clipIndex", 0}};
        memberOf(at(vgo, "nodes", 5), "animation") = Properties{{"clipIndex", 0}, {"wrapMode", 4}};
        memberOf(at(vgo, "nodes", 6), "animation") = Value{};
        const Value keys = listOf({Properties{{"time", 0}, {"value", 0}, {"weightedMode", 7}}, Properties{{"time", 1}, {"value", 1}}});
        Vector<Value> bindings;
        for (const char* property : {"m_Enabled", "material._Color.r", "blendShape.Smile"})
            bindings.push_back(
                Properties{{"type", "SkinnedMeshRenderer"}, {"propertyName", property}, {"animationCurve", Properties{{"keys", keys}}}});
        memberOf(at(vgo, "animationClips", 0), "curveBindings") = std::move(bindings);
    });
    const auto& clips = opened->scene.clips;
    ASSERT_EQ(clips.size(), 2u);
    EXPECT_EQ(clips[0].block, clips[1].block);
    EXPECT_TRUE(clips[1].loop);
    for (const Track& track : clips[0].tracks) EXPECT_EQ(opened->scene.strings[track.target], "Body");
    ASSERT_EQ(clips[1].tracks.size(), 3u);
    for (const Track& track : clips[1].tracks) EXPECT_EQ(opened->scene.strings[track.target], "Twin");
}

TEST(VgoCurves, MissingAnglesAreZero) {
    for (const char* axis : {"x", "y", "z"}) {
        const auto opened = openWithCurves({{"Transform", (std::string("localEulerAnglesRaw.") + axis).c_str()}});
        ASSERT_EQ(opened->scene.clips.at(0).tracks.size(), 1u) << axis;
        const auto values = opened->arena.values(opened->scene.clips[0].tracks[0].values);
        EXPECT_NEAR(std::fabs(values.back()), std::cos(50 * std::numbers::pi / 180), 1e-5) << axis;
    }
}

TEST(VgoCurves, BoxesOfAnimationsAreInSceneSpace) {
    for (const bool isLeftHanded : {true, false}) {
        const auto opened = openWith(
            [](VgoBuilder& vgo) {
                memberOf(memberOf(at(vgo, "nodes", 6), "animation"), "localBounds") =
                    Properties{{"center", listOf({1, 2, 3})}, {"size", listOf({4, 5, 6})}};
            },
            {.leftHanded = isLeftHanded});
        const Value* box = propertyOf(opened->scene, "animation", "localBounds");
        ASSERT_TRUE(box);
        EXPECT_EQ(box->find("center")->as<Vector<Value>>()[2].asNumber(0), isLeftHanded ? -3 : 3);
        EXPECT_EQ(box->find("size")->as<Vector<Value>>()[2].asNumber(0), 6);
    }
}

TEST(VgoCurves, LimitsSamplesOfDistantKeys) {
    const auto opened = openWith([&](VgoBuilder& vgo) {
        Vector<Value> keys;
        for (int k = 0; k < 4000; ++k) keys.push_back(Properties{{"time", 17 * k}, {"value", 30 * (k % 3)}});
        memberOf(at(vgo, "animationClips", 0), "curveBindings") = listOf({Properties{
            {"type", "Transform"}, {"propertyName", "localEulerAnglesRaw.x"}, {"animationCurve", Properties{{"keys", std::move(keys)}}}}});
    });
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_EQ(opened->finding(Code::WORK_LIMIT)->severity, Severity::warning);
    EXPECT_FALSE(opened->has(Code::OUT_OF_MEMORY));
    EXPECT_LT(opened->memory, 48u << 20);
    const Track& turn = opened->scene.clips.at(0).tracks.at(0);
    EXPECT_EQ(opened->arena.values(turn.times).back(), 17 * 3999) << "all keys are there";
}

TEST(VgoCurves, VisibilityAndMaterialCurvesBecomeTracks) {
    const auto opened = openWithCurves({{"MeshRenderer", "m_Enabled"},
                                        {"UnityEngine.GameObject", "m_IsActive"},
                                        {"UnityEngine.SkinnedMeshRenderer", "material._Color.r"},
                                        {"UnityEngine.Light", "m_Intensity"},
                                        {"MeshRenderer", "m_SortingOrder"}});
    const auto& tracks = opened->scene.clips.at(0).tracks;
    ASSERT_EQ(tracks.size(), 5u);
    EXPECT_EQ(tracks[0].path, Path::shown);
    EXPECT_EQ(opened->scene.strings[tracks[0].target], "Body");
    EXPECT_EQ(tracks[1].path, Path::visible);
    EXPECT_EQ(tracks[2].path, Path::material);
    EXPECT_EQ(opened->scene.strings[tracks[2].property], "_Color.r");
    EXPECT_EQ(tracks[3].path, Path::property);
    const Finding* finding = opened->finding(Code::CURVE_NOT_PLAYED);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->count, 2u);
    EXPECT_EQ(finding->detail, "Light.Intensity, MeshRenderer.SortingOrder");
}

TEST(VgoCurves, KeepsCurvesOfUnknownPropertiesAndNamesFive) {
    const auto opened = openWithCurves({{"Transform", "m_LocalScale.y"},
                                        {"Transform", "m_LocalRotation.w"},
                                        {"Transform", "m_LocalPosition.w"},
                                        {"Transform", "m_LocalPosition"},
                                        {"Transform", "m_LocalPosition.xy"},
                                        {"Transform", "m_LocalPosition.q"},
                                        {"Transform", "m_Pivot.x"},
                                        {"", ""},
                                        {"GameObject", "m_Name"}});
    const auto& tracks = opened->scene.clips.at(0).tracks;
    ASSERT_EQ(tracks.size(), 9u);
    EXPECT_EQ(tracks[0].path, Path::scale);
    EXPECT_EQ(tracks[1].path, Path::rotation);
    for (std::size_t i = 2; i < 9; ++i) EXPECT_EQ(tracks[i].path, Path::property) << i;
    const Finding* finding = opened->finding(Code::CURVE_NOT_PLAYED);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->count, 7u);
    EXPECT_EQ(
        finding->detail,
        "Transform.LocalPosition.w, Transform.LocalPosition, Transform.LocalPosition.xy, Transform.LocalPosition.q, Transform.Pivot.x");
}

TEST(VgoCurves, RepeatingAnglesFillTheClipAndJumpAtRepeats) {
    const auto keyOf = [](double time, double value) {
        return Properties{{"time", time}, {"value", value}, {"inTangent", 60}, {"outTangent", 60}};
    };
    for (const int wrap : {0, 2, 4}) {
        const auto opened = openWith([&](VgoBuilder& vgo) {
            const auto curve = [](const char* property, Value keys, int wrap) {
                return Properties{{"type", "Transform"},
                                  {"propertyName", property},
                                  {"animationCurve", Properties{{"keys", std::move(keys)}, {"postWrapMode", wrap}}}};
            };
            memberOf(at(vgo, "animationClips", 0), "curveBindings") =
                listOf({curve("localEulerAnglesRaw.x", listOf({keyOf(0, 0), keyOf(1, 60)}), wrap),
                        curve("localEulerAnglesRaw.y", listOf({keyOf(0, 0), keyOf(0, 0)}), 0),
                        curve("localEulerAnglesRaw.z", listOf({keyOf(0, 0), keyOf(0.5, 0), keyOf(0.5, 0)}), 0),
                        curve("m_LocalPosition.x", listOf({keyOf(0, 0), keyOf(3, 0)}), 0)});
        });
        const Track* turn = nullptr;
        for (const Track& track : opened->scene.clips.at(0).tracks)
            if (track.path == Path::rotation) turn = &track;
        ASSERT_TRUE(turn);
        const auto times = opened->arena.values(turn->times), values = opened->arena.values(turn->values);
        // The rotation at 1.75 s equals that at 1 s (hold), 0.75 s (loop) or 0.25 s (ping-pong).
        double turned = 60;
        for (std::size_t i = 0; i < times.size(); ++i)
            if (std::fabs(times[i] - 1.75) < 0.02)
                turned = 2 * std::acos(std::min(1.f, std::fabs(values[i * 4 + 3]))) * 180 / std::numbers::pi;
        EXPECT_NEAR(turned, wrap == 0 ? 60 : wrap == 2 ? 45 : 15, 1.5) << wrap;
        EXPECT_EQ(times.back(), wrap == 0 ? 1.f : 3.f);
    }
}

}  // namespace
}  // namespace rigcast
