// Tests the conversion of models, skeletons, materials and worlds.
#include <algorithm>
#include <cmath>
#include <limits>

#include "cast.hpp"
#include "core/vector.hpp"
#include "scene/lower.hpp"

namespace rigcast::test {
namespace {

constexpr std::uint32_t top = 0xFFFFFFFF;

// ---------------------------------------------------------------- models and metadata

TEST(CastScene, ModelsBecomeNodesWithTheirTransform) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        addTriangle(cast.begin("modl").text("n", "hero").vec3("p", 1, 2, 3).vec4("r", 0, 0, 1, 0).vec3("s", 2, 2, 2).begin("mesh"))
            .end()
            .end();
        cast.begin("modl").end();
    }));
    expectFindings(*opened, {});
    const Node& hero = nodeNamed(*opened, "hero");
    EXPECT_EQ(hero.parent, 0u);
    EXPECT_EQ(hero.local.translation.y, 2);
    EXPECT_EQ(hero.local.rotation.z, 1);
    EXPECT_EQ(hero.local.scale.x, 2);
    EXPECT_EQ(opened->scene.renderers[0].node, 1u);
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[2].name], "file");  // the name of the file if the model has no name
}

TEST(CastScene, OnlyTheFirstMetadataSetsUpAxisAndRoot) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        cast.begin("meta").text("a", "somebody").text("sr", "../world").end();
        cast.begin("meta").text("s", "a tool").text("up", "z").end();
    }));
    expectFindings(*opened, {});
    EXPECT_EQ(opened->scene.asset.author, "somebody");
    EXPECT_EQ(opened->scene.asset.generator, "a tool");
    EXPECT_EQ(opened->scene.asset.upAxis, "");
    ASSERT_EQ(opened->scene.asset.properties.size(), 1u);
    EXPECT_EQ(opened->scene.asset.properties[0].value.asString(""), "../world");
}

/// Returns the up axis of the file in scene space.
Vec3 upOf(const std::string& axis, const std::string& options = "") {
    const auto opened = openCast(castFile([&](CastBuilder& cast) { cast.begin("meta").text("up", axis).end(); }), options);
    const Transform& root = opened->scene.nodes[0].local;
    const Vec3 up = axis == "x" ? Vec3{1, 0, 0} : axis == "z" ? Vec3{0, 0, 1} : Vec3{0, 1, 0};
    return rotate(root.rotation, {up.x * root.scale.x, up.y * root.scale.y, up.z * root.scale.z});
}

TEST(CastScene, RotatesTheUpAxisToY) {
    for (const char* axis : {"x", "y", "z"}) {
        EXPECT_NEAR(upOf(axis).y, 1, 1e-12) << axis;
        EXPECT_NEAR(upOf(axis, R"({"cast":{"unit":0.0254}})").y, 0.0254, 1e-12) << axis;
    }
    EXPECT_NEAR(upOf("y", R"({"cast":{"upAxis":"z"}})").z, -1, 1e-12);
    const auto opened = openCast(castFile([](CastBuilder& cast) { cast.begin("meta").text("up", "w").end(); }));
    expectFindings(*opened, {"warning UP_AXIS Root[0]/Metadata[0].up"});
    EXPECT_EQ(opened->scene.asset.upAxis, "");
}

TEST(CastScene, ReportsInvalidOptions) {
    const auto opened = openCast(castFile([](CastBuilder&) {}), R"({"cast":{"upAxis":"w","unit":-1,"overrideNamedBone":"yes","hue":1}})");
    const std::string at = "warning BAD_OPTION formatOptions.cast.";
    expectFindings(*opened, {at + "upAxis", at + "unit", at + "overrideNamedBone", at + "hue"});
    EXPECT_EQ(opened->scene.asset.metresPerUnit, 1);
}

TEST(CastScene, KeepsSmallUnknownProperties) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) { cast.integers("bp_custom", {1, 2, 3}); }));
    expectFindings(*opened, {"info UNKNOWN_PROPERTY Root[0]/Model[0].bp_custom"});
    ASSERT_EQ(opened->scene.nodes[1].properties.size(), 1u);
    const auto* values = opened->scene.nodes[1].properties[0].value.get<Vector<Value>>();
    ASSERT_TRUE(values);
    EXPECT_EQ((*values)[2].asNumber(0), 3);
}

