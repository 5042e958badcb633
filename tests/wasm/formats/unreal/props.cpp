// Tests reading sockets and rotation-only flags from the .props.txt files of UE Viewer.
#include "formats/unreal/props.hpp"

#include <gtest/gtest.h>

#include "support/open.hpp"
#include "support/unreal.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast {
namespace {

using unreal::parseProps;
using unreal::Props;

Bytes bytesOf(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

/// Older versions of UE Viewer write a struct on one line.
constexpr std::string_view inlined = R"(LODInfo[1] =
{
    LODInfo[0] =
    {
        DisplayFactor = 0
        BonesToRemove[0] = {}
        bEnableShadowCasting[2] = { true, true }
    }
}
Sockets[3] =
{
    Sockets[0] =
    {
        SocketName = Hat Socket
        BoneName = upper
        RelativeLocation = { X=10, Y=20, Z=30.5 }
        RelativeRotation = { Yaw=16384, Pitch=-2498, Roll=0 }
        RelativeScale = { X=1, Y=2, Z=3 }
    }
    Sockets[1] =
    {
        SocketName = Base
        BoneName = None
        RelativeLocation = { X=1e-3, Y=nan, Z=3 }
    }
    Sockets[2] =
    {
        BoneName = upper
    }
}
Materials[1] = { MaterialInstanceConstant'Arm.Tube' }
)";

/// Newer versions of UE Viewer write each member of a struct on its own line.
constexpr std::string_view blocks =
    "\xEF\xBB\xBFSockets[1] =\r\n{\r\n    Sockets[0] =\r\n    {\r\n        SocketName = Hat Socket\r\n        BoneName = upper\r\n"
    "        RelativeLocation =\r\n        {\r\n            X = 10\r\n            Y = 20\r\n            Z = 30.5\r\n        }\r\n"
    "        RelativeRotation =\r\n        {\r\n            Yaw = 16384\r\n            Pitch = -2498\r\n        }\r\n"
    "        RelativeScale =\r\n        {\r\n            X = 1\r\n            Y = 2\r\n            Z = 3\r\n        }\r\n"
    "    }\r\n}\r\n";

std::unique_ptr<test::Opened> openArm(Vector<Supplied> supplied) {
    return test::readBytes("psk", unreal::write(test::plainArmDocument()), {.name = "Arm.psk", .supplied = std::move(supplied)});
}

std::unique_ptr<test::Opened> openAnimations(Vector<Supplied> supplied, unreal::PsaDocument animations = test::armAnimations(),
                                             std::string options = {}) {
    return test::readBytes("psa", unreal::write(animations),
                           {.name = "Arm.psa", .options = std::move(options), .supplied = std::move(supplied)});
}

/// Returns the number of clips that animate the translation of a bone.
std::size_t translationsOf(const test::Opened& opened, std::string_view bone) {
    std::size_t count = 0;
    for (const Clip& clip : opened.scene.clips)
        for (const Track& track : clip.tracks) count += opened.scene.strings[track.target] == bone && track.path == Path::translation;
    return count;
}

TEST(UnrealProps, SocketsAreReadInBothLayouts) {
    for (const std::string_view text : {inlined, blocks}) {
        const Props props = parseProps(bytesOf(text));
        ASSERT_FALSE(props.sockets.empty());
        const unreal::Socket& hat = props.sockets[0];
        EXPECT_EQ(hat.name, "Hat Socket");
        EXPECT_EQ(hat.bone, "upper");
        EXPECT_EQ(hat.location.z, 30.5);
        EXPECT_EQ(hat.rotation.y, 90);
        EXPECT_NEAR(hat.rotation.x, -2498 * 360.0 / 65536, 1e-9);
        EXPECT_EQ(hat.scale.y, 2);
        EXPECT_EQ(hat.damaged, 0u);
    }
    const Props props = parseProps(bytesOf(inlined));
    ASSERT_EQ(props.sockets.size(), 2u);  // one socket has no name
    EXPECT_EQ(props.sockets[1].bone, "");
    EXPECT_EQ(props.sockets[1].location.x, 1e-3);
    EXPECT_EQ(props.sockets[1].damaged, 1u);
    EXPECT_TRUE(props.config.isEmpty());
}

TEST(UnrealProps, SocketsBecomeNodesBelowTheirBones) {
    const auto opened = openArm({{"props", "Arm.props.txt", bytesOf(inlined)}});
    const Scene& scene = opened->scene;
    ASSERT_EQ(scene.features.size(), 2u);
    const Node& hat = scene.nodes.at(scene.features[0].node);
    EXPECT_EQ(scene.strings[hat.name], "Hat Socket");
    EXPECT_EQ(scene.strings[scene.nodes.at(hat.parent).name], "Upper");
    EXPECT_NEAR(length(hat.local.translation - Vec3{0.1, 0.305, 0.2}), 0, 1e-9);
    EXPECT_NEAR(length(hat.local.scale - Vec3{1, 3, 2}), 0, 1e-9);
    EXPECT_EQ(scene.nodes.at(scene.features[1].node).parent, 0u);
    EXPECT_FALSE(opened->has(Code::SOCKET_BONE_MISSING));  // the sockets do not specify a bone
    ASSERT_TRUE(opened->has(Code::PROPS_APPLIED));
    EXPECT_EQ(opened->finding(Code::PROPS_APPLIED)->detail, "2 sockets");
    EXPECT_TRUE(opened->has(Code::NON_FINITE));
    EXPECT_TRUE(scene.references.at(0).supplied);
}

TEST(UnrealProps, SocketsHavePriorityOverThoseOfAScript) {
    constexpr std::string_view script = "#exec MESH ATTACHNAME MESH=Arm BONE=\"upper\" TAG=\"FromScript\" X=1 Y=2 Z=3\n";
    const auto both = openArm({{"script", "Arm.uc", bytesOf(script)}, {"props", "Arm.props.txt", bytesOf(blocks)}});
    ASSERT_EQ(both->scene.features.size(), 1u);
    EXPECT_EQ(both->scene.features[0].name, "Hat Socket");
    EXPECT_FALSE(both->has(Code::SCRIPT_APPLIED));
    const auto empty = openArm({{"script", "Arm.uc", bytesOf(script)}, {"props", "Arm.props.txt", bytesOf("Sockets[0] = {}\n")}});
    ASSERT_EQ(empty->scene.features.size(), 1u);
    EXPECT_EQ(empty->scene.features[0].name, "FromScript");
    EXPECT_FALSE(empty->has(Code::PROPS_APPLIED));
}

constexpr std::string_view rotationOnly =
    "bAnimRotationOnly = true\nUseTranslationBoneNames[1] = { Lower }\nForceMeshTranslationBoneNames[0] = {}\n";

TEST(UnrealProps, FlagsApplyIfTheConfigIsEmpty) {
    for (const std::string_view config : {"", "\r\n", "[AnimSet]\n", "[Unknown]\nx=1\n"}) {
        const auto opened = openAnimations({{"config", "Arm.config", bytesOf(config)}, {"props", "Arm.props.txt", bytesOf(rotationOnly)}});
        EXPECT_FALSE(opened->has(Code::CONFIG_APPLIED)) << config;
        ASSERT_TRUE(opened->has(Code::PROPS_APPLIED)) << config;
        EXPECT_EQ(opened->finding(Code::PROPS_APPLIED)->detail, "3 translations keep the pose of the model");
        EXPECT_EQ(translationsOf(*opened, "Root"), 3u);  // the first bone moves
        EXPECT_EQ(translationsOf(*opened, "Upper"), 0u);
        EXPECT_EQ(translationsOf(*opened, "Lower"), 3u);
    }
    constexpr std::string_view said = "[AnimSet]\nbAnimRotationOnly=0\n";
    const auto decided = openAnimations({{"config", "Arm.config", bytesOf(said)}, {"props", "Arm.props.txt", bytesOf(rotationOnly)}});
    EXPECT_TRUE(decided->has(Code::CONFIG_APPLIED));
    EXPECT_FALSE(decided->has(Code::PROPS_APPLIED));
    EXPECT_EQ(translationsOf(*decided, "Upper"), 3u);
    const auto everything =
        openAnimations({{"props", "Arm.props.txt", bytesOf(rotationOnly)}}, test::armAnimations(), R"({"unreal":{"tracks":"everything"}})");
    EXPECT_FALSE(everything->has(Code::PROPS_APPLIED));
    EXPECT_EQ(translationsOf(*everything, "Upper"), 3u);
}

TEST(UnrealProps, ReadsListsOfBonesOnSeparateLines) {
    const auto opened =
        openAnimations({{"props", "Arm.props.txt",
                         bytesOf("bAnimRotationOnly = false\nForceMeshTranslationBoneNames[2] =\n{\n"
                                 "    ForceMeshTranslationBoneNames[0] = LOWER\n    ForceMeshTranslationBoneNames[1] = root\n}\n")}});
    EXPECT_EQ(translationsOf(*opened, "Root"), 0u);
    EXPECT_EQ(translationsOf(*opened, "Upper"), 3u);
    EXPECT_EQ(translationsOf(*opened, "Lower"), 0u);
    EXPECT_EQ(opened->finding(Code::PROPS_APPLIED)->detail, "6 translations keep the pose of the model");
}

TEST(UnrealProps, AreNotReportedIfTheyChangeNothing) {
    EXPECT_FALSE(openAnimations({{"props", "Arm.props.txt", bytesOf("bAnimRotationOnly = false\n")}})->has(Code::PROPS_APPLIED));
    EXPECT_FALSE(openArm({{"props", "Arm.props.txt", bytesOf(rotationOnly)}})->has(Code::PROPS_APPLIED));  // meshes do not have these flags
}

TEST(UnrealProps, ContainNoRemovedTracks) {
    unreal::PsaDocument animations = test::manyAnimations(1, 8, 4);
    for (std::size_t frame = 0; frame < 4; ++frame) animations.keys[frame * 8 + 5] = {};
    constexpr std::string_view flags = "bAnimRotationOnly = false\n";
    EXPECT_TRUE(openAnimations({}, animations)->has(Code::LOOKS_STRIPPED));
    EXPECT_TRUE(openAnimations({{"props", "Arm.props.txt", bytesOf(flags)}}, animations)->has(Code::LOOKS_STRIPPED));
    EXPECT_TRUE(openAnimations({{"config", "Arm.config", {}}}, animations)->has(Code::LOOKS_STRIPPED));
    EXPECT_FALSE(
        openAnimations({{"config", "Arm.config", bytesOf("[AnimSet]\nbAnimRotationOnly=0\n")}}, animations)->has(Code::LOOKS_STRIPPED));
}

TEST(UnrealProps, ReadsOnlyTheSocketsOfTheMesh) {
    for (const std::string_view text :
         {"Other =\n{\nSockets[1] =\n{\nSockets[0] =\n{\nSocketName = a\n}\n}\n}\n", "Sockets[1] = { SocketName=a }\n",
          "Sockets[0] =\n{\nSocketName = a\n}\n", "}\n}\nSockets[1]\n{\n{\nSocketName = a\n"})
        EXPECT_TRUE(parseProps(bytesOf(text)).sockets.empty()) << text;
}

TEST(UnrealProps, EveryPrefixIsRead) {
    for (const std::string_view text : {inlined, blocks})
        for (std::size_t length = 0; length < text.size(); ++length) {
            const test::ExactBytes prefix(bytesOf(text.substr(0, length)));
            EXPECT_LE(parseProps(prefix.bytes()).sockets.size(), 2u);
        }
}

}  // namespace
}  // namespace rigcast
