// Tests that thousands of curves with deferred values give the same result as reading node by node.
#include <gtest/gtest.h>

#include <limits>

#include "cast.hpp"
#include "formats/cast/curves.hpp"
#include "support/deferred.hpp"
#include "support/sweeps.hpp"

namespace rigcast::test {
namespace {

constexpr std::uint32_t bones = 300;  // number of bones; enough curves to use the index

using Fill = std::function<void(CastBuilder&)>;
constexpr auto nothing = [](CastBuilder&) {};

/// Adds four curves with one key for each bone, and another node (`odd`) between those of one bone.
void addPose(CastBuilder& cast, std::uint32_t clip, const Fill& odd = nothing, std::uint32_t oddBone = bones / 2) {
    cast.begin("anim").text("n", "pose" + std::to_string(clip)).f32("fr", 30);
    for (std::uint32_t bone = 0; bone <= bones; ++bone) {
        if (bone == oddBone) odd(cast);
        if (bone == bones) break;
        const std::string name = "bone" + std::to_string(bone);
        const auto at = static_cast<float>(bone + clip);
        addCurve(cast, name, "rq", {clip}, {0.6f, 0, 0, 0.8f});
        for (const char* kind : {"tx", "ty", "tz"}) addCurve(cast, name, kind, {clip}, {at});
    }
    cast.end();
}

Vector<std::uint8_t> poses(const Fill& odd = nothing, std::uint32_t oddBone = bones / 2) {
    return castFile([&](CastBuilder& cast) {
        cast.begin("meta").text("a", "somebody").end();
        for (std::uint32_t clip = 0; clip < 3; ++clip) addPose(cast, clip, clip == 1 ? odd : Fill(nothing), oddBone);
    });
}

Input inputOf(const Vector<std::uint8_t>& bytes) { return test::inputOf(Bytes{bytes.data(), bytes.size()}, "a.cast"); }

std::size_t nodesOf(const Vector<std::uint8_t>& bytes) {
    CastFindings findings;
    Vector<std::uint8_t> home(bytes.size());
    ExternalFile source(home.data(), {bytes.data(), bytes.size()});
    loadCastIndex(source, {home.data(), home.size()});
    return readCast({home.data(), home.size()}, findings, &source).nodes.size();
}

TEST(CastCurves, ManyCurvesBecomeOneNode) {
    const auto bytes = poses();
    EXPECT_EQ(nodesOf(bytes), 1u + 1 + 3 * 2);
    EXPECT_EQ(differenceOf("cast", inputOf(bytes)), "");
    // Bytes are read for the index, for the tree, and for the tracks.
    EXPECT_LT(outcomeOf("cast", inputOf(bytes), false, ReadMode::outside).bytesRead, 4 * bytes.size());
    EXPECT_EQ(openCast(bytes)->scene.clips[2].tracks.size(), 4u * bones);
}

TEST(CastCurves, FewCurvesBecomeOneNodeEach) {
    const auto few = animationFile([](CastBuilder& cast) { addCurve(cast, "bone", "tx", {0}, {1}); });
    EXPECT_EQ(nodesOf(few), 3u);
}

struct Odd {
    const char* what;
    void (*add)(CastBuilder&);
    const char* code = "";
    std::size_t nodes = 2;  // two more nodes: this one, and the curves after it
};

CastBuilder& begin(CastBuilder& cast, std::string_view kind = "tx") { return cast.begin("curv").text("nn", "bone7").text("kp", kind); }
constexpr float notFinite = std::numeric_limits<float>::quiet_NaN();

class OddCurve : public testing::TestWithParam<Odd> {};

TEST_P(OddCurve, IsReadAsANodeOfItsOwn) {
    const auto [what, add, code, nodes] = GetParam();
    const std::size_t sound = nodesOf(poses());
    for (const std::uint32_t oddBone : {0u, bones / 2, bones}) {
        const auto bytes = poses(add, oddBone);
        EXPECT_EQ(differenceOf("cast", inputOf(bytes)), "") << oddBone;
        EXPECT_EQ(differenceOf("cast", inputOf(bytes), true), "") << oddBone;
        EXPECT_NE(outcomeOf("cast", inputOf(bytes), false, ReadMode::outside).description.find(code), std::string::npos) << code;
        if (oddBone == bones / 2) {
            EXPECT_EQ(nodesOf(bytes), sound + nodes);
        }
    }
    const auto several = poses([add = add](CastBuilder& cast) {
        for (int i = 0; i < 20; ++i) {
            add(cast);
            if (i % 3 == 0) addCurve(cast, "bone9", "sx", {0}, {1});
        }
    });
    EXPECT_EQ(differenceOf("cast", inputOf(several)), "");
}

INSTANTIATE_TEST_SUITE_P(
    CastCurves, OddCurve,
    testing::Values(
        Odd{"UnknownKind", [](CastBuilder& c) { addCurve(c, "bone7", "qq", {0}, {1}); }, "CURVE_KIND"},
        Odd{"Euler", [](CastBuilder& c) { addCurve(c, "bone7", "rx", {0}, {1}); }, "LEGACY_FORM"},
        Odd{"NoMode", [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).end(); }, "PROPERTY_MISSING"},
        Odd{"ModeUnknown", [](CastBuilder& c) { addCurve(c, "bone7", "tx", {0}, {1}, "worse"); }, "VALUE_UNKNOWN"},
        Odd{"UnknownProperty", [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).text("m", "absolute").f32("zz", 1).end(); },
            "UNKNOWN_PROPERTY"},
        Odd{"PropertyTwice", [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).text("m", "absolute").f32("kv", 2).end(); },
            "PROPERTY_DUPLICATE"},
        Odd{"NoKeys", [](CastBuilder& c) { addCurve(c, "bone7", "tx", {}, {}); }, "CURVE_EMPTY"},
        Odd{"MoreKeys",
            [](CastBuilder& c) {
                addCurve(c, "bone7", "tx", {0, 1}, {1});
            },
            "KEY_PAIRS"},
        Odd{"KeysInDisorder",
            [](CastBuilder& c) {
                addCurve(c, "bone7", "tx", {2, 1}, {1, 2});
            },
            "KEY_ORDER"},
        Odd{"KeyTwice",
            [](CastBuilder& c) {
                addCurve(c, "bone7", "tx", {1, 1}, {1, 2});
            },
            "KEY_ORDER"},
        Odd{"BadValue", [](CastBuilder& c) { addCurve(c, "bone7", "tx", {0}, {notFinite}); }, "NON_FINITE"},
        Odd{"BadRotation",
            [](CastBuilder& c) {
                addCurve(c, "bone7", "rq", {0}, {0, 0, notFinite, 1});
            },
            "NON_FINITE"},
        Odd{"NotUnit",
            [](CastBuilder& c) {
                addCurve(c, "bone7", "rq", {0}, {0, 0, 0, 1.1f});
            },
            "QUATERNION_NOT_UNIT"},
        Odd{"IntegersMove", [](CastBuilder& c) { begin(c).integers("kb", {0}).u8("kv", 1).text("m", "absolute").end(); }, "CURVE_VALUES"},
        Odd{"FloatsShow", [](CastBuilder& c) { addCurve(c, "bone7", "vb", {0}, {1}); }, "CURVE_VALUES"},
        Odd{"BadWeight", [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).text("m", "additive").f32("ab", notFinite).end(); },
            "NON_FINITE"},
        Odd{"WeightOfAnotherType",
            [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).text("m", "additive").u8("ab", 1).end(); }, "PROPERTY_TYPE"},
        Odd{"NameNotUtf8", [](CastBuilder& c) { addCurve(c, "bone\xFF", "tx", {0}, {1}); }, "NAME_DAMAGED"},
        Odd{"NameOutsideAscii", [](CastBuilder& c) { addCurve(c, "骨", "tx", {0}, {1}); }, "骨"},
        Odd{"TwoNames",
            [](CastBuilder& c) {
                const std::uint8_t texts[] = {'a', 0, 'b', 0};
                c.begin("curv")
                    .raw("nn", CastType::text, 2, texts)
                    .text("kp", "tx")
                    .integers("kb", {0})
                    .f32("kv", 1)
                    .text("m", "absolute")
                    .end();
            },
            "STRING_COUNT"},
        Odd{"WithAChild",
            [](CastBuilder& c) {
                begin(c).integers("kb", {0}).f32("kv", 1).text("m", "absolute");
                addCurve(c, "bone7", "tx", {0}, {1});
                c.end();
            },
            "NODE_PLACE", 3}),
    [](const auto& info) { return info.param.what; });

