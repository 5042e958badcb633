// Tests the conversion of VGO layouts to scenes: valid layouts in all conventions, and invalid
// layouts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/vector.hpp"
#include "scene/lower.hpp"
#include "support/sweeps.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::itemOf;
using test::listOf;
using test::memberOf;
using test::Opened;
using test::puppetVgo;
using test::VgoConventions;

std::unique_ptr<Opened> open(const VgoBuilder& vgo) { return test::readBytes("vgo", vgo.write(), {.name = "puppet.vgo"}); }

/// Opens the puppet after a change.
std::unique_ptr<Opened> openWith(const std::function<void(VgoBuilder&)>& change, const VgoConventions& conventions = {}) {
    VgoBuilder vgo = puppetVgo(conventions);
    change(vgo);
    return open(vgo);
}

Value& at(VgoBuilder& vgo, std::string_view list, std::size_t index) { return itemOf(memberOf(vgo.layout, list), index); }

Vector<float> valuesOf(const Opened& opened, const Column<float>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

const Feature* featureOf(const Scene& scene, std::string_view kind) {
    for (const Feature& feature : scene.features)
        if (feature.kind == kind) return &feature;
    return nullptr;
}

const Value& property(const Feature* feature, std::string_view name) {
    static const Value missing;
    EXPECT_NE(feature, nullptr) << name;
    if (feature)
        for (const Property& entry : feature->properties)
            if (entry.name == name) return entry.value;
    ADD_FAILURE() << "no property " << name;
    return missing;
}

Vector<double> numbersOf(const Value& value) {
    Vector<double> numbers;
    if (const auto* list = value.get<Vector<Value>>())
        for (const Value& entry : *list) numbers.push_back(entry.asNumber(NAN));
    return numbers;
}

using Numbers = Vector<double>;
using Floats = Vector<float>;

void expectSame(const Value& a, const Value& b, const std::string& path) {
    ASSERT_EQ(a.kind(), b.kind()) << path;
    if (const auto* list = a.get<Vector<Value>>()) {
        const auto& other = b.as<Vector<Value>>();
        ASSERT_EQ(list->size(), other.size()) << path;
        for (std::size_t i = 0; i < list->size(); ++i) expectSame((*list)[i], other[i], path + "[" + std::to_string(i) + "]");
    } else if (const auto* members = a.get<Properties>()) {
        const auto& other = b.as<Properties>();
        ASSERT_EQ(members->size(), other.size()) << path;
        for (std::size_t i = 0; i < members->size(); ++i) {
            EXPECT_EQ((*members)[i].name, other[i].name) << path;
            expectSame((*members)[i].value, other[i].value, path + "." + (*members)[i].name);
        }
    } else if (const auto number = a.get<double>()) {
        EXPECT_EQ(*number, b.asNumber(NAN)) << path;
    } else if (const auto* text = a.get<std::string>()) {
        EXPECT_EQ(*text, b.as<std::string>()) << path;
    }
}

// ---- one meaning

class VgoConventionsTest : public testing::TestWithParam<VgoConventions> {};

TEST_P(VgoConventionsTest, GiveEqualScenes) {
    const auto wanted = open(puppetVgo()), got = open(puppetVgo(GetParam()));
    ASSERT_TRUE(wanted->result.hasScene && got->result.hasScene);
    EXPECT_EQ(got->diagnostics.total(Severity::warning) + got->diagnostics.total(Severity::error), 0u) << got->description;
    const Value *a = wanted->json.find("scene"), *b = got->json.find("scene");
    for (const std::string_view part :
         {"asset", "strings", "nodes", "meshes", "renderers", "skins", "materials", "textures", "images", "clips", "lights", "expressions"})
        expectSame(*a->find(part), *b->find(part), std::string(part));
    ASSERT_EQ(wanted->scene.features.size(), got->scene.features.size());
    for (std::size_t i = 0; i < wanted->scene.features.size(); ++i) {
        Properties own = wanted->scene.features[i].properties;
        if (GetParam().minor < 4) erase_if(own, [](const Property& entry) { return entry.name == "index" && entry.value.is<double>(); });
        Properties other = got->scene.features[i].properties;
        if (GetParam().minor < 4) erase_if(other, [](const Property& entry) { return entry.name == "index"; });
        expectSame(Value(own), Value(other), wanted->scene.features[i].kind);
    }
    // Blocks contain floats (zeros can differ in their sign), integers, and the tables of the
    // description.
    ASSERT_EQ(wanted->arena.blocks().size(), got->arena.blocks().size());
    const auto &mesh = wanted->scene.meshes.at(0), &other = got->scene.meshes.at(0);
    EXPECT_EQ(valuesOf(*wanted, mesh.positions), valuesOf(*got, other.positions));
    EXPECT_EQ(valuesOf(*wanted, mesh.normals), valuesOf(*got, other.normals));
    EXPECT_EQ(valuesOf(*wanted, mesh.uvs.at(0)), valuesOf(*got, other.uvs.at(0)));
    EXPECT_EQ(valuesOf(*wanted, mesh.weights), valuesOf(*got, other.weights));
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(valuesOf(*wanted, mesh.morphs.at(i).positions), valuesOf(*got, other.morphs.at(i).positions));
        EXPECT_EQ(valuesOf(*wanted, mesh.morphs.at(i).normals), valuesOf(*got, other.morphs.at(i).normals));
    }
    EXPECT_EQ(valuesOf(*wanted, wanted->scene.skins.at(0).inverseBindMatrices), valuesOf(*got, got->scene.skins.at(0).inverseBindMatrices));
    for (std::size_t i = 0; i < wanted->scene.clips.at(0).tracks.size(); ++i)
        EXPECT_EQ(valuesOf(*wanted, wanted->scene.clips[0].tracks[i].values), valuesOf(*got, got->scene.clips.at(0).tracks.at(i).values))
            << i;
    for (std::size_t i = 0; i < wanted->scene.nodes.size(); ++i) {
        const auto &own = wanted->scene.nodes[i].local, &same = got->scene.nodes.at(i).local;
        for (const auto& [x, y] : {std::pair{own.translation, same.translation}, std::pair{own.scale, same.scale}})
            EXPECT_EQ(length(x - y), 0) << i;
        EXPECT_EQ(own.rotation.x, same.rotation.x);
        EXPECT_EQ(own.rotation.y, same.rotation.y);
        EXPECT_EQ(own.rotation.z, same.rotation.z);
        EXPECT_EQ(own.rotation.w, same.rotation.w);
    }
    // Triangles can start at another corner; only their orientation must be the same.
    const auto indices = got->arena.values(other.indices16);
    const Floats positions = valuesOf(*got, other.positions), normals = valuesOf(*got, other.normals);
    ASSERT_EQ(indices.size(), 12u);
    for (std::size_t i = 0; i < indices.size(); i += 3) {
        const auto corner = [&](const Floats& from, std::size_t k) {
            const std::size_t vertex = indices[i + k];
            return Vec3{from[vertex * 3], from[vertex * 3 + 1], from[vertex * 3 + 2]};
        };
        const Vec3 face = cross(corner(positions, 1) - corner(positions, 0), corner(positions, 2) - corner(positions, 0));
        EXPECT_GT(dot(face, corner(normals, 0)), 0) << "triangle " << i / 3;
    }
}