// ---------------------------------------------------------------- skeletons

std::unique_ptr<Opened> skeleton(const std::function<void(CastBuilder&)>& fill) {
    return openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("skel");
        fill(cast);
        cast.end();
    }));
}

TEST(CastScene, KeepsBonesInFileOrder) {
    const auto opened = skeleton([](CastBuilder& cast) {
        addBone(cast, "hand", 1, 0, 0, 1);
        addBone(cast, "arm", top, 0, 2, 0);
    });
    expectFindings(*opened, {"info BONE_ORDER Root[0]/Model[0]/Skeleton[0]/Bone[0]"});
    EXPECT_EQ(nodeNamed(*opened, "hand").bone, 0);
    EXPECT_EQ(nodeNamed(*opened, "arm").bone, 1);
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[nodeNamed(*opened, "hand").parent].name], "arm");
    EXPECT_FALSE(nodeNamed(*opened, "arm").segmentScaleCompensate);  // a model is not a bone
    EXPECT_TRUE(nodeNamed(*opened, "hand").segmentScaleCompensate);
}

TEST(CastScene, ReportsAParentThatIsNotANumber) {
    // Found by fuzzing: a parent stored as a float that is not an integer.
    for (const float stored : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity(), 0x1p40f, -7.f}) {
        const auto opened = skeleton([&](CastBuilder& cast) {
            cast.begin("bone");
            cast.text("n", "a");
            cast.f32("p", stored);
            cast.end();
        });
        const auto findings = opened->diagnostics.findings();
        const auto found =
            std::find_if(findings.begin(), findings.end(), [](const Finding& finding) { return finding.code == Code::BONE_PARENT_RANGE; });
        ASSERT_NE(found, findings.end()) << stored;
        EXPECT_EQ(found->detail, std::isnan(stored) ? "NaN" : stored == -7 ? "-7" : stored > 0 ? "1099511627776.0" : "-infinity");
    }
}

TEST(CastScene, RepairsInvalidParents) {
    const auto opened = skeleton([](CastBuilder& cast) {
        addBone(cast, "a", 0);
        addBone(cast, "b", 99);
        addBone(cast, "c", 0xFFFFFFFE);
        addBone(cast, "d", 4);
        addBone(cast, "e", 3);
        addBone(cast, "f", 4);
    });
    const std::string at = "Root[0]/Model[0]/Skeleton[0]/Bone[";
    EXPECT_EQ(findingsOf(*opened)[0], "warning BONE_PARENT_RANGE " + at + "0].p");
    EXPECT_EQ(findingsOf(*opened)[1], "warning BONE_PARENT_RANGE " + at + "1].p");
    EXPECT_EQ(findingsOf(*opened)[2], "warning BONE_PARENT_RANGE " + at + "2].p");
    EXPECT_EQ(findingsOf(*opened)[3], "warning BONE_CYCLE " + at + "3].p");
    EXPECT_EQ(nodeNamed(*opened, "d").parent, 1u);  // the cycle is broken at its first node
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[nodeNamed(*opened, "e").parent].name], "d");
}

TEST(CastScene, DerivesLocalTransformsFromWorldTransforms) {
    const float half = std::sqrt(0.5f);
    const auto opened = skeleton([&](CastBuilder& cast) {
        cast.begin("bone").text("n", "a").vec3("wp", 1, 0, 0).vec4("wr", 0, 0, half, half).end();
        cast.begin("bone").text("n", "b").u32("p", 0).vec3("wp", 1, 3, 0).vec4("wr", 0, 0, half, half).end();
    });
    expectFindings(*opened, {});
    const Transform& b = nodeNamed(*opened, "b").local;
    EXPECT_NEAR(b.translation.x, 3, 1e-6);
    EXPECT_NEAR(b.translation.y, 0, 1e-6);
    EXPECT_NEAR(b.rotation.w, 1, 1e-6);
}

