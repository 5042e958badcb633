// Tests functions that use the list of formats. A new format needs only its own files and a line in
// this list.
#include <gtest/gtest.h>

#include <array>
#include <string>

#include "support/dots.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/writers/cast.hpp"

namespace rigcast::test {
namespace {

using namespace std::string_literals;

constexpr std::array<FormatEntry, 1> dotsAlone = {{{&dotsFormat, &dotsReader}}};

Bytes bytesOf(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

const std::string twoDots = "DOTS\2\0\0\0"s + "\0\0\x80\x3f\0\0\0\0\0\0\0\0"s + "\0\0\0\0\0\0\0\x40\0\0\0\0"s;

TEST(Registry, FormatNeedsOnlyAFolderAndALine) {
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;
    const Input input{bytesOf(twoDots), "two.dots", nullptr, {}};
    const OpenResult opened = openScene(input, "", scene, arena, diagnostics, dotsAlone);
    ASSERT_EQ(opened.format, &dotsFormat);
    ASSERT_TRUE(opened.hasScene);
    expectSound(scene, arena);
    ASSERT_EQ(scene.nodes.size(), 3u);
    EXPECT_EQ(scene.nodes[1].local.translation.x, 1);
    EXPECT_EQ(scene.nodes[2].local.translation.y, 2);
    EXPECT_EQ(scene.strings[scene.nodes[2].name], "dot 1");
    EXPECT_TRUE(diagnostics.findings().empty());
    const Value json = parseJson(describe(&scene, {}, arena, diagnostics, dotsFormat.id, opened.version));
    ASSERT_TRUE(json.find("scene"));
    EXPECT_EQ(json.find("format")->asString(""), "dots");

    Outline outline;
    EXPECT_EQ(openOutline(input, "", outline, diagnostics, dotsAlone).format, &dotsFormat);
    EXPECT_EQ(outline.size(), 1u);
    EXPECT_EQ(chooseFormat(bytesOf("no dots"), "two.dots", "", diagnostics, dotsAlone), nullptr);
    EXPECT_NE(diagnostics.findings().back().detail.find("supported formats: Dots"), std::string::npos);
}

TEST(Registry, ExtensionDecidesBetweenEqualMatches) {
    constexpr std::string_view endings[] = {"points"};
    const Format twin{"twin", "dots", "Points", "Points", endings, dotsFormat.sniff, dotsFormat.role};
    const std::array<FormatEntry, 2> both = {{{&dotsFormat, &dotsReader}, {&twin, &dotsReader}}};
    for (const auto& [name, chosen] : {std::pair{"a.dots", &dotsFormat}, {"a.POINTS", &twin}, {"a", &dotsFormat}, {"a.psk", &dotsFormat}}) {
        Diagnostics diagnostics;
        EXPECT_EQ(chooseFormat(bytesOf(twoDots), name, "", diagnostics, both)->format, chosen) << name;
    }
    const std::array<FormatEntry, 2> turned = {both[1], both[0]};
    Diagnostics diagnostics;
    EXPECT_EQ(chooseFormat(bytesOf(twoDots), "a.points", "", diagnostics, turned)->format, &twin);
    EXPECT_EQ(chooseFormat(bytesOf(twoDots), "a.dots", "twin", diagnostics, turned)->format, &twin);
}

TEST(Registry, ComputesMissingTangentsOnRequest) {
    const auto file = readFile(dataFolder() / "unreal" / "arm.psk");
    ASSERT_TRUE(file);
    EXPECT_FALSE(readBytes("", *file)->scene.meshes.at(0).tangents.present());
    EXPECT_TRUE(readBytes("", *file, {.tangents = true})->scene.meshes.at(0).tangents.present());
}

/// Returns "format role" for a file. Supplies pieces of 64 bytes until no more are wanted.
std::string probed(Bytes file, std::string_view name = "") {
    Vector<Pieces::Piece> list = {{0, file.first(std::min<std::size_t>(file.size(), 64))}};
    for (;;) {
        Pieces pieces(list);
        const auto [format, role] = probe(pieces, file.size(), name);
        if (pieces.wanted == 0 || pieces.wanted >= file.size())
            return std::string(format ? format->id : "-") + " " + std::string(nameOf(role));
        const Bytes rest = file.subspan(static_cast<std::size_t>(pieces.wanted));
        list.push_back({pieces.wanted, rest.first(std::min<std::size_t>(rest.size(), 64))});
    }
}

TEST(Registry, DeterminesTheRoleFromHeaders) {
    EXPECT_EQ(probed(bytesOf("ACTRHEAD")), "psk model");
    EXPECT_EQ(probed(bytesOf("ANIMHEAD")), "psa animation");
    EXPECT_EQ(probed(bytesOf("VGO\0\1\2\3\4"s)), "vgo model");
    EXPECT_EQ(probed(bytesOf("\xc6\x42\x9e\x0f\x6e\xaf\x8f\x6a"s)), "mrtk rig");
    EXPECT_EQ(probed(bytesOf("once upon a time")), "- unknown");
    const auto cast = [](const std::function<void(CastBuilder&)>& fill) {
        CastBuilder builder;
        builder.begin("root").begin("meta").text("a", std::string(500, 'x')).end();
        fill(builder);
        return builder.end().finish();
    };
    EXPECT_EQ(probed(cast([](CastBuilder& file) { file.begin("anim").f32("fr", 10).end(); })), "cast animation");
    EXPECT_EQ(probed(cast([](CastBuilder& file) { file.begin("anim").end().begin("modl").end(); })), "cast rig");
    EXPECT_EQ(probed(cast([](CastBuilder& file) { file.begin("modl").end().begin("inst").end(); })), "cast scene");
}

TEST(Registry, ExtensionDecidesIfTheContentMatchesNothing) {
    EXPECT_EQ(probed({}, "a.b/Hero.PSKX"), "psk model");
    EXPECT_EQ(probed({}, "run.psa"), "psa animation");
    EXPECT_EQ(probed({}, "some.cast"), "cast rig");
    EXPECT_EQ(probed({}, "hero.vgo"), "vgo model");
    EXPECT_EQ(probed({}, "buffer.bin"), "mrtk unknown");  // most files with this name have other formats
    EXPECT_EQ(probed({}, "hero.glb"), "- unknown");
    EXPECT_EQ(probed({}), "- unknown");
}

TEST(Registry, FormatsDeclareTheirCompanions) {
    for (const char* name : {"run.config", "HeroMesh.UC", "M_Hero.mat", "M_Hero.json", "M_Hero.props.txt", "hero.vgk"})
        EXPECT_EQ(probed(bytesOf("some text"), name), "- companion") << name;
    EXPECT_EQ(probed(bytesOf("ACTRHEAD"), "M_Hero.mat"), "- companion");  // by its name, whatever its content is
    EXPECT_EQ(probed(bytesOf("some text"), "hero.doc"), "- unknown");
}

}  // namespace
}  // namespace rigcast::test