INSTANTIATE_TEST_SUITE_P(All, VgoConventionsTest,
                         testing::Values(VgoConventions{false, false}, VgoConventions{false, true}, VgoConventions{true, false},
                                         VgoConventions{.bson = true}, VgoConventions{false, false, true}, VgoConventions{.minor = 4},
                                         VgoConventions{.minor = 3}, VgoConventions{false, true, true, 4},
                                         VgoConventions{false, false, true, 1}));

TEST(VgoScene, IsRightHandedWithUvOriginAtTheTop) {
    const auto opened = open(puppetVgo());
    const Scene& scene = opened->scene;
    ASSERT_EQ(scene.nodes.size(), 9u);
    EXPECT_EQ(scene.strings[scene.nodes[2].name], "Hips");
    EXPECT_EQ(scene.nodes[3].parent, 2u);
    EXPECT_EQ(scene.nodes[2].local.translation.z, -0.125);
    // Unity's rotation by 90 degrees about x moves y to z. After mirroring, it moves y to -z.
    const Vec3 up = rotate(scene.nodes[3].local.rotation, {0, 1, 0});
    EXPECT_NEAR(up.y, 0, 1e-7);
    EXPECT_NEAR(up.z, -1, 1e-7);
    const Transform& box = scene.nodes[7].local;
    EXPECT_NEAR(box.scale.x, -2, 1e-12);
    EXPECT_NEAR(box.scale.z, 0.5, 1e-12);
    const Mesh& mesh = scene.meshes.at(0);
    EXPECT_EQ(mesh.max[2], 0);
    EXPECT_EQ(mesh.min[2], -1);
    EXPECT_EQ(valuesOf(*opened, mesh.normals)[2], 1);
    EXPECT_EQ(valuesOf(*opened, mesh.uvs[0])[1], 1);
    EXPECT_EQ(valuesOf(*opened, mesh.uvs[0])[9], 0.75f);
    EXPECT_EQ(mesh.groups.size(), 2u);
    // Sparse shapes have deltas of both attributes for every vertex with a delta of either.
    const auto vertices = opened->arena.values(mesh.morphs[0].vertices);
    EXPECT_EQ(Vector<std::uint32_t>(vertices.begin(), vertices.end()), (Vector<std::uint32_t>{2, 3, 6}));
    EXPECT_EQ(valuesOf(*opened, mesh.morphs[0].positions), (Floats{0, 0, 0.25f, 0, 0, 0, 0, 0.5f, 0}));
    EXPECT_EQ(valuesOf(*opened, mesh.morphs[0].normals), (Floats{0, 0, -0.5f, 0.125f, 0, 0, 0, 0, 0}));
    EXPECT_EQ(scene.asset.generator, "UniVGO 2.5.22");
    EXPECT_EQ(scene.asset.author, "A. N. Author");
}