TEST(CastScene, LocalTransformsHavePriority) {
    const auto opened = skeleton([](CastBuilder& cast) {
        cast.begin("bone").text("n", "a").vec3("lp", 1, 0, 0).vec4("lr", 0, 0, 0, 1).vec3("wp", 1, 0.5f, 0).vec4("wr", 0, 0, 0, 1).end();
        cast.begin("bone").text("n", "b").end();
        cast.begin("bone").text("n", "a").vec3("lp", 1, 0, 0).vec4("lr", 0, 0, 0, 2).end();
        cast.begin("bone").text("n", "z").vec3("lp", std::numeric_limits<float>::infinity(), 0, 0).vec4("lr", 0, 0, 0, 0).end();
    });
    const std::string at = "Root[0]/Model[0]/Skeleton[0]/Bone[";
    expectFindings(*opened, {"warning BONE_TRANSFORM_DISAGREES " + at + "0]", "warning BONE_TRANSFORM_MISSING " + at + "1]",
                             "warning QUATERNION_NOT_UNIT " + at + "2].lr", "warning NON_FINITE " + at + "3].lp",
                             "warning QUATERNION_NOT_UNIT " + at + "3].lr", "warning BONE_NAME_DUPLICATE " + at + "2]"});
    EXPECT_EQ(nodeNamed(*opened, "a").local.translation.y, 0);
}

TEST(CastScene, BindPosesWithAndWithoutScaleCompensation) {
    for (const bool compensates : {true, false}) {
        const auto opened = openCast(modelFile([&](CastBuilder& cast) {
            cast.begin("skel");
            cast.begin("bone").text("n", "a").vec3("lp", 0, 0, 0).vec4("lr", 0, 0, 0, 1).vec3("s", 2, 2, 2).end();
            cast.begin("bone").text("n", "b").u32("p", 0).u8("ssc", compensates).vec3("lp", 0, 1, 0).vec4("lr", 0, 0, 0, 1).end();
            cast.end();
            addTriangle(cast.begin("mesh")).u8("mi", 1).integers("wb", {0, 1, 1}).end();
        }));
        expectFindings(*opened, {});
        const auto inverse = list(*opened, opened->scene.skins[0].inverseBindMatrices);
        // In both cases, the parent scales the translation of a bone, but not its size.
        EXPECT_EQ(inverse[16], compensates ? 1.f : 0.5f);
        EXPECT_EQ(inverse[16 + 13], compensates ? -2.f : -1.f);
        Mat4 bind;
        for (int i = 0; i < 16; ++i) bind.m[static_cast<std::size_t>(i)] = inverse[16 + static_cast<std::size_t>(i)];
        const Vec3 point = transformPoint(restMatrices(opened->scene)[3], transformPoint(bind, {1, 2, 3}));
        EXPECT_NEAR(point.x, 1, 1e-6);
        EXPECT_NEAR(point.y, 2, 1e-6);
    }
}

TEST(CastScene, ReportsBonesOfZeroScale) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        cast.begin("skel").begin("bone").text("n", "a").vec3("lp", 0, 0, 0).vec4("lr", 0, 0, 0, 1).vec3("s", 0, 1, 1).end().end();
        addTriangle(cast.begin("mesh")).u8("mi", 1).integers("wb", {0, 0, 0}).end();
    }));
    expectFindings(*opened, {"warning SINGULAR_BIND Root[0]/Model[0]/Skeleton[0]/Bone[0]"});
}

TEST(CastScene, MeshesOfAModelShareASkin) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        cast.begin("skel");
        addBone(cast, "a", top);
        cast.begin("VEND").u16("h", 7).end().end();
        for (int i = 0; i < 2; ++i) addTriangle(cast.begin("mesh")).u8("mi", 1).integers("wb", {0, 0, 0}).end();
    }));
    expectFindings(*opened, {"info UNKNOWN_NODE Root[0]/Model[0]/Skeleton[0]/Unknown[1]"});
    EXPECT_EQ(opened->scene.skins.size(), 1u);
    EXPECT_EQ(opened->scene.renderers.at(1).skin, 0u);
    EXPECT_EQ(opened->scene.skins[0].joints.count, 1u);
}

TEST(CastScene, UsesOneSkeletonPerModel) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        for (const char* name : {"first", "second"}) {
            cast.begin("skel");
            addBone(cast, name, top);
            cast.end();
        }
    }));
    expectFindings(*opened, {"warning SKELETON_DUPLICATE Root[0]/Model[0]/Skeleton[1]"});
    EXPECT_EQ(opened->scene.nodes.size(), 3u);
}

