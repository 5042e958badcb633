// Tests the conversion of animations: curves, notifications and mode overrides.
#include <limits>

#include "cast.hpp"

#include "core/vector.hpp"
#include "scene/lower.hpp"

namespace rigcast::test {
namespace {

constexpr std::uint32_t top = 0xFFFFFFFF;
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

const Track& track(const Opened& opened, std::size_t i) { return opened.scene.clips.at(0).tracks.at(i); }

TEST(CastAnimation, CurvesBecomeTracks) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "hip", "ty", {0, 5, 20}, {1, 2, 3});
        addCurve(cast, "hip", "rq", {0, 5, 20}, {0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, "relative");
        addCurve(cast, "smile", "bs", {0}, {0.5f}, "additive");
        cast.begin("curv").text("nn", "hip").text("kp", "vb").integers("kb", {0, 300}).integers("kv", {2, 0}).text("m", "absolute").end();
        cast.begin("curv").text("nn", "hip").text("kp", "sz").integers("kb", {0}).f32("kv", 2).text("m", "additive").f32("ab", 0.25f).end();
    }));
    expectFindings(*opened, {});
    const Clip& clip = opened->scene.clips.at(0);
    EXPECT_EQ(clip.name, "file");
    EXPECT_EQ(clip.frameRate, 10);
    EXPECT_EQ(clip.duration, 30);
    EXPECT_FALSE(clip.loop);
    ASSERT_EQ(clip.tracks.size(), 5u);
    EXPECT_EQ(opened->scene.strings[track(*opened, 0).target], "hip");
    EXPECT_EQ(track(*opened, 0).path, Path::translation);
    EXPECT_EQ(track(*opened, 0).component, 1);
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0, 0.5f, 2}));
    EXPECT_EQ(list(*opened, track(*opened, 0).values), (Vector<float>{1, 2, 3}));
    EXPECT_EQ(track(*opened, 1).times.offset, track(*opened, 0).times.offset);  // stored once
    EXPECT_EQ(track(*opened, 1).interpolation, Interpolation::slerp);
    EXPECT_EQ(track(*opened, 1).mode, Mode::relative);
    EXPECT_EQ(track(*opened, 2).path, Path::weight);
    EXPECT_EQ(track(*opened, 2).target, 0u);
    EXPECT_EQ(opened->scene.strings[track(*opened, 2).property], "smile");
    EXPECT_EQ(track(*opened, 2).mode, Mode::absolute);
    EXPECT_EQ(track(*opened, 3).interpolation, Interpolation::step);
    EXPECT_EQ(list(*opened, track(*opened, 3).values), (Vector<float>{1, 0}));
    EXPECT_EQ(track(*opened, 4).mode, Mode::additive);
    EXPECT_EQ(track(*opened, 4).blendWeight, 0.25f);
}

/// The same bytes mean other frames if their type differs, so times are shared only between frames
/// of one type.
TEST(CastAnimation, SharesTimesOnlyBetweenFramesOfOneType) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        const std::uint8_t bytes[] = {0, 1, 2, 3};
        const auto add = [&](std::string_view kind, CastType type, const Vector<float>& values) {
            cast.begin("curv").text("nn", "hip").text("kp", kind).raw("kb", type, static_cast<std::uint32_t>(values.size()), bytes);
            cast.floats("kv", CastType::f32, values).text("m", "absolute").end();
        };
        add("tx", CastType::u8, {1, 2, 3, 4});
        add("ty", CastType::u16, {5, 6});
        add("tz", CastType::u8, {7, 8, 9, 10});
    }));
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0, 0.1f, 0.2f, 0.3f}));
    EXPECT_EQ(list(*opened, track(*opened, 1).times), (Vector<float>{25.6f, 77}));
    EXPECT_EQ(track(*opened, 2).times.offset, track(*opened, 0).times.offset);
}