TEST(VgoScene, SkinnedVerticesFollowTheBindMatrices) {
    const auto opened = open(puppetVgo());
    const Skin& skin = opened->scene.skins.at(0);
    const auto joints = opened->arena.values(skin.joints);
    EXPECT_EQ(joints[0], 2u);
    EXPECT_EQ(joints[1], 3u);
    EXPECT_EQ(skin.skeletonRoot, 2u);
    // In this file, bind matrices are the inverses of the rest matrices, so joint matrices are the
    // identity.
    const auto rest = restMatrices(opened->scene);
    const Floats binds = valuesOf(*opened, skin.inverseBindMatrices);
    for (std::size_t j = 0; j < 2; ++j) {
        Mat4 bind;
        std::copy(&binds[j * 16], &binds[j * 16] + 16, bind.m.begin());
        const Mat4 product = rest[joints[j]] * bind;
        for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(product.m[k], k % 5 == 0, 1e-6) << j << " " << k;
    }
    EXPECT_EQ(opened->scene.nodes[2].bone, 1);
    EXPECT_EQ(opened->scene.nodes[6].bone, 5);
    EXPECT_EQ(opened->scene.nodes[5].bone, -1);
}

TEST(VgoScene, DerivesMissingBindMatricesFromTheRestPose) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "skins", 0), "inverseBindMatrices") = -1; });
    ASSERT_EQ(opened->scene.skins.size(), 1u);
    const auto rest = restMatrices(opened->scene);
    const Floats binds = valuesOf(*opened, opened->scene.skins[0].inverseBindMatrices);
    const auto joints = opened->arena.values(opened->scene.skins[0].joints);
    for (std::size_t j = 0; j < 2; ++j) {
        Mat4 bind;
        std::copy(&binds[j * 16], &binds[j * 16] + 16, bind.m.begin());
        const Mat4 product = rest[joints[j]] * bind;
        for (std::size_t k = 0; k < 16; ++k) EXPECT_NEAR(product.m[k], rest[4].m[k], 1e-5) << j << " " << k;
    }
}

// ---- features