/// Valid but unusual curves.
TEST(CastCurves, ValidFormsDoNotSplitTheRun) {
    const std::size_t sound = nodesOf(poses());
    const Fill forms[] = {
        [](CastBuilder& c) { begin(c).integers("kb", {0}).f32("kv", 1).text("m", "additive").f32("ab", 0.5f).end(); },
        [](CastBuilder& c) { begin(c).f32("kb", 0.5f).f32("kv", 1).text("m", "relative").end(); },
        [](CastBuilder& c) { begin(c).f64("kb", 0.5).f32("kv", 1).text("m", "relative").text("ts", "linear").end(); },
        [](CastBuilder& c) { begin(c, "vb").u32("kb", 70000).u8("kv", 1).text("m", "absolute").end(); },
        [](CastBuilder& c) { begin(c, "bs").u16("kb", 700).f32("kv", 1).text("m", "absolute").end(); },
        [](CastBuilder& c) {
            addCurve(c, "bone7", "rq", {0, 1}, {0, 0, 0, 1.0004f, 0, 0, 0, 1});
        },
        [](CastBuilder& c) {
            addCurve(c, "", "tx", {0, 1, 2, 3, 4, 5, 6, 7}, {1, 2, 3, 4, 5, 6, 7, 8});
        },
        [](CastBuilder& c) { addCurve(c, "bone7", "tx", {1}, {1}); },  // repeats a curve
    };
    for (const Fill& form : forms) {
        const auto bytes = poses(form);
        EXPECT_EQ(nodesOf(bytes), sound);
        EXPECT_EQ(differenceOf("cast", inputOf(bytes)), "");
    }
}