TEST(CastAnimation, SortsKeys) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) { addCurve(cast, "hip", "tx", {10, 0, 10, 5}, {1, 2, 3, 4}); }));
    expectFindings(*opened, {"warning KEY_ORDER Root[0]/Animation[0]/Curve[0].kb"});
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0, 0.5f, 1}));
    EXPECT_EQ(list(*opened, track(*opened, 0).values), (Vector<float>{2, 4, 3}));  // the last key of frame 10 is used
}

TEST(CastAnimation, ClipStartsAtItsFirstKey) {
    const auto late = openCast(animationFile([](CastBuilder& cast) { addCurve(cast, "hip", "tx", {100, 130}, {1, 2}); }));
    EXPECT_EQ(late->scene.clips[0].start, 10.0f);
    EXPECT_EQ(late->scene.clips[0].duration, 13.0f);
    EXPECT_EQ(late->scene.clips[0].frameCount, 131u);
    const auto first = openCast(animationFile([](CastBuilder& cast) { addCurve(cast, "hip", "tx", {0, 10}, {1, 2}); }));
    EXPECT_EQ(first->scene.clips[0].start, 0.0f);
}

TEST(CastAnimation, KeepsFractionalFrames) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        const float frames[] = {0, 2.5f, 5.25f}, apart[] = {1.25f, 1.5f, 1.375f};
        const float values[] = {0, 1, 3};
        cast.begin("curv").text("nn", "hip").text("kp", "tx").floats("kb", CastType::f32, frames);
        cast.floats("kv", CastType::f32, values).text("m", "relative").end();
        cast.begin("curv").text("nn", "hip").text("kp", "ty").floats("kb", CastType::f32, apart);
        cast.floats("kv", CastType::f32, values).text("m", "relative").end();
        cast.begin("curv").text("nn", "hip").text("kp", "tz").f64("kb", 0.5).f32("kv", 7).text("m", "relative").end();
    }));
    expectFindings(*opened, {"warning KEY_ORDER Root[0]/Animation[0]/Curve[1].kb", "info LEGACY_FORM Root[0]/Animation[0]"});
    EXPECT_EQ(opened->diagnostics.findings()[1].detail, "frames are floats in 3 curves");
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0, 0.25f, 0.525f}));
    EXPECT_EQ(list(*opened, track(*opened, 1).times), (Vector<float>{0.125f, 0.1375f, 0.15f}));
    EXPECT_EQ(list(*opened, track(*opened, 1).values), (Vector<float>{0, 3, 1}));
    EXPECT_EQ(list(*opened, track(*opened, 2).times), (Vector<float>{0.05f}));
    EXPECT_EQ(opened->scene.clips[0].duration, 0.525f);
    EXPECT_EQ(opened->scene.clips[0].frameCount, 6u);
}

TEST(CastAnimation, UsesAndReportsTheLastOfRepeatedCurves) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "hip", "tx", {0}, {1});
        addCurve(cast, "hip", "tx", {0}, {2}, "relative");
        addCurve(cast, "hip", "ty", {0}, {2});
        addCurve(cast, "knee", "tx", {0}, {1}, "additive");
        addCurve(cast, "knee", "tx", {0}, {1}, "additive");
    }));
    expectFindings(*opened, {"info CURVE_REPEATED Root[0]/Animation[0]"});
    EXPECT_EQ(opened->diagnostics.findings()[0].detail, "hip.tx");
    EXPECT_EQ(opened->scene.clips[0].tracks.size(), 5u);
}

TEST(CastAnimation, ReportsWeightCurvesWithoutShape) {
    const auto weightCurves = [](CastBuilder& cast) {
        for (const char* shape : {"smile", "frown"}) addCurve(cast, shape, "bs", {0}, {1});
    };
    const auto alone = openCast(animationFile(weightCurves));
    expectFindings(*alone, {});
    const auto opened = openCast(castFile([&](CastBuilder& cast) {
        cast.begin("modl").begin("mesh");
        addTriangle(cast);
        cast.end().end().begin("anim").f32("fr", 30);
        weightCurves(cast);
        cast.end();
    }));
    expectFindings(*opened, {"info CURVE_NOT_PLAYED Root[0]/Animation[1]"});
    EXPECT_EQ(opened->diagnostics.findings()[0].detail, "smile.bs, frown.bs");
    EXPECT_EQ(opened->diagnostics.findings()[0].count, 2u);
    EXPECT_EQ(opened->scene.clips[0].tracks.size(), 2u);
}