TEST(CastScene, ReportsOnlyConstraintsThatCannotBeSolved) {
    const auto opened = skeleton([](CastBuilder& cast) {
        const std::uint64_t a = addBone(cast, "a", top), b = addBone(cast, "b", 0), t = addBone(cast, "t", top);
        cast.begin("ikhd").link("sb", a).link("eb", b).end();
        cast.begin("ikhd").link("sb", b).link("eb", a).link("tb", t).end();
        cast.begin("ikhd").link("sb", a).link("eb", t).link("tb", t).end();
        cast.begin("cnst").text("ct", "pt").link("cb", a).link("tb", t).end();
        cast.begin("cnst").text("ct", "pt").link("cb", a).end();
    });
    Vector<std::string> unsolved;
    for (const std::string& each : findingsOf(*opened))
        if (each.find("NOT_SOLVED") != std::string::npos) unsolved.push_back(each);
    const std::string at = "warning NOT_SOLVED Root[0]/Model[0]/Skeleton[0]";
    EXPECT_EQ(unsolved, (Vector<std::string>{at + "/IKHandle[4]", at + "/IKHandle[5]", at + "/Constraint[7]"}));
}

TEST(CastScene, HandlesAndConstraintsReferToTheirBones) {
    const auto opened = skeleton([](CastBuilder& cast) {
        const std::uint64_t b = addBone(cast, "b", 1, 0, 1, 0), a = addBone(cast, "a", top), t = addBone(cast, "t", top);
        cast.begin("ikhd").text("n", "arm").link("sb", a).link("eb", b).link("tb", t).u8("tr", 1).end();
        cast.begin("cnst").text("ct", "or").link("cb", b).link("tb", t).u8("sy", 1).f32("wt", 0.5f).end();
        cast.begin("cnst").text("ct", "xx").link("cb", 77).link("tb", t).end();
    });
    const std::string at = "Root[0]/Model[0]/Skeleton[0]";
    expectFindings(*opened, {"info BONE_ORDER " + at + "/Bone[0]", "warning LINK_UNRESOLVED " + at + "/Constraint[5].cb",
                             "warning VALUE_UNKNOWN " + at + "/Constraint[5].ct", "warning NOT_SOLVED " + at + "/Constraint[5]"});
    ASSERT_EQ(opened->scene.features.size(), 3u);
    const Feature& handle = opened->scene.features[0];
    EXPECT_EQ(handle.kind, "ik");
    EXPECT_EQ(opened->scene.strings[opened->scene.nodes[handle.node].name], "b");
    const Value properties(handle.properties);
    for (const auto& [property, bone] : {std::pair{"startBone", "a"}, {"endBone", "b"}, {"targetBone", "t"}}) {
        const Value* entry = properties.find(property);
        ASSERT_TRUE(entry);
        EXPECT_EQ(entry->find("name")->asString(""), bone);
        EXPECT_EQ(opened->scene.strings[opened->scene.nodes[static_cast<std::size_t>(entry->find("node")->asNumber(0))].name], bone);
    }
    EXPECT_TRUE(properties.find("targetRotation")->asBool(false));
    const Value constraint(opened->scene.features[1].properties);
    EXPECT_EQ(constraint.find("type")->asString(""), "rotation");
    EXPECT_EQ(constraint.find("weight")->asNumber(0), 0.5);
}

TEST(CastScene, ResolvesLinksAmongSiblingsOnly) {
    CastBuilder cast;
    cast.begin("root").begin("modl");
    for (int i = 0; i < 2; ++i) cast.begin(castIds::material, 0).text("n", i ? "second" : "first").text("t", "pbr").end();
    addTriangle(cast.begin("mesh")).link("m", 0).end();
    cast.end().begin("modl");
    addTriangle(cast.begin("mesh")).link("m", 0).end();
    cast.end().end();
    const auto opened = openCast(cast.finish());
    expectFindings(*opened, {"warning LINK_AMBIGUOUS Root[0]/Model[0]/Mesh[2].m", "warning LINK_UNRESOLVED Root[0]/Model[1]/Mesh[0].m"});
    EXPECT_EQ(opened->scene.meshes[0].groups[0].material, 0u);
    EXPECT_EQ(opened->scene.meshes[1].groups[0].material, none);
}

// ---------------------------------------------------------------- materials

/// A material slot, with an image path or, if the path is empty, a colour.
struct Slot {
    const char* name;
    const char* path;
    float color[4] = {1, 1, 1, 1};
    const char* space = "";
};