TEST(VgoScene, ConvertsFeaturesToSceneSpace) {
    const auto opened = open(puppetVgo());
    const Scene& scene = opened->scene;
    const Value& bones = property(featureOf(scene, "humanoid"), "bones");
    EXPECT_EQ(bones.find("hips")->asNumber(-1), 2);
    EXPECT_EQ(bones.find("chest")->asNumber(-1), 3);
    EXPECT_EQ(bones.find("leftThumbMetacarpal")->asNumber(-1), 6);
    const Feature* collider = featureOf(scene, "collider");
    EXPECT_EQ(collider->node, 7u);
    EXPECT_EQ(numbersOf(property(collider, "center")), (Numbers{0.5, 1, -2}));
    EXPECT_EQ(numbersOf(property(collider, "size")), (Numbers{1, 2, 3}));
    EXPECT_EQ(property(collider, "radius").asNumber(0), -1);
    EXPECT_EQ(property(collider, "enabled").asBool(false), true);
    EXPECT_EQ(property(featureOf(scene, "rigidbody"), "mass").asNumber(0), 2.5);
    EXPECT_EQ(property(featureOf(scene, "rigidbody"), "useGravity").asBool(false), true);
    const Feature* spring = featureOf(scene, "springBone");
    EXPECT_EQ(spring->node, 1u);
    EXPECT_EQ(numbersOf(property(spring, "gravityDirection")), (Numbers{0, -1, -0.5}));
    EXPECT_EQ(numbersOf(property(spring, "rootBones")), (Numbers{6}));
    EXPECT_EQ(property(spring, "stiffnessForce").asNumber(0), 1);
    const Feature* group = featureOf(scene, "springBoneColliderGroup");
    EXPECT_EQ(group->node, 2u);
    EXPECT_EQ(numbersOf(*property(group, "colliders").as<Vector<Value>>().at(0).find("offset")), (Numbers{0, 0.25, -0.5}));
    const Value& shape = property(featureOf(scene, "particleSystem"), "shape");
    EXPECT_EQ(numbersOf(*shape.find("position")), (Numbers{1, 2, 3}));
    EXPECT_EQ(numbersOf(*shape.find("rotation")), (Numbers{10, 20, 30}));
    const Feature* cloth = featureOf(scene, "cloth");
    EXPECT_EQ(cloth->name, "Cape");
    EXPECT_EQ(numbersOf(property(cloth, "randomAcceleration")), (Numbers{0, 0, 4}));
    EXPECT_EQ(numbersOf(property(cloth, "coefficients")), (Numbers{3.4028234663852886e38, 0, 0.5, 0.25}));
    EXPECT_EQ(property(featureOf(scene, "skybox"), "materialIndex").asNumber(-1), 1);
    EXPECT_EQ(property(featureOf(scene, "right"), "author").asString(""), "Somebody else");
    EXPECT_EQ(opened->finding(Code::NOT_SIMULATED)->count, 1u);  // the cloth
    ASSERT_EQ(scene.nodes[5].properties.size(), 2u);
    EXPECT_EQ(scene.nodes[5].properties[0].value.asString(""), "Light");
}

/// Returns gravity and collider position of springs in a right-handed file that declares this
/// writer (`name`) and version.
Numbers springsOf(std::string_view name, std::string_view version, bool areConverted) {
    const auto opened = openWith(
        [&](VgoBuilder& vgo) {
            memberOf(vgo.assetInfo, "generator") = Properties{{"name", std::string(name)}, {"version", std::string(version)}};
            const double back = areConverted ? -0.5 : 0.5;  // Unity's z is 0.5
            Value& info = memberOf(vgo.layout, "springBoneInfo");
            memberOf(itemOf(memberOf(info, "springBoneGroups"), 0), "gravityDirection") = listOf({0, -1, back});
            Value& colliders = memberOf(itemOf(memberOf(info, "colliderGroups"), 0), "colliders");
            memberOf(itemOf(colliders, 0), "offset") = listOf({0, 0.25, back});
        },
        {.leftHanded = false, .uvBottomLeft = false, .minor = 1});
    Numbers found = numbersOf(property(featureOf(opened->scene, "springBone"), "gravityDirection"));
    const Value& colliders = property(featureOf(opened->scene, "springBoneColliderGroup"), "colliders");
    const Numbers offset = numbersOf(*colliders.as<Vector<Value>>().at(0).find("offset"));
    found.insert(found.end(), offset.begin(), offset.end());
    return found;
}

TEST(VgoScene, SpringsOfEarlyRightHandedFilesAreInUnityAxes) {
    const Numbers wanted{0, -1, -0.5, 0, 0.25, -0.5};
    EXPECT_EQ(springsOf("UniVGO", "2.1.0", false), wanted);
    EXPECT_EQ(springsOf("UniVGO", "2.1.1", false), wanted);
    EXPECT_EQ(springsOf("UniVGO", "2.1.2", true), wanted);
    EXPECT_EQ(springsOf("UniVGO", "2.1.10", true), wanted);
    EXPECT_EQ(springsOf("Another", "2.1.1", true), wanted);
}