TEST(CastAnimation, KeepsCompletePairsOfKeys) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "hip", "tx", {0, 1, 2}, {1, 2});
        addCurve(cast, "hip", "ty", {0}, {1, 2});
        addCurve(cast, "hip", "tz", {}, {});
    }));
    expectFindings(*opened, {"warning KEY_PAIRS Root[0]/Animation[0]/Curve[0].kb", "warning KEY_PAIRS Root[0]/Animation[0]/Curve[1].kb",
                             "warning CURVE_EMPTY Root[0]/Animation[0]/Curve[2]"});
    ASSERT_EQ(opened->scene.clips[0].tracks.size(), 2u);
    EXPECT_EQ(track(*opened, 0).times.count, 2u);
    EXPECT_EQ(track(*opened, 1).times.count, 1u);
}

TEST(CastAnimation, ReportsCurvesOfUnexpectedTypes) {
    const float four[] = {0, 0, 0, 1};
    const auto opened = openCast(animationFile([&](CastBuilder& cast) {
        cast.begin("curv")
            .text("nn", "a")
            .text("kp", "rq")
            .integers("kb", {0, 1, 2, 3})
            .floats("kv", CastType::f32, four)
            .text("m", "absolute")
            .end();
        cast.begin("curv").text("nn", "a").text("kp", "tx").integers("kb", {0}).f64("kv", 7).text("m", "absolute").end();
        addCurve(cast, "a", "zz", {0}, {1});
        addCurve(cast, "a", "tx", {0}, {1}, "sideways");
    }));
    expectFindings(*opened, {"warning CURVE_VALUES Root[0]/Animation[0]/Curve[0].kv",
                             "warning CURVE_VALUES Root[0]/Animation[0]/Curve[1].kv", "warning CURVE_KIND Root[0]/Animation[0]/Curve[2].kp",
                             "warning VALUE_UNKNOWN Root[0]/Animation[0]/Curve[3].m", "info CURVE_REPEATED Root[0]/Animation[0]"});
    ASSERT_EQ(opened->scene.clips[0].tracks.size(), 2u);
    EXPECT_EQ(list(*opened, track(*opened, 0).values), (Vector<float>{7}));
}

TEST(CastAnimation, NormalizesRotations) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "a", "rq", {0, 1, 2}, {0, 0, 0, 2, 0, 0, 0, 0, std::numeric_limits<float>::quiet_NaN(), 0, 0, 1});
    }));
    expectFindings(*opened,
                   {"warning NON_FINITE Root[0]/Animation[0]/Curve[0].kv", "warning QUATERNION_NOT_UNIT Root[0]/Animation[0]/Curve[0].kv"});
    EXPECT_EQ(list(*opened, track(*opened, 0).values), (Vector<float>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}));
}

TEST(CastAnimation, ReadsFrameRates) {
    for (const float rate : {0.f, -5.f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::denorm_min()}) {
        const auto opened = openCast(castFile([&](CastBuilder& cast) { cast.begin("anim").f32("fr", rate).end(); }));
        expectFindings(*opened, {"warning FRAME_RATE Root[0]/Animation[0].fr"});
        EXPECT_EQ(opened->scene.clips[0].frameRate, 30);
    }
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        cast.begin("anim").f32("fr", 29.97f).u8("lo", 1);
        addCurve(cast, "a", "tx", {3, 4000000000u}, {1, 2});
        cast.end();
    }));
    EXPECT_TRUE(opened->scene.clips[0].loop);
    EXPECT_EQ(list(*opened, track(*opened, 0).times)[0], static_cast<float>(3 / static_cast<double>(29.97f)));
    EXPECT_EQ(opened->scene.clips[0].frameCount, 4000000001u);
}

