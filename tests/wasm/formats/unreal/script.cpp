// Tests applying class scripts to the mesh with the same name.
#include "formats/unreal/script.hpp"

#include <gtest/gtest.h>

#include "support/open.hpp"
#include "support/unreal.hpp"
#include "support/writers/unreal.hpp"

namespace rigcast {
namespace {

using unreal::parseScript;
using unreal::Script;

Bytes bytesOf(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

constexpr std::string_view classScript = R"(class skArm expands Actor;
#exec Mesh ModelImport Mesh=skArmMesh ModelFile=Models\skArmMesh.psk LODStyle=10
#exec Mesh Origin Mesh=SKARMMESH X=10 Y=-20 Z=0.5 Yaw=64 Pitch=0 Roll=0
#EXEC MESHMAP SCALE MESHMAP=skArmMesh X=2.0 Y=2.0 Z=2.0
#exec Mesh DefaultAnim Mesh=skArmMesh Anim=skArmAnims
#exec Texture Import File=Textures\Arm0.png Name=ArmTex0 Mips=1 Flags=2 Group=Skins
#exec Texture Import File="Textures\Arm 1.png" Name=ArmTex1 Flags=4
#exec MeshMap SetTexture MeshMap=skArmMesh Num=0 Texture=armtex0
#exec MeshMap SetTexture MeshMap=skArmMesh Num=1 Texture=ArmTex1
#exec MeshMap SetTexture MeshMap=skArmMesh Num=9 Texture=ArmTex1
#exec MeshMap SetTexture MeshMap=skOther Num=1 Texture=ArmTex0
)";

std::unique_ptr<test::Opened> openArm(std::string_view script, std::string_view supplied = "skArm.uc", std::string options = {}) {
    const Vector<std::uint8_t> file = unreal::write(test::plainArmDocument());
    return test::readBytes(
        "psk", file,
        {.name = "skArmMesh.psk", .options = std::move(options), .supplied = {{"script", std::string(supplied), bytesOf(script)}}});
}

TEST(UnrealScript, IsRequestedByTheNameOfTheMesh) {
    const auto opened = test::readBytes("psk", unreal::write(test::plainArmDocument()), {.name = "skArmMesh.psk"});
    ASSERT_EQ(opened->scene.references.size(), 3u);
    EXPECT_EQ(opened->scene.references[0].name, "skArmMesh.props.txt");
    EXPECT_EQ(opened->scene.references[1].name, "skArmMesh.uc");
    EXPECT_EQ(opened->scene.references[2].name, "skArm.uc");
    for (const Reference& reference : opened->scene.references) {
        EXPECT_EQ(reference.kind, reference.name.ends_with(".uc") ? "script" : "props");
        EXPECT_FALSE(reference.required || reference.supplied);
    }
    EXPECT_FALSE(opened->has(Code::SCRIPT_APPLIED));
}

TEST(UnrealScript, AppliesTexturesAndMasks) {
    const auto opened = openArm(classScript);
    const Scene& scene = opened->scene;
    EXPECT_TRUE(opened->has(Code::SCRIPT_APPLIED));
    EXPECT_TRUE(scene.references.at(2).supplied);
    ASSERT_EQ(scene.images.size(), 2u);
    EXPECT_EQ(scene.images[0].path, "Textures\\Arm0.png");
    EXPECT_EQ(scene.images[1].path, "Textures\\Arm 1.png");
    ASSERT_EQ(scene.materials.at(0).slots.size(), 1u);
    EXPECT_EQ(scene.materials[0].slots[0].slot, "baseColor");
    EXPECT_TRUE(scene.textures.at(scene.materials[0].slots[0].texture).srgb);
    EXPECT_EQ(scene.materials[0].alphaMode, AlphaMode::mask);
    EXPECT_EQ(scene.materials[1].alphaMode, AlphaMode::add);
    EXPECT_EQ(scene.materials[1].model, "unlit");
    ASSERT_EQ(scene.asset.properties.size(), 1u);
    EXPECT_EQ(scene.asset.properties[0].name, "animationSet");
}

TEST(UnrealScript, RotatesMovesAndScalesTheModel) {
    const auto opened = openArm(classScript);
    const Transform& root = opened->scene.nodes[0].local;
    // The script rotates the model by 90 degrees and moves its origin to the origin of the scene.
    EXPECT_NEAR(root.scale.x, 2, 1e-9);
    EXPECT_NEAR(std::abs(root.rotation.w), std::sqrt(0.5), 1e-9);
    EXPECT_NEAR(std::abs(root.rotation.y), std::sqrt(0.5), 1e-9);
    const Vec3 origin = transformPoint(compose(root), {0.1, 0.005, -0.2});  // (10, -20, 0.5) in Unreal's left-handed space, in metres
    EXPECT_NEAR(length(origin), 0, 1e-9);
    const auto turned = openArm(classScript, "skArm.uc", R"({"unreal":{"yaw":90}})");  // an option overrides the rotation of the script
    EXPECT_NEAR(std::abs(turned->scene.nodes[0].local.rotation.w), std::sqrt(0.5), 1e-9);
}

TEST(UnrealScript, IgnoresTheScriptOfAnotherMesh) {
    const auto opened = openArm("#exec Mesh Origin Mesh=skLegMesh Yaw=64\n#exec MeshMap SetTexture MeshMap=skLegMesh Num=0 Texture=a\n");
    EXPECT_FALSE(opened->has(Code::SCRIPT_APPLIED));
    EXPECT_TRUE(opened->scene.images.empty());
    EXPECT_EQ(opened->scene.nodes[0].local.rotation.w, 1);
}

TEST(UnrealScript, ReadsScriptsOfUeViewer) {
    const Script script = parseScript(bytesOf("class Shrek extends Actor;\r\n\r\n#exec MESH MODELIMPORT MESH=Shrek MODELFILE=Shrek.psk\r\n"
                                              "#exec MESH ORIGIN      MESH=Shrek X=0 Y=0 Z=-1.5 YAW=-64 PITCH=0 ROLL=64\r\n"
                                              "#exec MESH SCALE       MESH=Shrek X=0.5 Y=0.5 Z=0.5\r\n"),
                                      "shrek");
    EXPECT_TRUE(script.namesMesh);
    EXPECT_EQ(script.rotation.y, -90);
    EXPECT_EQ(script.rotation.z, 90);
    EXPECT_EQ(script.origin.z, -1.5);
    EXPECT_EQ(script.scale.x, 0.5);
}

constexpr std::string_view sockets =
    "#exec MESH ORIGIN      MESH=skArmMesh X=-0 Y=0 Z=0 YAW=0 PITCH=0 ROLL=0\n// rotator: P=0 Y=0 R=0\n"
    "#exec MESH SCALE       MESH=skArmMesh X=1 Y=1 Z=1\n\n"
    "#exec MESH ATTACHNAME  MESH=skArmMesh BONE=\"upper\" TAG=\"Hat Socket\" YAW=64 PITCH=246 ROLL=0 X=10 Y=20 Z=-4.37114e-07\n"
    "// rotator: P=63038 Y=16384 R=0\n"
    "#exec MESH ATTACHNAME  MESH=skArmMesh BONE=\"Tail\" TAG=\"Lost\" YAW=0 PITCH=0.34 ROLL=-64 X=1 Y=wide Z=3\n"
    "// rotator: P=1000 Y=2000 R=3000\n"
    "#exec MESH ATTACHNAME  MESH=skLegMesh BONE=\"Upper\" TAG=\"Foot\" X=1 Y=2 Z=3\n"
    "#exec MESH ATTACHNAME  MESH=skArmMesh BONE=\"Upper\" X=1 Y=2 Z=3\n";

TEST(UnrealScript, AttachesSocketsToBones) {
    const auto opened = openArm(sockets);
    const Scene& scene = opened->scene;
    ASSERT_EQ(scene.features.size(), 2u);
    EXPECT_EQ(scene.features[0].kind, "socket");
    EXPECT_EQ(scene.features[0].name, "Hat Socket");
    const Node& hat = scene.nodes.at(scene.features[0].node);
    EXPECT_EQ(scene.strings[hat.name], "Hat Socket");
    EXPECT_EQ(scene.strings[scene.nodes.at(hat.parent).name], "Upper");
    EXPECT_NEAR(length(hat.local.translation - Vec3{0.1, 0, 0.2}), 0, 1e-8);  // y in Unreal is -y in the file and z in the scene
    EXPECT_EQ(hat.local.scale.x, 1);
    const Node& lost = scene.nodes.at(scene.features[1].node);
    EXPECT_EQ(lost.parent, 0u);
    EXPECT_NEAR(length(lost.local.translation - Vec3{0.01, 0.03, 0}), 0, 1e-8);  // an invalid number is treated as 0
    EXPECT_TRUE(opened->has(Code::SOCKET_BONE_MISSING));
    ASSERT_TRUE(opened->has(Code::NON_FINITE));
    EXPECT_EQ(opened->finding(Code::NON_FINITE)->detail, "Lost");
    EXPECT_EQ(opened->finding(Code::NON_FINITE)->path, "skArm.uc");
}

TEST(UnrealScript, UsesExactAnglesOfAMatchingComment) {
    const Script script = parseScript(bytesOf(sockets), "skArmMesh");
    ASSERT_EQ(script.sockets.size(), 2u);
    EXPECT_NEAR(script.sockets[0].rotation.x, 63038 * 360.0 / 65536, 1e-9);
    EXPECT_NEAR(script.sockets[0].rotation.y, 90, 1e-9);
    EXPECT_NEAR(script.sockets[1].rotation.x, 0.34 * 360 / 256, 1e-9);  // the comment does not match the command
    EXPECT_NEAR(script.sockets[1].rotation.z, -90, 1e-9);
    const auto turned = [](std::string_view comment) {
        return parseScript(bytesOf("#exec MESH ORIGIN MESH=a YAW=-1\n" + std::string(comment)), "a").rotation.y;
    };
    EXPECT_NEAR(turned("// rotator: P=0 Y=-100 R=0"), -100 * 360.0 / 65536, 1e-9);
    EXPECT_NEAR(turned("// rotator: P=0 Y=-257 R=0"), -360.0 / 256, 1e-9);
    EXPECT_NEAR(turned("\n// rotator: P=0 Y=-100 R=0"), -360.0 / 256, 1e-9);  // a comment in the next line is ignored
}

TEST(UnrealScript, ReportsOnlyItsChanges) {
    const auto changesOf = [](std::string_view script) {
        const auto opened = openArm(script);
        const Finding* finding = opened->finding(Code::SCRIPT_APPLIED);
        return finding ? finding->detail : std::string();
    };
    EXPECT_EQ(changesOf(classScript), "origin, rotation, scale, animation set, 2 textures");
    EXPECT_EQ(changesOf(sockets), "2 sockets");
    EXPECT_EQ(changesOf("#exec MESH ORIGIN MESH=skArmMesh X=0 Y=-0 Z=0\n#exec MESH SCALE MESH=skArmMesh X=1 Y=1 Z=1\n"), "");
    EXPECT_EQ(changesOf("#exec MESH ORIGIN MESH=skArmMesh X=0 Y=1 Z=0\n"), "origin");
    // The option yaw has priority over the rotation of the script.
    const auto yawed = openArm("#exec MESH ORIGIN MESH=skArmMesh Yaw=64\n", "skArm.uc", R"({"unreal":{"yaw":90}})");
    EXPECT_FALSE(yawed->has(Code::SCRIPT_APPLIED));
}

TEST(UnrealScript, SocketsOfTheMeshHavePriority) {
    unreal::PskDocument arm = test::plainArmDocument();
    arm.sockets.push_back({"Own", "Upper"});
    const auto opened =
        test::readBytes("psk", unreal::write(arm), {.name = "skArmMesh.psk", .supplied = {{"script", "skArm.uc", bytesOf(sockets)}}});
    ASSERT_EQ(opened->scene.features.size(), 1u);
    EXPECT_EQ(opened->scene.features[0].name, "Own");
    EXPECT_FALSE(opened->has(Code::SCRIPT_APPLIED));
}

TEST(UnrealScript, EveryPrefixIsRead) {
    for (std::size_t length = 0; length < classScript.size(); ++length) {
        const test::ExactBytes prefix(bytesOf(classScript.substr(0, length)));
        const Script script = parseScript(prefix.bytes(), "skArmMesh");
        EXPECT_LE(script.skins.size(), 3u);
    }
}

TEST(UnrealScript, IgnoresInvalidNumbers) {
    for (const std::string_view scale :
         {"X=0 Y=1 Z=1", "X=-1 Y=1 Z=1", "X=1e9 Y=1 Z=1", "X=99999999999999999999 Y=1 Z=1", "X=. Y=- Z=nan"}) {
        const std::string text = "#exec MESH SCALE MESH=a " + std::string(scale);
        const Script script = parseScript(bytesOf(text), "a");
        EXPECT_EQ(script.scale.x, 1) << scale;
    }
    for (const std::string_view text : {"#exec", "#exec ", "#exec MESH", "#exec MESH ORIGIN MESH=\"",
                                        "#exec MESHMAP SETTEXTURE MESHMAP=a NUM=-1 TEXTURE=b", "\n\n#exec = = ="})
        EXPECT_TRUE(parseScript(bytesOf(text), "a").skins.empty()) << text;
}

}  // namespace
}  // namespace rigcast
