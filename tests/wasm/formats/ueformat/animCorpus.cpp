// Compares the animations in the shared corpus with their expected values. The corpus is not part of
// the repository; without it, these tests are skipped.
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <algorithm>

#include "core/codeTexts.hpp"
#include "core/text.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/ueformat.hpp"
#include "wasm/formats/ueformat/sampled.hpp"

namespace rigcast::test {
namespace {

using Json = rapidjson::Value;

std::filesystem::path folder() { return corpusFolder() / "ueformat"; }

/// Returns the codes of the findings, each with its ids in the format reference.
std::string reportOf(const Opened& opened) {
    std::string text;
    for (const Finding& finding : opened.diagnostics.findings())
        text += std::string(infoOf(finding.code).name) + " " + std::string(codeTexts()[static_cast<std::size_t>(finding.code)].ids) + "\n";
    return text;
}

std::vector<double> numbersOf(const Json& list) {
    std::vector<double> numbers;
    for (const auto& number : list.GetArray()) numbers.push_back(number.GetDouble());
    return numbers;
}

/// Converts a value from the space of the engine to scene space.
std::vector<double> inScene(std::vector<double> v, Path path) {
    if (path == Path::rotation) return {-v[0], -v[2], -v[1], v[3]};
    const double unit = path == Path::translation ? 0.01 : 1;
    return {unit * v[0], unit * v[2], unit * v[1]};
}

/// Expects the last key at or before every frame.
void expectHeld(const Opened& opened, const Clip& clip, const Json& track, const char* channel, Path path) {
    const Track* found = findTrack(opened.scene, clip, track["bone"].GetString(), path);
    ASSERT_TRUE(found) << track["bone"].GetString() << " " << channel;
    for (std::uint32_t frame = 0; frame < clip.frameCount; ++frame) {
        std::vector<double> expected;
        for (const auto& key : track[channel].GetArray())
            if (key[0].GetUint() <= frame) expected = inScene(numbersOf(key[1]), path);
        SCOPED_TRACE(std::string(channel) + " at frame " + std::to_string(frame));
        expectSameValue(sampled(*found, opened.arena, frame / double{clip.frameRate}), expected, path);
    }
}

class UeCorpus : public testing::Test {
protected:
    void SetUp() override {
        if (!std::filesystem::exists(folder())) GTEST_SKIP() << corpusAbsent;
        const auto text = readFile(folder() / "expected.json");
        ASSERT_TRUE(text);
        expected_.Parse(reinterpret_cast<const char*>(text->data()), text->size());
        ASSERT_TRUE(expected_.IsObject());
    }
    rapidjson::Document expected_;
};

TEST_F(UeCorpus, AnimationsHaveTheExpectedValues) {
    std::size_t compared = 0, damaged = 0;
    for (auto found = expected_.MemberBegin(); found < expected_.MemberEnd(); ++found) {  // `!=` is ambiguous in C++20
        const auto& entry = *found;
        const std::string name = entry.name.GetString();
        if (!name.ends_with(".ueanim") || entry.value.HasMember("compression")) continue;
        SCOPED_TRACE(name);
        const auto bytes = readFile(folder() / name);
        ASSERT_TRUE(bytes);
        const auto opened = readBytes("", *bytes, {.name = name});
        const std::string report = reportOf(*opened);
        ASSERT_TRUE(opened->result.hasScene) << report;
        for (const auto& finding : entry.value["findings"].GetArray()) {
            std::string id = lowerAscii(finding.GetString());
            std::replace(id.begin(), id.end(), '_', '-');
            EXPECT_NE(report.find(id), std::string::npos) << id << " is not in\n" << report;
        }
        if (!entry.value.HasMember("values")) {
            ++damaged;
            continue;
        }
        EXPECT_EQ(report, "");
        const Json& values = entry.value["values"];
        const Clip& clip = opened->scene.clips.at(0);
        EXPECT_EQ(clip.frameCount, values["frames"].GetUint());
        EXPECT_FLOAT_EQ(clip.frameRate, values["rate"].GetFloat());
        EXPECT_EQ(clip.undeclaredModes, values["additive"].GetInt() != 0);
        for (const auto& track : values["tracks"].GetArray()) {
            expectHeld(*opened, clip, track, "position", Path::translation);
            expectHeld(*opened, clip, track, "rotation", Path::rotation);
            expectHeld(*opened, clip, track, "scale", Path::scale);
        }
        for (const auto& curve : values["curves"].GetArray()) {
            const Track* track = findTrack(opened->scene, clip, curve["name"].GetString(), Path::weight);
            ASSERT_TRUE(track);
            for (const auto& key : curve["keys"].GetArray())
                EXPECT_NEAR(sampled(*track, opened->arena, key[0].GetDouble() / double{clip.frameRate}).at(0), key[1].GetDouble(), 1e-6);
        }
        ++compared;
    }
    // ueAnim.test.ts compares the 8 compressed animations.
    EXPECT_EQ(compared, 10u);
    EXPECT_EQ(damaged, 3u);
}

/// The builder of the tests is independent of the program that generated the corpus.
TEST_F(UeCorpus, TheBuilderWritesTheSameBytes) {
    const double half = std::sqrt(0.5);
    UeAnimSpec spec;
    spec.frames = 4;
    spec.tracks = {
        {"root", {{0, {0, 0, 0}}, {3, {30, 6, 0}}}, {{0, {}}, {1, {0, 0, half, half}}, {3, {0, half, 0, half}}}, {{0, {1, 1, 1}}}},
        {"Knochen_\u00e4", {{0, {10, 20, 30}}}, {{0, {0, 0, half, half}}}, {{0, {1, 2, 1}}, {2, {2, 2, 2}}}}};
    spec.curves = {{"Smile", {{0, 0.f}, {2, 1.f}, {4, 0.5f}}}};
    for (int version = 0; version <= 10; ++version) {
        const std::string name = formatted("anim-v{}{}.ueanim", {version / 10, version % 10});
        const auto bytes = readFile(folder() / name);
        if (bytes) {
            EXPECT_TRUE(makeUeAnim(spec, version) == *bytes) << name;
        }
    }
}

TEST_F(UeCorpus, PosesHaveTheExpectedDifferences) {
    std::size_t compared = 0;
    for (auto found = expected_.MemberBegin(); found < expected_.MemberEnd(); ++found) {  // `!=` is ambiguous in C++20
        const auto& entry = *found;
        const std::string name = entry.name.GetString();
        if (!name.ends_with(".uepose")) continue;
        const auto bytes = readFile(folder() / name);
        if (!bytes) continue;
        const auto opened = readBytes("", *bytes, {.name = name});
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(reportOf(*opened), "");
        const Json& values = entry.value["values"];
        ASSERT_EQ(opened->scene.clips.size(), values["poses"].Size());
        for (rapidjson::SizeType i = 0; i < values["poses"].Size(); ++i) {
            const Json& pose = values["poses"][i];
            const Clip& clip = opened->scene.clips[i];
            EXPECT_EQ(clip.name, pose["name"].GetString());
            for (const auto& key : pose["keys"].GetArray()) {
                for (const auto& [channel, path] :
                     {std::pair{"position", Path::translation}, {"rotation", Path::rotation}, {"scale", Path::scale}}) {
                    const Track* track = findTrack(opened->scene, clip, key["bone"].GetString(), path);
                    ASSERT_TRUE(track) << channel;
                    auto expected = inScene(numbersOf(key[channel]), path);
                    if (path == Path::scale)
                        for (double& factor : expected) factor += 1;
                    expectSameValue(sampled(*track, opened->arena, 0), expected, path);
                }
            }
            for (const auto& influence : pose["influences"].GetArray()) {
                const char* curve = values["curves"][influence[0].GetUint()].GetString();
                const Track* track = findTrack(opened->scene, clip, curve, Path::weight);
                ASSERT_TRUE(track) << curve;
                EXPECT_NEAR(sampled(*track, opened->arena, 0).at(0), influence[1].GetDouble(), 1e-6);
            }
        }
        ++compared;
    }
    EXPECT_EQ(compared, 1u);
}

TEST_F(UeCorpus, WorldsPlaceTheirModels) {
    const auto bytes = readFile(folder() / "world-v00.ueworld");
    ASSERT_TRUE(bytes);
    const auto opened = readBytes("", *bytes, {.name = "world-v00.ueworld"});
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_NE(reportOf(*opened).find("prototype-world"), std::string::npos);
    EXPECT_EQ(opened->diagnostics.findings().size(), 1u);
    const Json& values = expected_["world-v00.ueworld"]["values"];
    EXPECT_EQ(opened->scene.meshes.size(), values["meshes"].Size());
    ASSERT_EQ(opened->scene.renderers.size(), values["actors"].Size());
    for (rapidjson::SizeType i = 0; i < values["actors"].Size(); ++i) {
        const Json& actor = values["actors"][i];
        const Node& node = opened->scene.nodes.at(1 + i);
        EXPECT_EQ(opened->scene.strings[node.name], actor["name"].GetString());
        const auto stored = numbersOf(actor["position"]);
        EXPECT_NEAR(node.local.translation.x, stored[0] / 100, 1e-6);
        EXPECT_NEAR(node.local.translation.y, stored[2] / 100, 1e-6);
        EXPECT_NEAR(node.local.translation.z, -stored[1] / 100, 1e-6);
    }
}

}  // namespace
}  // namespace rigcast::test