TEST(CastCurves, OtherNodesBetweenCurvesDoNotChangeTheResult) {
    const Fill others[] = {
        [](CastBuilder& c) {
            c.begin("ntif").text("n", "step").integers("kb", {3, 9}).end();
        },
        [](CastBuilder& c) { c.begin("CMOV").text("nn", "bone7").text("m", "relative").u8("ot", 1).end(); },
        [](CastBuilder& c) {
            Vector<std::uint32_t> frames(2000);
            for (std::uint32_t i = 0; i < frames.size(); ++i) frames[i] = i;
            c.begin("curv").text("nn", "bone7").text("kp", "sx").integers("kb", frames);
            c.floats("kv", CastType::f32, Vector<float>(2000, 2)).text("m", "absolute").end();
        },
        [](CastBuilder& c) { c.begin("zzzz").u8("a", 1).end(); },
    };
    for (const Fill& other : others)
        for (const std::uint32_t oddBone : {0u, 1u, bones / 2, bones}) EXPECT_EQ(differenceOf("cast", inputOf(poses(other, oddBone))), "");
}

TEST(CastCurves, ReadsNodesThatAffectTheChecksOfCurves) {
    const Fill model = [](CastBuilder& cast) {
        cast.begin("modl").begin("skel");
        for (std::uint32_t bone = 0; bone < bones - 1; ++bone) addBone(cast, "bone" + std::to_string(bone), bone - 1);
        cast.end().end();
    };
    for (const bool isBehind : {false, true}) {
        const auto bytes = castFile([&](CastBuilder& cast) {
            if (!isBehind) model(cast);
            addPose(cast, 0);
            addPose(cast, 1);
            if (isBehind) model(cast);
        });
        EXPECT_EQ(differenceOf("cast", inputOf(bytes)), "");
        EXPECT_NE(outcomeOf("cast", inputOf(bytes), false, ReadMode::outside).description.find("CURVE_TARGET"), std::string::npos);
    }
    EXPECT_EQ(differenceOf("cast", inputOf(poses([](CastBuilder& cast) {
                               cast.begin("skel");
                               addBone(cast, "bone1", 0xFFFFFFFF);
                               cast.end();
                           }))),
              "");
}

TEST(CastCurves, DamagedCurvesGiveTheResultOfTheGeneralPath) {
    const auto bytes = poses();
    const std::size_t curves = bytes.size() / 3, close = strideOf(9000), apart = 2003 * strideOf(3000);
    for (std::size_t at = 0; at < bytes.size(); at += at < 300 || (at > curves && at < curves + 250) ? close : apart) {
        auto damaged = bytes;
        for (const std::uint8_t with : {0x55, 0xFF}) {
            damaged[at] = static_cast<std::uint8_t>(bytes[at] ^ with);
            EXPECT_EQ(differenceOf("cast", inputOf(damaged)), "") << at;
        }
    }
    for (std::size_t cut = 1; cut < bytes.size(); cut += 4099 * strideOf(3000)) {
        auto shorter = bytes;
        shorter.resize(bytes.size() - cut);
        EXPECT_EQ(differenceOf("cast", inputOf(shorter)), "") << cut;
    }
}

}  // namespace
}  // namespace rigcast::test