TEST(VgoScene, ConvertsUnityLights) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        auto& lights = memberOf(vgo.layout, "lights").as<Vector<Value>>();
        const auto light = [](int type, std::string_view name, Value value) {
            return Properties{{"type", type}, {"intensity", 1}, {"lightmapBakeType", 4}, {std::string(name), std::move(value)}};
        };
        lights.push_back(light(1, "enabled", false));
        lights.push_back(light(2, "range", 3));
        lights.push_back(light(3, "areaSize", listOf({2, 3})));
        lights.push_back(light(4, "areaRadius", 2));
        lights.push_back(Properties{{"type", 2}, {"intensity", 1}, {"lightmapBakeType", 2}});
        auto& nodes = memberOf(vgo.layout, "nodes").as<Vector<Value>>();
        for (const auto& [node, light] : {std::pair{0, 1}, {1, 2}, {2, 3}, {3, 4}, {5, 5}})
            memberOf(nodes[static_cast<std::size_t>(node)], "light") = light;
    });
    const auto& lights = opened->scene.lights;  // in order of their nodes
    ASSERT_EQ(lights.size(), 6u);
    const float pi = 3.14159265f;
    EXPECT_EQ(lights[0].type, LightType::directional);
    EXPECT_FALSE(lights[0].enabled);
    EXPECT_EQ(lights[1].type, LightType::point);
    EXPECT_NEAR(lights[1].intensity, pi, 1e-6);
    EXPECT_EQ(lights[1].range, 3);
    EXPECT_EQ(lights[2].type, LightType::rectangle);
    EXPECT_EQ(lights[2].size[1], 3);
    EXPECT_EQ(lights[3].type, LightType::disc);
    EXPECT_NEAR(lights[3].size[0], 2 * std::sqrt(pi), 1e-6);
    EXPECT_EQ(lights[4].type, LightType::spot);
    EXPECT_EQ(lights[4].node, 5u);
    EXPECT_NEAR(lights[4].outerAngle, pi / 6, 1e-6);
    EXPECT_NEAR(lights[4].intensity, 2 * pi, 1e-6);
    EXPECT_TRUE(lights[4].castShadow);
    EXPECT_EQ(lights[4].color[1], 0.5f);
    EXPECT_FALSE(lights[5].enabled) << "baked";
}

TEST(VgoScene, ScalesPhysicalLights) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "lights", 0), "intensity") = 100000; });
    EXPECT_NEAR(opened->scene.lights.at(0).intensity, 3.14159265f, 1e-6);
    EXPECT_TRUE(opened->has(Code::LIGHTS_EXPOSED));
    // A sun that is switched off does not affect the brightness of lamps.
    const auto night = openWith([](VgoBuilder& vgo) {
        auto& lights = memberOf(vgo.layout, "lights").as<Vector<Value>>();
        lights.push_back(Properties{{"type", 1}, {"intensity", 100000}, {"lightmapBakeType", 4}, {"enabled", false}});
        memberOf(at(vgo, "nodes", 0), "light") = 1;
        memberOf(at(vgo, "lights", 0), "intensity") = 400;
    });
    EXPECT_NEAR(night->scene.lights.at(1).intensity, 3.14159265f, 1e-6);
    EXPECT_NEAR(night->scene.lights.at(0).intensity, 3.14159265f * 250, 1e-3);
}

TEST(VgoScene, PresetsAndTagsBecomeExpressions) {
    const auto opened = open(puppetVgo());
    const auto& list = opened->scene.expressions;
    Vector<std::string> found;
    for (const Expression& one : list) {
        found.push_back(one.name + "/" + one.preset);
        ASSERT_EQ(one.bindings.size(), 1u);
        found.back() += " " + std::to_string(one.bindings[0].morph) + " " + std::to_string(static_cast<int>(100 * one.bindings[0].weight));
    }
    EXPECT_EQ(found, (Vector<std::string>{"Joy/happy 0 75", "Puff/ 1 100", "aa/aa 0 100", "blinkLeft/blinkLeft 1 100"}));
}

TEST(VgoScene, PresetsOfOneTypeShareAnExpression) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        auto& nodes = memberOf(vgo.layout, "nodes").as<Vector<Value>>();
        Value again = *nodes[3].find("meshRenderer");
        Value& presets = memberOf(again, "blendShapePresets");
        memberOf(itemOf(presets, 0), "name") = "Glad";
        memberOf(itemOf(presets, 1), "type") = 11;
        memberOf(itemOf(memberOf(itemOf(presets, 1), "bindings"), 0), "index") = 7;  // a morph target that does not exist
        memberOf(nodes[5], "meshRenderer") = again;
    });
    const auto& list = opened->scene.expressions;
    ASSERT_EQ(list[0].name, "Joy");
    ASSERT_EQ(list[0].bindings.size(), 2u);
    EXPECT_EQ(list[0].bindings[1].renderer, 1u);
    EXPECT_TRUE(opened->has(Code::INDEX_RANGE));
    EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
    const auto blink = std::find_if(list.begin(), list.end(), [](const Expression& one) { return one.preset == "blink"; });
    ASSERT_NE(blink, list.end()) << "both lids";
    EXPECT_EQ(blink->bindings.size(), 2u);
}

// ---- animation

