// Tests reading files of every format with too little memory or work. The scene must be complete,
// or the report must explain what the limit affected.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "support/files.hpp"
#include "support/sweeps.hpp"
#include "support/takes.hpp"
#include "support/writers/cast.hpp"

namespace rigcast::test {
namespace {

struct Case {
    std::string name;
    Vector<std::uint8_t> bytes;
    std::string options = {};
    bool tangents = false;
};

/// Returns a Cast file with features that need memory and that the fixture does not have: computed
/// normals, unsorted weights and keys, morph targets, Euler curves, a missing layer, and legacy
/// colours.
Vector<std::uint8_t> oddCast() {
    constexpr float triangle[] = {0, 0, 0, 1, 0, 0, 0, 1, 0}, moved[] = {0, 0, 0, 1, 0, 1, 0, 1, 0}, pairs[] = {0, 0, 1, 0, 0, 1};
    constexpr float weights[] = {.5f, .1f, .1f, .1f, .2f, .5f, .1f, .1f, .1f, .2f, .5f, .1f, .1f, .1f, .2f},
                    twice[] = {.5f, .5f, 1, 0, 1, 0};
    constexpr std::uint8_t colors[12] = {};
    CastBuilder cast;
    cast.begin("root").begin("modl").begin("skel");
    for (std::uint32_t i = 0; i < 5; ++i)
        cast.begin("bone").text("n", "b" + std::to_string(i)).u32("p", i - 1).vec3("lp", 0, 1, 0).vec4("lr", 0, 0, 0, 1).end();
    cast.end();
    cast.begin("mesh").text("n", "base").floats("vp", CastType::vec3, triangle).integers("f", {0, 1, 2}).u8("ul", 2);
    cast.floats("u1", CastType::vec2, pairs).raw("vc", CastType::u32, 3, colors).u8("mi", 5);
    cast.integers("wb", {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4}).floats("wv", CastType::f32, weights).end();
    const std::uint64_t base = cast.lastHash();
    cast.begin("mesh").text("n", "up").floats("vp", CastType::vec3, moved).integers("f", {0, 1, 2}).u8("mi", 2);
    cast.integers("wb", {0, 0, 1, 2, 1, 9}).floats("wv", CastType::f32, twice).end();
    cast.begin("blsh").text("n", "shape").link("b", base).link("t", cast.lastHash()).end().end();
    cast.begin("anim").f32("fr", 30);
    const auto curve = [&](const char* kind, std::initializer_list<std::uint32_t> frames, std::initializer_list<float> values) {
        cast.begin("curv").text("nn", "b1").text("kp", kind).integers("kb", frames);
        cast.floats("kv", CastType::f32, Vector<float>(values)).text("m", "absolute").end();
    };
    curve("rx", {0, 40}, {0, 90});
    curve("tx", {9, 3, 4, 1, 2}, {1, 2, 3, 4, 5});
    cast.begin("ntif").text("n", "step").integers("kb", {1, 2, 3, 4, 5, 6, 7, 8}).end().end();
    return cast.end().finish();
}

/// Returns files with all features of all formats.
Vector<Case> cases() {
    Vector<Case> list;
    for (const char* file : {"cast/everything.cast", "unreal/arm.psk", "unreal/arm-plain.psk", "unreal/arm-sound.psk",
                             "unreal/arm-static.pskx", "unreal/arm-motions.psa", "vgo/puppet.vgo", "vgo/puppet-rh-bl-2.1.vgo",
                             "vgo/puppet-lh-tl-2.4-bson.vgo", "se/arm.semodel", "se/absolute.seanim", "mrtk/everyCurve.bin"}) {
        const auto bytes = readFile(dataFolder() / file);
        EXPECT_TRUE(bytes) << file;
        if (bytes) list.push_back({std::filesystem::path(file).filename().string(), *bytes});
    }
    list.push_back({"odd.cast", oddCast()});
    for (const std::size_t with : {0u, 1u, 5u, 8u})
        list.push_back({list[with].name, list[with].bytes, R"({"unreal":{"upAxis":"y"}})", true});
    return list;
}

/// Calls `visit` with limits that divide `whole` into `parts` equal steps.
template <class Visit>
void everyPart(std::uint64_t whole, std::uint64_t parts, Visit visit) {
    for (std::uint64_t part = 0; part <= parts && !testing::Test::HasFailure(); ++part)
        visit(std::max<std::uint64_t>(1, whole * part / parts));
}

TEST(Limits, TooLittleMemoryGivesNoSceneAndAFinding) {
    for (const Case& each : cases()) {
        const ReadOptions enough{.name = each.name, .options = each.options, .tangents = each.tangents};
        const auto whole = readBytes("", each.bytes, enough);
        ASSERT_TRUE(whole->result.hasScene) << each.name;
        everyPart(whole->memory, std::min<std::uint64_t>(whole->memory / 32, 1000) / strideOf(5000), [&](std::uint64_t memory) {
            SCOPED_TRACE(each.name + " in " + std::to_string(memory) + " bytes");
            ReadOptions options = enough;
            options.memory = memory;
            const auto opened = readBytes("", each.bytes, options);
            if (!opened->result.hasScene) {
                EXPECT_TRUE(opened->has(Code::OUT_OF_MEMORY));
            } else if (!opened->isExhausted) {
                EXPECT_EQ(opened->description, whole->description);
            }
        });
    }
}

TEST(Limits, TooLittleWorkReportsWhatIsOmitted) {
    for (const Case& each : cases()) {
        const ReadOptions enough{.name = each.name, .options = each.options, .tangents = each.tangents};
        const auto whole = readBytes("", each.bytes, enough);
        everyPart(whole->steps, 60, [&](std::uint64_t work) {
            SCOPED_TRACE(each.name + " in " + std::to_string(work) + " steps");
            ReadOptions options = enough;
            options.work = work;
            const auto opened = readBytes("", each.bytes, options);
            if (opened->description != whole->description) {
                EXPECT_TRUE(opened->has(Code::WORK_LIMIT) || opened->has(Code::OUT_OF_MEMORY));
            }
        });
    }
}

TEST(Limits, ReportsOmittedInfluences) {
    const auto opened = readBytes("cast", oddCast(), {.name = "odd.cast", .work = 1});
    ASSERT_TRUE(opened->has(Code::WORK_LIMIT));
    EXPECT_EQ(opened->finding(Code::WORK_LIMIT)->detail, "all but the four strongest influences");
    EXPECT_FALSE(opened->scene.meshes.at(0).influenceJoints.present());
    EXPECT_TRUE(opened->scene.meshes[0].joints8.present());
}

TEST(Limits, OutlinesEndWhenMemoryOrWorkIsExhausted) {
    for (const Case& each : cases()) {
        const OpenedOutline whole = readOutline("", each.bytes, {.name = each.name});
        EXPECT_FALSE(whole.outline.empty()) << each.name;
        everyPart(whole.memory, 60, [&](std::uint64_t memory) {
            SCOPED_TRACE(each.name + " in " + std::to_string(memory) + " bytes");
            const OpenedOutline opened = readOutline("", each.bytes, {.name = each.name, .memory = memory, .work = whole.steps / 2 + 1});
            EXPECT_LE(opened.outline.size(), whole.outline.size());
        });
    }
}

}  // namespace
}  // namespace rigcast::test