std::unique_ptr<Opened> material(std::initializer_list<Slot> slots) {
    return openCast(modelFile([&](CastBuilder& cast) {
        cast.begin("matl").text("n", "skin").text("t", "pbr");
        Vector<std::uint64_t> hashes;
        for (const Slot& slot : slots) {
            hashes.push_back(cast.reserveHash());
            cast.link(slot.name, hashes.back());
        }
        std::size_t i = 0;
        for (const Slot& slot : slots) {
            if (*slot.path) {
                cast.begin(castIds::file, hashes[i++]).text("p", slot.path).end();
            } else {
                cast.begin(castIds::color, hashes[i++]).vec4("rgba", slot.color[0], slot.color[1], slot.color[2], slot.color[3]);
                if (*slot.space) cast.text("cs", slot.space);
                cast.end();
            }
        }
        cast.end();
    }));
}

TEST(CastScene, ReadsTheMetallicWorkflow) {
    const auto opened = material(
        {{"albedo", "_images\\skin\\a.png"}, {"diffuse", "d.png"}, {"metal", "m.png"}, {"specular", "s.png"}, {"extra0", "x.png"}});
    expectFindings(*opened, {});
    const Material& made = opened->scene.materials.at(0);
    EXPECT_EQ(made.model, "standard");
    EXPECT_EQ(made.metalness, 1);
    Vector<std::string> slots;
    for (const MaterialSlot& slot : made.slots) slots.push_back(slot.slot + "=" + slot.source);
    EXPECT_EQ(slots, (Vector<std::string>{"baseColor=albedo", "diffuse=diffuse", "metallic=metal", "specular=specular", "extra0=extra0"}));
    const Texture& base = opened->scene.textures[made.slots[0].texture];
    EXPECT_TRUE(base.srgb);
    EXPECT_EQ(opened->scene.images[base.image].path, "_images/skin/a.png");
    EXPECT_EQ(base.properties.at(0).value.asString(""), "_images\\skin\\a.png");
    EXPECT_FALSE(opened->scene.textures[made.slots[3].texture].srgb);
    ASSERT_EQ(opened->scene.references.size(), 5u);
    EXPECT_EQ(opened->scene.references[0].kind, "texture");
    EXPECT_EQ(opened->scene.references[0].name, "_images\\skin\\a.png");
}

TEST(CastScene, ReadsTheSpecularWorkflow) {
    const auto opened = material({{"specular", "s.png"}, {"gloss", "", {0.25f, 0.25f, 0.25f, 1}, "linear"}});
    const Material& made = opened->scene.materials.at(0);
    EXPECT_EQ(made.model, "specular");
    EXPECT_EQ(made.slots[0].slot, "specularColor");
    EXPECT_TRUE(opened->scene.textures[made.slots[0].texture].srgb);
    EXPECT_EQ(made.roughness, 0.75f);
    EXPECT_EQ(made.metalness, 0);
}

TEST(CastScene, FactorsWithTexturesAreOne) {
    const auto opened = material({{"metal", "m.png"}, {"gloss", "g.png"}, {"emissive", "e.png"}});
    EXPECT_EQ(opened->scene.materials.at(0).roughness, 1);
    EXPECT_EQ(opened->scene.materials.at(0).emissive[1], 1);
    EXPECT_EQ(material({{"roughness", "r.png"}})->scene.materials.at(0).roughness, 1);
    EXPECT_EQ(material({{"roughness", "", {0.5f, 0, 0, 1}, "linear"}, {"gloss", "g.png"}})->scene.materials.at(0).roughness, 0.5f);
}

TEST(CastScene, ColourThatOverflowsBecomesBlack) {
    const auto opened = material({{"albedo", "", {3e38f, 0, 0, 1}}});
    EXPECT_EQ(opened->scene.materials.at(0).color[0], 0);
}