TEST(VgoScene, CurvesAnimateTheNodeThatUsesTheClip) {
    const auto opened = open(puppetVgo());
    ASSERT_EQ(opened->scene.clips.size(), 1u);
    const Clip& clip = opened->scene.clips[0];
    EXPECT_TRUE(clip.loop);
    EXPECT_EQ(clip.duration, 1);
    ASSERT_EQ(clip.tracks.size(), 4u);
    for (const Track& track : clip.tracks) EXPECT_EQ(track.node, 7u);
    EXPECT_EQ(clip.tracks[0].component, 1);
    EXPECT_EQ(clip.tracks[0].interpolation, Interpolation::perKey);  // the last key has no segment
    EXPECT_EQ(valuesOf(*opened, clip.tracks[0].tangents)[1], 4);
    EXPECT_EQ(valuesOf(*opened, clip.tracks[1].values), (Floats{-1, -2}));
    EXPECT_EQ(opened->scene.strings[clip.tracks[2].property], "MeshRenderer.material._Color.r") << "there is no mesh on this node";
    // Euler angles become a rotation about -x in the scene, which is exact to a hundredth of a
    // degree between samples.
    const Track& turn = clip.tracks[3];
    EXPECT_EQ(turn.path, Path::rotation);
    const Floats values = valuesOf(*opened, turn.values), times = valuesOf(*opened, turn.times);
    ASSERT_GE(times.size(), 60u);
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double angle = 90.0 * times[i] * 3.14159265358979 / 180;
        EXPECT_NEAR(values[i * 4], -std::sin(angle / 2), 1e-5) << times[i];
        EXPECT_NEAR(values[i * 4 + 3], std::cos(angle / 2), 1e-5) << times[i];
    }
    EXPECT_EQ(property(featureOf(opened->scene, "animation"), "clip").asNumber(-1), 0);
    EXPECT_EQ(property(featureOf(opened->scene, "animation"), "wrapMode").asNumber(-1), 2);
}

TEST(VgoScene, AddsAClipPerNode) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        auto& nodes = memberOf(vgo.layout, "nodes").as<Vector<Value>>();
        memberOf(nodes[5], "animation") = Properties{{"clipIndex", 0}, {"wrapMode", 1}};
        auto& clips = memberOf(vgo.layout, "animationClips").as<Vector<Value>>();
        clips.push_back(clips[0]);
        memberOf(clips[1], "name") = "Idle";
    });
    const auto& clips = opened->scene.clips;
    ASSERT_EQ(clips.size(), 3u);
    EXPECT_EQ(clips[0].tracks[0].node, 6u);
    EXPECT_FALSE(clips[0].loop);
    EXPECT_EQ(clips[1].tracks[0].node, 7u);
    EXPECT_EQ(clips[2].name, "Idle");
    EXPECT_EQ(clips[2].tracks[0].node, none);
}

TEST(VgoScene, ShapeAndVisibilityCurvesBecomeTracks) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        auto& nodes = memberOf(vgo.layout, "nodes").as<Vector<Value>>();
        memberOf(nodes[3], "animation") = Properties{{"clipIndex", 0}};
        auto& bindings = memberOf(at(vgo, "animationClips", 0), "curveBindings").as<Vector<Value>>();
        memberOf(bindings[0], "type") = memberOf(bindings[1], "type") = "SkinnedMeshRenderer";
        memberOf(bindings[0], "propertyName") = "blendShape.Smile";
        memberOf(bindings[1], "propertyName") = "Enabled";
        memberOf(bindings[3], "type") = "Light";
        memberOf(itemOf(memberOf(memberOf(bindings[0], "animationCurve"), "keys"), 1), "value") = 100;
    });
    const Clip& clip = opened->scene.clips.at(0);
    EXPECT_EQ(clip.tracks[0].path, Path::weight);
    EXPECT_EQ(opened->scene.strings[clip.tracks[0].target], "Body");
    EXPECT_EQ(opened->scene.strings[clip.tracks[0].property], "Smile");
    EXPECT_EQ(valuesOf(*opened, clip.tracks[0].values), (Floats{0, 1, 0}));
    EXPECT_NEAR(valuesOf(*opened, clip.tracks[0].tangents)[1], 0.04f, 1e-7);
    EXPECT_EQ(clip.tracks[1].path, Path::shown);
    EXPECT_EQ(opened->scene.strings[clip.tracks[2].property], "Light.material._Color.r");
}