TEST(CastAnimation, NotificationsBecomeEvents) {
    const float frames[] = {2.5f};
    const auto opened = openCast(animationFile([&](CastBuilder& cast) {
        cast.begin("ntif").text("n", "step").integers("kb", {20, 5, 5}).end();
        cast.begin("ntif").text("n", "old").floats("kb", CastType::f32, frames).end();
    }));
    expectFindings(*opened, {"warning PROPERTY_TYPE Root[0]/Animation[0]/NotificationTrack[1].kb",
                             "info LEGACY_FORM Root[0]/Animation[0]/NotificationTrack[1].kb"});
    Vector<std::pair<float, std::string>> events;
    for (const Event& event : opened->scene.clips[0].events) events.push_back({event.time, opened->scene.strings[event.name]});
    EXPECT_EQ(events, (Vector<std::pair<float, std::string>>{{0.3f, "old"}, {0.5f, "step"}, {0.5f, "step"}, {2, "step"}}));
    EXPECT_EQ(opened->scene.clips[0].duration, 2);
}

TEST(CastAnimation, ModeOverridesApplyBelowTheirBone) {
    const auto file = animationFile([](CastBuilder& cast) {
        cast.begin("skel");
        addBone(cast, "gun", top);
        cast.end();
        cast.begin("CMOV").text("nn", "gun").text("m", "relative").u8("or", 1).end();
        cast.begin("CMOV").text("nn", "missing").text("m", "additive").u8("ot", 1).end();
    });
    const auto opened = openCast(file);
    expectFindings(*opened, {"warning CURVE_TARGET Root[0]/Animation[0]/CurveModeOverride[2].nn"});
    const ModeOverride& made = opened->scene.clips[0].overrides.at(0);
    EXPECT_EQ(made.mode, Mode::relative);
    EXPECT_TRUE(made.rotation);
    EXPECT_FALSE(made.translation || made.scale || made.includesNode);
    EXPECT_TRUE(openCast(file, R"({"cast":{"overrideNamedBone":true}})")->scene.clips[0].overrides.at(0).includesNode);
    EXPECT_EQ(opened->scene.nodes.at(1).bone, 0);  // the skeleton of the animation is shown if there is no model
}

TEST(CastAnimation, SkeletonOfTheModelHasPriority) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        cast.begin("modl").begin("skel");
        addBone(cast, "Hip", top);
        cast.end().end();
        cast.begin("anim").f32("fr", 30).begin("skel");
        addBone(cast, "tail", top);
        cast.end();
        for (const char* kind : {"tx", "ty"}) addCurve(cast, "tail", kind, {0}, {1});
        addCurve(cast, "hip", "tx", {0}, {1});
        cast.end();
    }));
    expectFindings(*opened,
                   {"info SKELETON_UNUSED Root[0]/Animation[1]/Skeleton[0]", "warning CURVE_TARGET Root[0]/Animation[1]/Curve[1].nn"});
}

TEST(CastAnimation, EulerCurvesBecomeRotations) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "a", "rx", {0, 10}, {0, 90});
        addCurve(cast, "a", "rz", {0, 10}, {0, 90});
    }));
    expectFindings(*opened, {"info LEGACY_FORM Root[0]/Animation[0]/Curve[0].kp"});
    EXPECT_EQ(track(*opened, 0).times.count, 11u);
    const auto values = list(*opened, track(*opened, 0).values);
    // Rotates about x, then z: (0, 1, 0) moves to z and stays there; (1, 0, 0) moves to y.
    const Quat last{values[40], values[41], values[42], values[43]};
    EXPECT_NEAR(rotate(last, {0, 1, 0}).z, 1, 1e-6);
    EXPECT_NEAR(rotate(last, {1, 0, 0}).y, 1, 1e-6);
}

