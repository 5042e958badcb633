// Tests animations whose keys are decoded on request, and reading a single animation.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/deferred.hpp"
#include "support/unreal.hpp"

namespace rigcast {
namespace {

using test::differenceOf;
using test::outcomeOf;
using test::ReadMode;
using unreal::PsaDocument;

constexpr std::uint32_t sequences = 3, bones = 40, frames = 100;
constexpr std::size_t keyBytes = 32 * std::size_t{sequences} * bones * frames;

Vector<std::uint8_t> bytesOf(const PsaDocument& document) { return unreal::write(document); }

Input inputOf(const Vector<std::uint8_t>& bytes, std::string_view name = "a.psa") {
    return test::inputOf({bytes.data(), bytes.size()}, name);
}

TEST(DeferredKeys, ChecksEveryKeyFirstAndDecodesOnRequest) {
    const auto bytes = bytesOf(test::manyAnimations(sequences, bones, frames));
    const auto outcome = outcomeOf("psa", inputOf(bytes), false, ReadMode::outside);
    EXPECT_EQ(outcome.deferredColumns, sequences);
    EXPECT_LT(outcome.bytesRead, bytes.size() + keyBytes / 10);
    EXPECT_EQ(differenceOf("psa", inputOf(bytes)), "");
}

TEST(DeferredKeys, ScalesAndConstantTracksGiveTheResultOfTheHeap) {
    EXPECT_EQ(differenceOf("psa", inputOf(bytesOf(test::armAnimations()))), "");
    PsaDocument document = test::armAnimations();
    document.curves.clear();
    const auto bytes = bytesOf(document);
    EXPECT_EQ(differenceOf("psa", inputOf(bytes)), "");
    EXPECT_EQ(outcomeOf("psa", inputOf(bytes), false, ReadMode::outside).deferredColumns, document.sequences.size());
}

TEST(DeferredKeys, ConstantTrackOfALongAnimationHasOneKey) {
    PsaDocument document = test::manyAnimations(1, bones, frames);  // two windows of keys
    const std::size_t last = bones - 1;
    for (std::size_t frame = 1; frame < frames; ++frame) document.keys[frame * bones + last] = document.keys[last];
    EXPECT_EQ(differenceOf("psa", inputOf(bytesOf(document))), "");
}

TEST(DeferredKeys, DecodesAndReportsASequenceWithADamagedKeyImmediately) {
    PsaDocument document = test::manyAnimations(sequences, bones, frames);
    auto& keys = document.keys;
    const auto expectAllBut = [&](std::size_t count, std::string_view code) {
        const auto bytes = bytesOf(document);
        const auto outcome = outcomeOf("psa", inputOf(bytes), false, ReadMode::outside);
        EXPECT_EQ(outcome.deferredColumns, sequences - count);
        EXPECT_NE(outcome.description.find(code), std::string::npos);
        EXPECT_EQ(differenceOf("psa", inputOf(bytes)), "");
    };
    keys[bones * frames + 7].position[1] = std::numeric_limits<float>::quiet_NaN();
    expectAllBut(1, "NON_FINITE");
    for (float& value : keys[2 * bones * frames + 39].orientation) value = 0;
    expectAllBut(2, "QUATERNION_NOT_UNIT");
}

/// A sequence with a zero scale causes a finding, so it is decoded immediately.
TEST(DeferredKeys, DecodesAndReportsASequenceWithAZeroScaleImmediately) {
    PsaDocument document = test::manyAnimations(sequences, bones, frames);
    for (auto& sequence : document.sequences) sequence.scaleInclude = 1;
    document.scaleKeys.resize(document.keys.size());
    const auto later = [&] { return outcomeOf("psa", inputOf(bytesOf(document)), false, ReadMode::outside); };
    EXPECT_EQ(later().deferredColumns, sequences);
    document.scaleKeys[bones * frames + 7].scale[1] = 0;
    EXPECT_EQ(later().deferredColumns, sequences - 1);
    EXPECT_NE(later().description.find("SCALE_ZERO"), std::string::npos);
    EXPECT_EQ(differenceOf("psa", inputOf(bytesOf(document))), "");
}

TEST(DeferredKeys, ReportsTheFirstDamagedKeyInTheFile) {
    PsaDocument document = test::manyAnimations(1, bones, frames);
    document.keys[5 * bones + 35].position[0] = std::numeric_limits<float>::infinity();
    document.keys[9 * bones + 2].position[0] = std::numeric_limits<float>::infinity();
    const auto outcome = outcomeOf("psa", inputOf(bytesOf(document)), false, ReadMode::whole);
    EXPECT_NE(outcome.description.find("key " + std::to_string(5 * bones + 35)), std::string::npos) << outcome.description;
}

/// Returns the result of reading only the keys of `clip`.
test::Outcome outcomeOfClip(const Vector<std::uint8_t>& bytes, std::uint32_t clip) {
    Input input = inputOf(bytes);
    input.clip = clip;
    return outcomeOf("psa", input, false, ReadMode::outside);
}

TEST(SingleClip, ListsAllClipsWithoutReadingKeys) {
    PsaDocument document = test::manyAnimations(sequences, bones, frames);
    document.keys[7].position[1] = std::numeric_limits<float>::quiet_NaN();
    const auto bytes = bytesOf(document);
    const auto outcome = outcomeOfClip(bytes, noClip);
    EXPECT_LE(outcome.bytesRead, bytes.size() - keyBytes + 4096);  // the start of the file is read twice
    EXPECT_TRUE(outcome.announced.empty());
    EXPECT_NE(outcome.description.find("keysUnread"), std::string::npos);
    EXPECT_EQ(outcome.description.find("NON_FINITE"), std::string::npos);
}

TEST(SingleClip, ReadsTheKeysOfOneClipInOneRange) {
    PsaDocument document = test::manyAnimations(sequences, bones, frames);
    document.keys[bones * frames + 7].position[1] = std::numeric_limits<float>::quiet_NaN();
    const auto bytes = bytesOf(document);
    constexpr std::string_view id = "ANIMKEYS";
    const auto header = std::search(bytes.begin(), bytes.end(), id.begin(), id.end());
    const std::size_t clipBytes = keyBytes / sequences, keysAt = static_cast<std::size_t>(header - bytes.begin()) + 32;
    for (const std::uint32_t clip : {0u, 1u, 2u}) {
        const auto outcome = outcomeOfClip(bytes, clip);
        ASSERT_EQ(outcome.announced.size(), 1u);
        EXPECT_EQ(outcome.announced[0], std::pair(keysAt + clip * clipBytes, clipBytes));
        EXPECT_EQ(outcome.description.find("NON_FINITE") != std::string::npos, clip == 1);
        EXPECT_EQ(outcome.description.find("keysUnread"), std::string::npos);
    }
}

TEST(SingleClip, ReadsScaleKeysInASecondRange) {
    PsaDocument document = test::manyAnimations(sequences, bones, frames);
    for (auto& sequence : document.sequences) sequence.scaleInclude = 1;
    document.scaleKeys.resize(document.keys.size());
    EXPECT_EQ(outcomeOfClip(bytesOf(document), 1).announced.size(), 2u);
}

TEST(DeferredKeys, LoadsAFileWithInconsistentChunksCompletely) {
    auto bytes = bytesOf(test::manyAnimations(sequences, bones, frames));
    bytes.resize(bytes.size() - 50);
    EXPECT_EQ(differenceOf("psa", inputOf(bytes)), "");
    EXPECT_GE(outcomeOf("psa", inputOf(bytes), false, ReadMode::outside).bytesRead, bytes.size());
}

TEST(DeferredKeys, LoadsOtherFormatsCompletely) {
    const auto psk = unreal::write(test::armDocument());
    EXPECT_EQ(differenceOf("", inputOf(psk, "a.psk")), "");
    const Vector<std::uint8_t> zeros(5000, 0);
    EXPECT_EQ(differenceOf("", inputOf(zeros)), "");
}

}  // namespace
}  // namespace rigcast