TEST(VgoScene, ReportsAListOfExtensions) {
    const auto opened = openWith([](VgoBuilder& vgo) { vgo.set("extensions", listOf({})); });
    EXPECT_EQ(opened->finding(Code::PROPERTY_TYPE)->severity, Severity::warning);
    EXPECT_TRUE(openWith([](VgoBuilder& vgo) { vgo.set("extensions", Properties{}); })->finding(Code::PROPERTY_TYPE) == nullptr);
}

/// Each element would become a JavaScript object of some hundred bytes.
TEST(VgoScene, OmitsAndReportsHugeExtensions) {
    const auto lists = [](std::size_t count) {
        Vector<Value> entries;
        for (std::size_t i = 0; i < count; ++i) entries.push_back(i % 2 ? listOf({}) : Value(Properties{}));
        return openWith([&](VgoBuilder& vgo) { vgo.set("extensions", Properties{{"x", std::move(entries)}}); });
    };
    const auto few = lists(50'000);
    EXPECT_FALSE(few->finding(Code::WORK_LIMIT));
    EXPECT_EQ(few->scene.asset.properties.back().value.find("x")->as<Vector<Value>>().size(), 50'000u);
    const auto many = lists(150'000);
    ASSERT_TRUE(many->finding(Code::WORK_LIMIT));
    EXPECT_EQ(many->finding(Code::WORK_LIMIT)->path, "layoutExtensions");
    EXPECT_EQ(many->finding(Code::WORK_LIMIT)->detail, "about 150002 lists and objects");
    EXPECT_TRUE(many->result.hasScene);
    EXPECT_LT(many->description.size(), 100'000u);
}

// ---- wrong trees

TEST(VgoNodes, MovesLateParentsBeforeTheirChildren) {
    const auto opened = openWith([](VgoBuilder& vgo) {
        memberOf(at(vgo, "nodes", 0), "children") = listOf({7, 3, 4, 6});
        memberOf(at(vgo, "nodes", 7), "children") = listOf({1});
    });
    const Scene& scene = opened->scene;
    EXPECT_EQ(opened->diagnostics.total(Severity::warning), 0u);
    EXPECT_EQ(scene.strings[scene.nodes[2].name], "Sparks");
    EXPECT_EQ(scene.strings[scene.nodes[3].name], "Hips");
    EXPECT_EQ(scene.nodes[3].parent, 2u);
    // Indices in properties are scene indices.
    EXPECT_EQ(property(featureOf(scene, "humanoid"), "bones").find("hips")->asNumber(-1), 3);
    EXPECT_EQ(scene.nodes[3].bone, 1);
}

TEST(VgoNodes, RemovesWrongLinks) {
    const auto children = [](std::size_t node, Vector<Value> list) {
        return openWith([&](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", node), "children") = list; });
    };
    EXPECT_TRUE(children(2, {2})->has(Code::NODE_CYCLE));
    EXPECT_TRUE(children(2, {0})->has(Code::NODE_CYCLE));
    EXPECT_TRUE(children(2, {1})->has(Code::NODE_PARENTS));
    const auto ring = openWith([](VgoBuilder& vgo) {
        memberOf(at(vgo, "nodes", 0), "children") = listOf({3, 4, 6, 7});
        memberOf(at(vgo, "nodes", 2), "children") = listOf({1});
    });
    EXPECT_EQ(ring->finding(Code::NODE_CYCLE)->path, "nodes[1]");
    EXPECT_EQ(ring->scene.nodes.size(), 9u);
    for (const Value& bad : {Value(8), Value(-1), Value(-7), Value(0.5), Value("1"), Value(1e300)}) {
        const auto opened = children(2, {bad});
        ASSERT_TRUE(opened->has(Code::INDEX_RANGE)) << bad.asNumber(0);
        EXPECT_EQ(opened->finding(Code::INDEX_RANGE)->severity, Severity::error);
    }
}

TEST(VgoNodes, CountsAMillionWrongLinks) {
    constexpr int count = 1000;
    Vector<Value> all;
    for (int i = 0; i < count; ++i) all.push_back(i);
    VgoBuilder vgo;
    Floats matrices;
    Vector<Value> nodes;
    for (int i = 0; i < count; ++i) {
        matrices.insert(matrices.end(), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1});
        nodes.push_back(Properties{{"name", "n"}, {"isRoot", i == 0}, {"children", all}});
    }
    vgo.addTransforms(matrices);
    vgo.set("nodes", std::move(nodes));
    const auto opened = open(vgo);
    EXPECT_GT(opened->diagnostics.total(Severity::error), 990'000u);
    EXPECT_TRUE(opened->diagnostics.truncated());
    EXPECT_EQ(opened->scene.nodes.size(), 1001u);
}

TEST(VgoNodes, KeepsAndHidesOrphans) {
    const auto opened = openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", 0), "children") = listOf({1, 3, 4, 6}); });
    EXPECT_TRUE(opened->has(Code::NODE_ORPHAN));
    EXPECT_FALSE(opened->scene.nodes[8].visible);
    EXPECT_EQ(opened->scene.nodes[8].parent, 0u);
}

TEST(VgoNodes, NullEntriesKeepTheNumbering) {
    const auto opened = openWith([](VgoBuilder& vgo) { at(vgo, "nodes", 5) = Value(); });
    EXPECT_TRUE(opened->has(Code::NODE_NULL));
    EXPECT_EQ(opened->scene.nodes.size(), 8u);
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[6].name], "Box");
    EXPECT_NEAR(opened->scene.nodes[6].local.translation.x, 2, 1e-12);
}

TEST(VgoNodes, RequireARootAndTransforms) {
    EXPECT_TRUE(openWith([](VgoBuilder& vgo) { memberOf(at(vgo, "nodes", 0), "isRoot") = false; })->has(Code::NO_ROOT));
    const auto empty = openWith([](VgoBuilder& vgo) { vgo.set("nodes", listOf({})); });
    EXPECT_FALSE(empty->result.hasScene);
    EXPECT_TRUE(empty->has(Code::MISSING_CHUNK));
    const auto more = openWith([](VgoBuilder& vgo) { vgo.addTransforms(Floats(16)); });
    EXPECT_TRUE(more->has(Code::NODE_TRANSFORMS));
    EXPECT_NEAR(more->scene.nodes[2].local.translation.y, 1, 1e-12) << "the first list counts";
    const auto fewer = openWith([](VgoBuilder& vgo) {
        memberOf(vgo.layout, "nodes").as<Vector<Value>>().push_back(Properties{{"name", "late"}});
    });
    EXPECT_TRUE(fewer->has(Code::NODE_TRANSFORMS));
    EXPECT_NEAR(fewer->scene.nodes[2].local.translation.y, 1, 1e-12);
}

TEST(VgoNodes, DamagedMatricesBecomeTheIdentity) {
    const auto with = [](Floats matrix) {
        VgoBuilder vgo;
        vgo.addTransforms(matrix);
        vgo.set("nodes", listOf({Properties{{"name", "Root"}, {"isRoot", true}}}));
        return open(vgo);
    };
    const auto infinite = with({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, INFINITY, 0, 0, 1});
    EXPECT_EQ(infinite->finding(Code::NON_FINITE)->severity, Severity::warning);
    EXPECT_EQ(infinite->scene.nodes[1].local.translation.x, 0);
    EXPECT_TRUE(with({1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3e38f, 0, 0, 1})->has(Code::NON_FINITE));
    EXPECT_TRUE(with({1, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1})->has(Code::NODE_SHEAR));
    EXPECT_TRUE(with(Floats(16))->diagnostics.findings().empty()) << "a scale of nothing is a scale";
}

// ---- hostile numbers

/// Replaces every value in the layout with other values. The scene must always be valid.
void sweep(Value& part, VgoBuilder& vgo, std::size_t& count) {
    static const Vector<Value> others{Value(-2),
                                      Value(1e9),
                                      Value(-1e300),
                                      Value(0.5),
                                      Value("NaN"),
                                      Value("Infinity"),
                                      Value(),
                                      Value(true),
                                      Value(Vector<Value>{}),
                                      Value(Properties{}),
                                      Value(Vector<Value>{Value(0), Value("-Infinity"), Value()})};
    const Value own = part;
    for (const Value& other : others) {
        part = other;
        if (count++ % test::strideOf(5000) == 0) open(vgo);
    }
    part = own;
    if (auto* list = part.get<Vector<Value>>())
        for (Value& entry : *list) sweep(entry, vgo, count);
    if (auto* members = part.get<Properties>())
        for (Property& member : *members) sweep(member.value, vgo, count);
}

TEST(VgoScene, AcceptsAnyValueInTheLayout) {
    for (const VgoConventions& conventions : {VgoConventions{}, VgoConventions{.leftHanded = false, .minor = 3}}) {
        VgoBuilder vgo = puppetVgo(conventions);
        std::size_t count = 0;
        sweep(vgo.layout, vgo, count);
        EXPECT_GT(count, 2000u);
    }
}

}  // namespace
}  // namespace rigcast