TEST(CastAnimation, MatchesNamesWithoutCaseAndPunctuation) {
    const auto opened = openCast(castFile([](CastBuilder& cast) {
        cast.begin("modl").begin("skel");
        addBone(cast, "grp_Hip_L", top);
        cast.end().end().begin("anim").f32("fr", 30);
        addCurve(cast, "grp|hip.L", "tx", {0}, {1});
        addCurve(cast, "grp|hip", "tx", {0}, {1});
        cast.end();
    }));
    expectFindings(*opened, {"warning CURVE_TARGET Root[0]/Animation[1]/Curve[1].nn"});
}

TEST(CastAnimation, OmitsCurvesWithoutNumbers) {
    const float three[] = {1, 2, 3};
    const std::uint8_t letter[] = {'7', 0};
    const auto opened = openCast(animationFile([&](CastBuilder& cast) {
        const auto curve = [&](const char* kind) -> CastBuilder& {
            return cast.begin("curv").text("nn", "a").text("kp", kind).integers("kb", {0}).text("m", "absolute");
        };
        curve("tx").raw("kv", CastType::text, 1, letter).end();
        curve("ty").link("kv", 7).end();
        curve("tz").floats("kv", CastType::vec3, three).end();
        curve("rx").floats("kv", CastType::vec3, three).end();
        curve("sx").u16("kv", 3).end();
    }));
    EXPECT_EQ(opened->diagnostics.total(Severity::warning), 5u);
    ASSERT_EQ(opened->scene.clips[0].tracks.size(), 1u);
    EXPECT_EQ(list(*opened, track(*opened, 0).values), (Vector<float>{3}));
}

TEST(CastAnimation, SharesTimesOfRecentCurves) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        for (std::uint32_t i = 0; i < 18; ++i) addCurve(cast, "a" + std::to_string(i), "tx", {0, i + 1}, {0, 1});
        addCurve(cast, "z", "tx", {0, 18}, {0, 1});
        addCurve(cast, "z", "ty", {0, 1}, {0, 1});
    }));
    expectFindings(*opened, {});
    EXPECT_EQ(track(*opened, 18).times.offset, track(*opened, 17).times.offset);
    EXPECT_EQ(list(*opened, track(*opened, 19).times),
              (Vector<float>{0, 0.1f}));  // after seventeen other lists of times, the first one is stored again
    EXPECT_NE(track(*opened, 19).times.offset, track(*opened, 0).times.offset);
}

TEST(CastAnimation, NamesFiveOfManyRepeatedCurves) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        for (const char* bone : {"a", "b", "c", "d", "e", "f"})
            for (int i = 0; i < 2; ++i) addCurve(cast, bone, "tx", {0}, {1});
    }));
    expectFindings(*opened, {"info CURVE_REPEATED Root[0]/Animation[0]"});
    EXPECT_EQ(opened->diagnostics.findings()[0].count, 6u);
    EXPECT_EQ(opened->diagnostics.findings()[0].detail, "a.tx, b.tx, c.tx, d.tx, e.tx");
}

TEST(CastAnimation, ClampsFramesOutOfRange) {
    const double frames[] = {-3, 2.4, 1e300};
    const std::uint64_t late = 0x100000001;
    const auto opened = openCast(animationFile([&](CastBuilder& cast) {
        cast.begin("ntif").text("n", "step").raw("kb", CastType::f64, 3, {reinterpret_cast<const std::uint8_t*>(frames), 24}).end();
        cast.begin("ntif").text("n", "late").raw("kb", CastType::u64, 1, {reinterpret_cast<const std::uint8_t*>(&late), 8}).end();
        cast.begin("ntif").text("n", "never").raw("kb", CastType::f32, 0, {}).end();
    }));
    Vector<float> times;
    for (const Event& event : opened->scene.clips[0].events) times.push_back(event.time);
    EXPECT_EQ(times, (Vector<float>{0, 0.2f, 429496729.5f, 429496729.5f}));
    EXPECT_EQ(opened->scene.clips[0].frameCount, 0xFFFFFFFF);
}

