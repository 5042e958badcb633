// Tests animations with long curves, whose values are decoded on request.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "cast.hpp"
#include "formats/cast/index.hpp"
#include "support/deferred.hpp"

namespace rigcast::test {
namespace {

constexpr std::uint32_t keys = 3000, bones = 4;

Input inputOf(const Vector<std::uint8_t>& bytes) { return test::inputOf(Bytes{bytes.data(), bytes.size()}, "a.cast"); }

using Damage = std::function<void(Vector<float>&)>;

void addLong(CastBuilder& cast, std::string_view bone, std::string_view kind, const Damage& damage) {
    const std::size_t width = kind == "rq" ? 4 : 1;
    Vector<std::uint32_t> frames(keys);
    std::iota(frames.begin(), frames.end(), 0u);
    Vector<float> values(keys * width, 0);
    for (std::uint32_t i = 0; i < keys; ++i) {
        const float turn = 0.001f * static_cast<float>(i);
        values[i * width] = width == 4 ? std::sin(turn) : turn;
        if (width == 4) values[i * width + 3] = std::cos(turn);
    }
    damage(values);
    cast.begin("curv").text("nn", bone).text("kp", kind).integers("kb", frames);
    cast.floats("kv", width == 4 ? CastType::vec4 : CastType::f32, values).text("m", "absolute").end();
}

/// Returns a file with two long curves per bone, followed by a short one.
Vector<std::uint8_t> longAnimation(const Damage& damageFirst = [](auto&) {}) {
    return animationFile([&](CastBuilder& cast) {
        for (std::uint32_t bone = 0; bone < bones; ++bone) {
            const std::string name = "bone" + std::to_string(bone);
            addLong(
                cast, name, "rq", bone == 1 ? damageFirst : [](Vector<float>&) {});
            addLong(
                cast, name, "tx", bone == 2 ? damageFirst : [](Vector<float>&) {});
        }
        addCurve(cast, "bone0", "ty", {0, 5}, {1, 2});
        cast.begin("ntif").text("n", "step").integers("kb", {3, 9}).end();
    });
}

TEST(DeferredCastValues, ChecksValuesFirstAndDecodesThemOnRequest) {
    const auto bytes = longAnimation();
    const auto outcome = outcomeOf("", inputOf(bytes), false, ReadMode::outside);
    EXPECT_EQ(outcome.deferredColumns, 1u);
    EXPECT_LT(outcome.bytesRead, bytes.size() + bytes.size() / 10);
    EXPECT_EQ(differenceOf("", inputOf(bytes)), "");
}

TEST(DeferredCastValues, DecodesAndReportsACurveWithADamagedKeyImmediately) {
    const auto expect = [](const Damage& damage, std::string_view code) {
        const auto bytes = longAnimation(damage);
        const auto outcome = outcomeOf("", inputOf(bytes), false, ReadMode::outside);
        EXPECT_EQ(outcome.deferredColumns, 1u) << code;
        EXPECT_NE(outcome.description.find(code), std::string::npos);
        EXPECT_EQ(differenceOf("", inputOf(bytes)), "") << code;
    };
    expect([](Vector<float>& values) { values[2500] = std::numeric_limits<float>::quiet_NaN(); }, "NON_FINITE");
    expect([](Vector<float>& values) { values[0] = 7; }, "QUATERNION_NOT_UNIT");
}

TEST(DeferredCastValues, OtherCurvesGiveTheResultOfTheHeap) {
    const auto bytes = animationFile([](CastBuilder& cast) {
        addLong(cast, "bone0", "tx", [](auto&) {});
        for (const std::string_view axis : {"rx", "ry", "rz"}) addLong(cast, "bone1", axis, [](auto&) {});
        addLong(cast, "bone2", "vb", [](auto&) {});  // values of the wrong type
        addLong(cast, "bone3", "none", [](auto&) {});
        Vector<std::uint32_t> backwards(keys);
        std::iota(backwards.rbegin(), backwards.rend(), 0u);
        cast.begin("curv").text("nn", "bone4").text("kp", "sx").integers("kb", backwards);
        cast.floats("kv", CastType::f32, Vector<float>(keys, 2)).text("m", "additive").end();
    });
    EXPECT_EQ(outcomeOf("", inputOf(bytes), false, ReadMode::outside).deferredColumns, 1u);
    EXPECT_EQ(differenceOf("", inputOf(bytes)), "");
}

TEST(DeferredCastValues, LoadsAnIrregularFileCompletely) {
    auto bytes = longAnimation();
    const std::size_t sizeOfCurve = CastHeader::size + 2 * CastNode::headerSize + 14 + 4;
    ASSERT_GE(loadValue<std::uint32_t>(bytes.data() + sizeOfCurve), castFarSize);
    for (const std::uint8_t wrong : {1, 0xFF}) {
        auto damaged = bytes;
        damaged[sizeOfCurve] = static_cast<std::uint8_t>(damaged[sizeOfCurve] + wrong);
        EXPECT_EQ(differenceOf("", inputOf(damaged)), "");
        EXPECT_GE(outcomeOf("", inputOf(damaged), false, ReadMode::outside).bytesRead, bytes.size());
    }
    auto longer = bytes;
    longer.push_back(0);
    EXPECT_EQ(differenceOf("", inputOf(longer)), "");
    for (const std::size_t cut : {1, 40, 4000, 100'000}) {
        auto shorter = bytes;
        shorter.resize(bytes.size() - cut);
        EXPECT_EQ(differenceOf("", inputOf(shorter)), "") << cut;
    }
    // Damages every byte at the start of the first curve.
    for (std::size_t at = CastHeader::size; at < sizeOfCurve + 100; ++at) {
        auto damaged = bytes;
        damaged[at] ^= 0x55;
        EXPECT_EQ(differenceOf("", inputOf(damaged)), "") << at;
    }
}

TEST(DeferredCastValues, DefersOnlyInLargeFiles) {
    const auto isLarge = [](const Vector<std::uint8_t>& bytes) {
        return isLargeCast({bytes.data(), std::min<std::size_t>(bytes.size(), 4096)});
    };
    EXPECT_TRUE(isLarge(longAnimation()));
    EXPECT_EQ(isLarge(animationFile([](CastBuilder& cast) { addCurve(cast, "bone", "tx", {0, 1}, {0, 1}); })), isUnderSanitizer);
    EXPECT_EQ(isLarge(meshFile([](CastBuilder&) {})), isUnderSanitizer);
    EXPECT_TRUE(isLarge(modelFile([](CastBuilder& cast) { cast.begin("mesh").text("n", std::string(0x10000, 'n')).end(); })));
    EXPECT_FALSE(isLarge(castFile([](CastBuilder& cast) { cast.begin("inst").text("n", std::string(0x10000, 'n')).end(); })));
    EXPECT_TRUE(isLarge(castFile([](CastBuilder& cast) {
        cast.begin("meta").text("a", "somebody").end();
        cast.begin("anim");
        for (const char* bone : {"a", "b"}) addLong(cast, bone, "rq", [](auto&) {});
        cast.end();
    })));
    // With sizes of zero, the next node cannot be found.
    Vector<std::uint8_t> zeros(4096, 0);
    std::memcpy(zeros.data() + 40, "meta", 4);
    EXPECT_FALSE(isLarge(zeros));
}

}  // namespace
}  // namespace rigcast::test
