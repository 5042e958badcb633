// Tests formatOptions.unreal, and each kind of line in `.config` files and class scripts.
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "formats/unreal/config.hpp"
#include "formats/unreal/options.hpp"
#include "formats/unreal/script.hpp"
#include "support/open.hpp"
#include "support/unreal.hpp"

namespace rigcast {
namespace {

using namespace unreal;

Bytes bytesOf(std::string_view text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

// ------------------------------------------------------------------------------------------------ options

/// Options as JSON, and the option that is rejected (empty if none is).
struct Given {
    const char* json;
    const char* refused;
};

TEST(UnrealOptions, ChecksRangesAndNames) {
    constexpr Given table[] = {
        {"{}", ""},
        {R"({"unreal":null})", ""},
        {R"({"unreal":{}})", ""},
        {R"({"unreal":{"yaw":null,"tracks":null}})", ""},
        {R"({"unreal":[1]})", "formatOptions.unreal"},
        {R"({"unreal":{"unitScale":1}})", ""},
        {R"({"unreal":{"unitScale":0}})", "formatOptions.unreal.unitScale"},
        {R"({"unreal":{"unitScale":-1}})", "formatOptions.unreal.unitScale"},
        {R"({"unreal":{"unitScale":1e10}})", "formatOptions.unreal.unitScale"},
        {R"({"unreal":{"unitScale":"1"}})", "formatOptions.unreal.unitScale"},
        {R"({"unreal":{"conjugateRoot":true}})", ""},
        {R"({"unreal":{"conjugateRoot":1}})", "formatOptions.unreal.conjugateRoot"},
        {R"({"unreal":{"colorOrder":"auto"}})", ""},
        {R"({"unreal":{"colorOrder":"rgba"}})", ""},
        {R"({"unreal":{"colorOrder":"bgra"}})", ""},
        {R"({"unreal":{"colorOrder":"argb"}})", "formatOptions.unreal.colorOrder"},
        {R"({"unreal":{"colorOrder":2}})", "formatOptions.unreal.colorOrder"},
        {R"({"unreal":{"upAxis":"y"}})", ""},
        {R"({"unreal":{"upAxis":"z"}})", ""},
        {R"({"unreal":{"upAxis":"x"}})", "formatOptions.unreal.upAxis"},
        {R"({"unreal":{"upAxis":1}})", "formatOptions.unreal.upAxis"},
        {R"({"unreal":{"yaw":-90}})", ""},
        {R"({"unreal":{"yaw":1e7}})", "formatOptions.unreal.yaw"},
        {R"({"unreal":{"yaw":"east"}})", "formatOptions.unreal.yaw"},
        {R"({"unreal":{"tracks":"file"}})", ""},
        {R"({"unreal":{"tracks":"rotation-only"}})", ""},
        {R"({"unreal":{"tracks":"everything"}})", ""},
        {R"({"unreal":{"tracks":"nothing"}})", "formatOptions.unreal.tracks"},
        {R"({"unreal":{"tracks":true}})", "formatOptions.unreal.tracks"},
        {R"({"unreal":{"size":1}})", "formatOptions.unreal.size"},
    };
    for (const auto& [json, refused] : table) {
        SCOPED_TRACE(json);
        const Value options = parseJson(json);
        Diagnostics diagnostics;
        readOptions({.bytes = {}, .name = "", .options = &options, .supplied = {}}, diagnostics);
        ASSERT_EQ(diagnostics.findings().size(), *refused ? 1u : 0u);
        if (!*refused) continue;
        EXPECT_EQ(diagnostics.findings()[0].code, Code::BAD_OPTION);
        EXPECT_EQ(diagnostics.findings()[0].path, refused);
    }
}

TEST(UnrealOptions, ChangeTheScene) {
    const auto read = [](const char* json) {
        const Value options = parseJson(json);
        Diagnostics diagnostics;
        return readOptions({.bytes = {}, .name = "", .options = &options, .supplied = {}}, diagnostics);
    };
    const Options all =
        read(R"({"unreal":{"unitScale":2,"conjugateRoot":true,"colorOrder":"bgra","upAxis":"y","yaw":45,"tracks":"everything"}})");
    EXPECT_EQ(all.unitScale, 2);
    EXPECT_TRUE(all.conjugateRoot && all.yUp);
    EXPECT_EQ(all.colorOrder, ColorOrder::bgra);
    EXPECT_EQ(all.yaw, 45);
    EXPECT_EQ(all.tracks, PlayedTracks::everything);
    EXPECT_EQ(read(R"({"unreal":{"colorOrder":"auto"}})").colorOrder, ColorOrder::detect);
    EXPECT_EQ(read(R"({"unreal":{"colorOrder":"rgba"}})").colorOrder, ColorOrder::rgba);
    EXPECT_EQ(read(R"({"unreal":{"tracks":"rotation-only"}})").tracks, PlayedTracks::rotationOnly);
    EXPECT_EQ(read(R"({"unreal":{"tracks":"file"}})").tracks, PlayedTracks::file);
    EXPECT_FALSE(read(R"({"unreal":{"upAxis":"z"}})").yUp);
}

// ------------------------------------------------------------------------------------------------ .config

/// A .config file, the first line that is not recognized, the number of other lines that are not
/// recognized, and the parts that are removed from the two tracks of "walk" (t: translation, r:
/// rotation).
struct Text {
    std::string text;
    std::string refused, removed;
};

TEST(UnrealConfig, IsReadLineByLine) {
    const Text table[] = {
        {"", "", ",,"},
        {"a note before all\n\n  \n", "1 and 0", ",,"},
        {"\xEF\xBB\xBF[AnimSet]\nbAnimRotationOnly=1", "", ",t,"},
        {"[ANIMSET]\r\n bAnimRotationOnly = TRUE \r\n", "", ",t,"},
        {"[AnimSet]\nbAnimRotationOnly=0", "", ",,"},
        {"[AnimSet]\nbAnimRotationOnly=false", "", ",,"},
        {"[AnimSet]\nbAnimRotationOnly=maybe", "2 and 0", ",,"},
        {"[AnimSet]\nbAnimRotationOnly\nbOther=1", "2 and 1", ",,"},
        {"[AnimSet]\nbAnimRotationOnly=1\n[UseTranslationBoneNames]\nHand", "", ",,"},
        {"[ForceMeshTranslationBoneNames]\nhand\nr\xF6tula", "", ",t,"},
        {"[RemoveTracks]\nwalk.1=trans\nWALK.0=rot", "", "r,t,"},
        {"[RemoveTracks]\nwalk.1=all\nrun.0=all\nwalk.7=all", "", ",tr,"},
        {"[RemoveTracks]\nwalk.1\nwalk=all\nwalk.x=all\nwalk.1x=all\nwalk.1=scale\nwalk.-1=all", "2 and 5", ",,"},
        {"[Elsewhere]\nwhat it says is not said twice", "1 and 0", ",,"},
        {"[AnimSet\nbAnimRotationOnly=1", "1 and 1", ",,"},
    };
    for (const Text& each : table) {
        SCOPED_TRACE(each.text);
        Diagnostics diagnostics;
        const test::ExactBytes exact(bytesOf(each.text));
        const Config config = parseConfig(exact.bytes(), diagnostics);
        std::string refused, removed;
        for (const Finding& finding : diagnostics.findings()) {
            EXPECT_EQ(finding.code, Code::CONFIG_LINE);
            refused += finding.detail.substr(5, finding.detail.find(':') - 5) + " and " + std::to_string(finding.count - 1);
        }
        auto removals = config.commonRemovals({"root", "hand"});
        config.addRemovals("Walk", removals);
        for (const Removal& removal : removals)
            removed += std::string(removal.translation ? "t" : "") + (removal.rotation ? "r" : "") + ",";
        EXPECT_EQ(refused, each.refused);
        EXPECT_EQ(removed, each.removed);
    }
}

// ------------------------------------------------------------------------------------------------ class scripts

TEST(UnrealScript, ReadsQuotesSpacesAndWindows1252) {
    const Script script = parseScript(bytesOf("#exec\tTexture Import\tFile=\"T\xF6ne.png\"\r\tName=a Flags=-3\r\n"
                                              "#exec MeshMap SetTexture MeshMap=m Num=1.5 Texture=\"\"\n"
                                              "#exec MeshMap SetTexture MeshMap=m Num=1.5 Texture=a\n"
                                              "#exec MeshMap Scale MeshMap=m X=1 Y=0 Z=1\n#exec Mesh Scale Mesh=m X=1 Y=1 Z=1.2.3\n"
                                              "#exec Mesh Origin Mesh=m X=-1.25 Y=1/2 Z=\n"),
                                      "M");
    ASSERT_EQ(script.files.size(), 1u);
    EXPECT_EQ(script.files[0].file, "T\xC3\xB6ne.png");
    EXPECT_EQ(script.files[0].flags, 0u);
    ASSERT_EQ(script.skins.size(), 1u);
    EXPECT_EQ(script.skins[0].material, 1u);
    EXPECT_EQ(script.scale.y, 1);
    EXPECT_EQ(script.origin.x, -1.25);
    EXPECT_EQ(script.origin.y, 0);
}

TEST(UnrealScript, KeepsSettingsOfTheModelAndIgnoresMissingImports) {
    const std::string_view script =
        "#exec Texture Import Name=twice File=first.pcx\n#exec Texture Import Name=TWICE File=second.pcx\n#exec Texture Import Name=bare\n"
        "#exec MeshMap SetTexture MeshMap=skArmMesh Num=0 Texture=twice\n"
        "#exec MeshMap SetTexture MeshMap=skArmMesh Num=0 Texture=bare\n"
        "#exec MeshMap SetTexture MeshMap=skArmMesh Num=1 Texture=elsewhere\n";
    const auto opened = test::readBytes(
        "psk", unreal::write(test::plainArmDocument()),
        {.name = "skArmMesh.psk", .options = R"({"unreal":{"upAxis":"y"}})", .supplied = {{"script", "skArm.uc", bytesOf(script)}}});
    ASSERT_EQ(opened->scene.images.size(), 2u);
    EXPECT_EQ(opened->scene.images[0].path, "first.pcx");
    EXPECT_EQ(opened->scene.images[1].path, "elsewhere");
    EXPECT_EQ(opened->scene.materials[0].slots.size(), 1u);
    EXPECT_TRUE(opened->scene.asset.properties.empty());
}

}  // namespace
}  // namespace rigcast