TEST(CastAnimation, ReplacesAFrameRateThatIsNotANumber) {
    for (const float rate : {1e30f, std::numeric_limits<float>::infinity()})
        EXPECT_EQ(openCast(castFile([&](CastBuilder& cast) { cast.begin("anim").f32("fr", rate).end(); }))->scene.clips[0].frameRate, 30);
    const float three[] = {24, 24, 24};
    const auto opened = openCast(castFile([&](CastBuilder& cast) {
        cast.begin("anim").text("fr", "24").end();
        cast.begin("anim").floats("fr", CastType::vec3, three).end();
        cast.begin("anim").link("fr", 24).end();
    }));
    EXPECT_EQ(opened->scene.clips.at(0).frameRate, 30);
    EXPECT_EQ(opened->scene.clips.at(1).frameRate, 30);
    EXPECT_EQ(opened->scene.clips.at(2).frameRate, 24);
    EXPECT_EQ(opened->finding(Code::PROPERTY_TYPE)->path, "Root[0]/Animation[0].fr");
}

/// Returns (1, 0, 0) rotated by each key of the only track.
Vector<Vec3> turned(const Opened& opened) {
    Vector<Vec3> made;
    const auto values = list(opened, track(opened, 0).values);
    for (std::size_t i = 0; i < values.size(); i += 4)
        made.push_back(rotate(Quat{values[i], values[i + 1], values[i + 2], values[i + 3]}, {1, 0, 0}));
    return made;
}

TEST(CastAnimation, EulerAxesHoldTheirLastKey) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "a", "rx", {0, 4}, {0, 90});
        addCurve(cast, "a", "rz", {1, 2}, {90, 180});
    }));
    const auto x = turned(*opened);
    ASSERT_EQ(x.size(), 5u);
    EXPECT_NEAR(x[0].y, 1, 1e-6);  // before the first key, its value applies
    EXPECT_NEAR(x[1].y, 1, 1e-6);
    EXPECT_NEAR(x[2].x, -1, 1e-6);
    EXPECT_NEAR(x[4].x, -1, 1e-6);  // after the last key, its value applies
}

TEST(CastAnimation, RepairsDamagedEulerCurves) {
    const auto opened = openCast(animationFile([](CastBuilder& cast) {
        addCurve(cast, "a", "ry", {}, {});
        addCurve(cast, "a", "rz", {0, 1}, {90, nan});
    }));
    EXPECT_EQ(opened->finding(Code::CURVE_EMPTY)->path, "Root[0]/Animation[0]/Curve[0]");
    ASSERT_EQ(opened->scene.clips[0].tracks.size(), 1u);
    EXPECT_NEAR(turned(*opened)[0].y, 1, 1e-6);
    EXPECT_NEAR(turned(*opened)[1].x, 1, 1e-6);
}

/// Keys are added for whole frames between keys, unless there are none or too many.
TEST(CastAnimation, OmitsFramesBetweenEulerKeysThatAreTooNearOrTooFar) {
    const float near[] = {0.25f, 0.75f}, angles[] = {0, 90};
    auto opened = openCast(animationFile([&](CastBuilder& cast) {
        cast.begin("curv").text("nn", "a").text("kp", "rz").floats("kb", CastType::f32, near).floats("kv", CastType::f32, angles);
        cast.text("m", "absolute").end();
    }));
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0.025f, 0.075f}));
    opened = openCast(animationFile([](CastBuilder& cast) { addCurve(cast, "a", "rz", {0, 70'000}, {0, 90}); }));
    EXPECT_EQ(list(*opened, track(*opened, 0).times), (Vector<float>{0, 7000}));
}

}  // namespace
}  // namespace rigcast::test