TEST(CastScene, ReadsTexturesStoredAsMaterials) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        const std::uint64_t image = cast.reserveHash();
        cast.begin("matl").text("n", "skin").text("t", "pbr").link("albedo", image);
        cast.begin(castIds::material, image).text("p", "skin.png").end().end();
        cast.begin("matl").text("n", "plain").text("t", "pbr").begin("matl").text("n", "lost").text("t", "pbr").end().end();
    }));
    expectFindings(*opened,
                   {"warning NODE_PLACE Root[0]/Model[0]/Material[1]/Material[0]", "info LEGACY_FORM Root[0]/Model[0]/Material[0]"});
    const Material& made = opened->scene.materials.at(0);
    EXPECT_EQ(opened->scene.images[opened->scene.textures[made.slots.at(0).texture].image].path, "skin.png");
}

TEST(CastScene, ConvertsColoursToLinear) {
    const auto opened = material({{"albedo", "", {0.5f, 0.04f, 1, 0.5f}}, {"emissive", "", {0.5f, 0, 0, 1}, "linear"}});
    expectFindings(*opened, {});
    const Material& made = opened->scene.materials.at(0);
    EXPECT_NEAR(made.color[0], 0.2140411, 1e-6);
    EXPECT_NEAR(made.color[1], 0.04 / 12.92, 1e-7);
    EXPECT_EQ(made.color[3], 0.5f);
    EXPECT_EQ(made.emissive[0], 0.5f);
    EXPECT_TRUE(material({{"albedo", "", {1, 1, 1, 1}, "aces"}})->has(Code::VALUE_UNKNOWN));
}

TEST(CastScene, KeepsNamesOfColours) {
    const auto opened = openCast(modelFile([](CastBuilder& cast) {
        const std::uint64_t color = cast.reserveHash();
        cast.begin("matl").text("n", "paint").text("t", "pbr").link("albedo", color);
        cast.begin(castIds::color, color).text("n", "rust").text("cs", "linear").vec4("rgba", 1, 0, 0, 1).end().end();
    }));
    expectFindings(*opened, {});
    const Properties& properties = opened->scene.materials.at(0).properties;
    ASSERT_EQ(properties.size(), 1u);
    EXPECT_EQ(properties[0].name, "colorNames");
    const Value* name = properties[0].value.find("albedo");
    ASSERT_NE(name, nullptr);
    EXPECT_EQ(name->asString(""), "rust");
}

// ---------------------------------------------------------------- worlds

void addInstance(CastBuilder& cast, const char* name, const char* path, float x) {
    cast.begin("inst").text("n", name);
    const std::uint64_t file = cast.reserveHash();
    cast.link("rf", file).vec3("p", x, 0, 0).vec4("r", 0, 0, 0, 1).vec3("s", -1, 1, 1);
    cast.begin(castIds::file, file).text("p", path).end().end();
}

TEST(CastScene, InstancesBecomeOneSetPerFile) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        addInstance(cast, "one", "props\\crate.cast", 1);
        addInstance(cast, "two", "lamp.cast", 2);
        addInstance(cast, "three", "props\\crate.cast", 3);
        cast.begin("inst").text("n", "lost").vec3("p", 0, 0, 0).vec4("r", 0, 0, 0, 1).vec3("s", 1, 1, 1).end();
    }));
    expectFindings(*opened, {"warning INSTANCE_WITHOUT_FILE Root[0]/Instance[3]"});
    ASSERT_EQ(opened->scene.instances.size(), 2u);
    const InstanceSet& crates = opened->scene.instances[0];
    EXPECT_EQ(opened->scene.references[crates.reference].name, "props\\crate.cast");
    EXPECT_EQ(opened->scene.references[crates.reference].kind, "instance");
    EXPECT_EQ(list(*opened, crates.transforms), (Vector<float>{1, 0, 0, 0, 0, 0, 1, -1, 1, 1, 3, 0, 0, 0, 0, 0, 1, -1, 1, 1}));
    EXPECT_EQ(opened->scene.strings[list(*opened, crates.names)[1]], "three");
}

TEST(CastScene, ReadsInstancesOfTheDraft) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        cast.begin("inst");
        const std::uint64_t file = cast.reserveHash();
        cast.link("r", file).vec3("p", 0, 0, 0).vec3("s", 1, 1, 1).begin(castIds::file, file).text("p", "dir/a.b.cast").end().end();
    }));
    expectFindings(*opened, {"info LEGACY_FORM Root[0]/Instance[0].r"});
    EXPECT_EQ(opened->scene.strings[list(*opened, opened->scene.instances.at(0).names)[0]], "a.b");
}

}  // namespace
}  // namespace rigcast::test
