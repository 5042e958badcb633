// Every format with less memory and less work than its files need, from nothing to enough: what comes out is the whole scene, or the report says
// what the limit took.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "formats/cast/write.hpp"
#include "support/files.hpp"
#include "support/open.hpp"
#include "support/takes.hpp"

namespace rigcast::test {
namespace {

struct Case {
    std::string name;
    Vector<std::uint8_t> bytes;
    std::string options = {};
    bool tangents = false;
};

/// Everything that the fixtures have, in as few files as possible.
Vector<Case> cases() {
    Vector<Case> list;
    for (const char* file : {"cast/everything.cast", "unreal/arm.psk", "unreal/arm-plain.psk", "unreal/arm-static.pskx",
                             "unreal/arm-motions.psa", "vgo/puppet.vgo", "vgo/puppet-rh-bl-2.1.vgo", "vgo/puppet-lh-tl-2.4-bson.vgo",
                             "se/arm.semodel", "se/absolute.seanim", "mrtk/everyCurve.bin"}) {
        const auto bytes = readFile(dataFolder() / file);
        EXPECT_TRUE(bytes) << file;
        if (bytes) list.push_back({std::filesystem::path(file).filename().string(), *bytes});
    }
    for (const std::size_t with : {0u, 1u, 5u, 8u})
        list.push_back({list[with].name, list[with].bytes, R"({"unreal":{"upAxis":"y"}})", true});
    return list;
}

/// `limit` of `whole`, in so many equal parts.
template <class Visit>
void everyPart(std::uint64_t whole, std::uint64_t parts, Visit visit) {
    for (std::uint64_t part = 0; part <= parts && !testing::Test::HasFailure(); ++part)
        visit(std::max<std::uint64_t>(1, whole * part / parts));
}

TEST(Limits, WithTooLittleMemoryThereIsNoSceneAndThatIsSaid) {
    for (const Case& each : cases()) {
        const ReadOptions enough{.name = each.name, .options = each.options, .tangents = each.tangents};
        const auto whole = readBytes("", each.bytes, enough);
        ASSERT_TRUE(whole->result.hasScene) << each.name;
        everyPart(whole->memory, 200, [&](std::uint64_t memory) {
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

TEST(Limits, WithTooLittleWorkWhatIsLeftOutIsSaid) {
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

TEST(Limits, OutlinesAreCutWhereMemoryOrWorkEnds) {
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
