// Tests recordings that are built in memory: values, repairs, and findings about damage.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <string>

#include "core/budget.hpp"
#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/mrtk/curve.hpp"
#include "formats/mrtk/joints.hpp"
#include "formats/mrtk/pose.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"
#include "scene/validate.hpp"
#include "support/open.hpp"
#include "support/writers/mrtk.hpp"

namespace rigcast {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

struct Opened {
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;
    OpenResult result;

    explicit Opened(const Vector<std::uint8_t>& bytes, std::string_view options = "{}") {
        const Value parsed = parseJson(options);
        const Budget budget(Budget::memoryFor(bytes.size()), Budget::workFor(bytes.size()));
        result = openScene({.bytes = bytes, .name = "take.bin", .options = &parsed, .supplied = {}}, {}, scene, arena, diagnostics);
        if (result.hasScene) test::expectSound(scene, arena);
    }
    const Finding* finding(Code code) const {
        for (const Finding& finding : diagnostics.findings())
            if (finding.code == code) return &finding;
        return nullptr;
    }
    const Track* track(std::string_view node, Path path, std::uint8_t component = allComponents) const {
        for (const Track& track : scene.clips.at(0).tracks)
            if (scene.strings[track.target] == node && track.path == path && track.component == component) return &track;
        return nullptr;
    }
};

MrtkKey key(float time, float value) { return {.time = time, .value = value}; }

/// Returns a recording of version 1.1 with a camera that moves from the origin to (1, 2, 3) in two
/// seconds.
MrtkBuilder cameraTake() {
    MrtkBuilder builder(1, true, false, false);
    for (std::size_t i = 0; i < 3; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(2, static_cast<float>(i + 1))});
    for (std::size_t i = 3; i < 6; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0)});
    builder.setCurve(6, Vector<MrtkKey>{key(0, 1)});
    return builder;
}

Vector<std::uint8_t> patched(Vector<std::uint8_t> bytes, std::size_t offset, std::int32_t value) {
    std::memcpy(bytes.data() + offset, &value, 4);
    return bytes;
}

constexpr std::size_t firstCurve = 19;  // offset of the first curve of a 1.1 file

TEST(MrtkRecording, mirrorsTheCameraIntoRightHandedSpace) {
    const Opened opened(cameraTake().write());
    ASSERT_TRUE(opened.result.hasScene);
    const Track* track = opened.track("camera", Path::translation);
    ASSERT_NE(track, nullptr);
    const auto values = opened.arena.values(track->values);
    ASSERT_EQ(values.size(), 6u);
    EXPECT_FLOAT_EQ(values[3], 1);
    EXPECT_FLOAT_EQ(values[4], 2);
    EXPECT_FLOAT_EQ(values[5], -3);
    EXPECT_FLOAT_EQ(opened.scene.clips[0].duration, 2);
    EXPECT_EQ(opened.diagnostics.total(Severity::error), 0u);
    EXPECT_EQ(opened.diagnostics.total(Severity::warning), 0u);
}

TEST(MrtkRecording, mergesComponentsWithDifferentKeyTimesWithoutLoss) {
    MrtkBuilder builder = cameraTake();
    builder.setCurve(1, Vector<MrtkKey>{key(0, 0), key(0.5f, 5), key(2, 2)});
    const Opened opened(builder.write());
    const Track* track = opened.track("camera", Path::translation);
    ASSERT_NE(track, nullptr);
    const auto times = opened.arena.values(track->times);
    const auto values = opened.arena.values(track->values);
    ASSERT_EQ(times.size(), 3u);
    EXPECT_FLOAT_EQ(times[1], 0.5f);
    EXPECT_FLOAT_EQ(values[3], 0.25f);
    EXPECT_FLOAT_EQ(values[4], 5);
    EXPECT_FLOAT_EQ(values[5], -0.75f);
}

TEST(MrtkRecording, keepsAJumpAtOneTime) {
    MrtkBuilder builder = cameraTake();
    builder.setCurve(0, Vector<MrtkKey>{key(0, 0), key(1, 1), key(1, 7), key(2, 8)});
    const Opened opened(builder.write());
    EXPECT_NE(opened.finding(Code::KEYS_DUPLICATE), nullptr);
    const Track* track = opened.track("camera", Path::translation);
    const auto times = opened.arena.values(track->times);
    const auto values = opened.arena.values(track->values);
    ASSERT_EQ(times.size(), 4u);
    EXPECT_FLOAT_EQ(values[3], 1);
    EXPECT_FLOAT_EQ(values[6], 7);
}

TEST(MrtkRecording, namesJointsAsWebXRAndHidesAbsentOnes) {
    MrtkBuilder builder(1, false, true, false);
    const auto& document = builder.document();
    builder.setCurve(document.stateStart(), Vector<MrtkKey>{key(0, 1)});
    const std::size_t wrist = document.jointStart(0, 1);
    for (std::size_t i = 0; i < 6; ++i) builder.setCurve(wrist + i, Vector<MrtkKey>{key(0, i < 3 ? 0.25f : 0)});
    builder.setCurve(wrist + 6, Vector<MrtkKey>{key(0, 1)});
    const Opened opened(builder.write());
    ASSERT_TRUE(opened.result.hasScene);
    ASSERT_EQ(opened.scene.nodes.size(), 1u + 2 * 27u);
    const auto& strings = opened.scene.strings;
    EXPECT_EQ(strings[opened.scene.nodes[1].name], "hand.left");
    EXPECT_TRUE(opened.scene.nodes[1].visible);
    EXPECT_EQ(strings[opened.scene.nodes[2].name], "wrist");
    EXPECT_TRUE(opened.scene.nodes[2].visible);
    EXPECT_DOUBLE_EQ(opened.scene.nodes[2].local.translation.z, -0.25);
    EXPECT_EQ(strings[opened.scene.nodes[9].name], "index-finger-phalanx-proximal");
    EXPECT_FALSE(opened.scene.nodes[9].visible);
    EXPECT_EQ(strings[opened.scene.nodes[28].name], "hand.right");
    EXPECT_FALSE(opened.scene.nodes[28].visible);
}

/// Both hands have joints of the same names. The occurrence of a track distinguishes the hands, also
/// if a joint was recorded for one hand only.
TEST(MrtkRecording, jointsOfTheRightHandAreTheSecondOccurrence) {
    MrtkBuilder builder(1, false, true, false);
    const auto& document = builder.document();
    for (int hand = 0; hand < 2; ++hand) {
        builder.setCurve(document.stateStart() + static_cast<std::size_t>(hand), Vector<MrtkKey>{key(0, 1)});
        const std::size_t joint = document.jointStart(hand, 1 + hand);  // left wrist, right palm
        for (std::size_t i = 0; i < 3; ++i) builder.setCurve(joint + i, Vector<MrtkKey>{key(0, 0), key(1, 1)});
        // Components with different times have one track each.
        for (std::size_t i = 3; i < 7; ++i)
            builder.setCurve(joint + i, Vector<MrtkKey>{key(0, 0.5f), key(0.1f * static_cast<float>(i), 0.1f)});
    }
    const Opened opened(builder.write());
    std::size_t joints = 0;
    for (const Track& track : opened.scene.clips[0].tracks) {
        const std::string_view name = opened.scene.strings[track.target];
        const bool isJoint = name == "wrist" || name == "palm";
        joints += isJoint;
        EXPECT_EQ(track.occurrence, name == "palm" ? 1u : 0u) << name;
    }
    EXPECT_EQ(joints, 2u * 5);
}

TEST(MrtkRecording, holdsStatesUntilTheNextKey) {
    MrtkBuilder builder(1, false, true, false);
    builder.setCurve(builder.document().stateStart() + 2, Vector<MrtkKey>{key(0, 0), key(1, 1), key(2, 0)});
    const Opened opened(builder.write());
    const Track* track = opened.track("hand.left", Path::property);
    ASSERT_NE(track, nullptr);
    EXPECT_EQ(opened.scene.strings[track->property], "left.pinch");
    EXPECT_EQ(track->interpolation, Interpolation::step);
}

/// If components have keys at different times, the length of interpolated rotations affects the
/// result, so each component keeps its own track.
TEST(MrtkRecording, componentsWithDifferentTimesKeepTheirLength) {
    const Vector<Vector<MrtkKey>> curves{{key(0, 0), key(1, 0.3f)},
                                         {key(0, 0.1f), key(0.25f, -0.2f), key(1, 0.1f)},
                                         {key(0, 0), key(0.8f, 0.4f), key(1, 0)},
                                         {key(0, 1), key(0.5f, 0.8f), key(1, 0.9f)}};
    MrtkBuilder builder = cameraTake();
    for (std::size_t i = 0; i < 4; ++i) builder.setCurve(3 + i, curves[i]);
    const Opened opened(builder.write());
    EXPECT_EQ(opened.track("camera", Path::rotation), nullptr);
    Vector<Vector<MrtkKey>> components;
    for (std::uint8_t c = 0; c < 4; ++c) {
        const Track* track = opened.track("camera", Path::rotation, c);
        ASSERT_NE(track, nullptr);
        EXPECT_EQ(track->interpolation, Interpolation::linear);
        const auto times = opened.arena.values(track->times), values = opened.arena.values(track->values);
        Vector<MrtkKey>& keys = components.emplace_back();
        for (std::size_t k = 0; k < times.size(); ++k) keys.push_back(key(times[k], values[k]));
    }
    const auto valueAt = [](const auto& keys, float t) {
        std::size_t k = 0;
        while (k + 2 < keys.size() && keys[k + 1].time <= t) ++k;
        return keys[k].value + (keys[k + 1].value - keys[k].value) * double{t - keys[k].time} / (keys[k + 1].time - keys[k].time);
    };
    for (const float t : {0.f, 0.1f, 0.3f, 0.6f, 0.9f}) {
        double wanted[4], got[4], product = 0, wantedSize = 0, gotSize = 0;
        for (std::size_t c = 0; c < 4; ++c) {
            wanted[c] = valueAt(curves[c], t) * (c < 2 ? -1 : 1);  // mirrored
            got[c] = valueAt(components[c], t);
            product += wanted[c] * got[c];
            wantedSize += wanted[c] * wanted[c];
            gotSize += got[c] * got[c];
        }
        EXPECT_NEAR(product / std::sqrt(wantedSize * gotSize), 1, 1e-9) << t;
    }
}

TEST(MrtkRecording, turnsMarkersIntoEventsInTheOrderOfTime) {
    MrtkBuilder builder = cameraTake();
    builder.addMarker(1.5f, std::string(200, 'a'));
    builder.addMarker(0.5f, "start");
    const Opened opened(builder.write());
    const auto& events = opened.scene.clips.at(0).events;
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(opened.scene.strings[events[0].name], "start");
    EXPECT_EQ(opened.scene.strings[events[1].name].size(), 200u);
}

TEST(MrtkRecording, followsTheGazeDirectionBetweenKeys) {
    MrtkBuilder builder(1, false, false, true);
    const float quarter = std::numbers::sqrt2_v<float> / 2;
    // The gaze moves from straight ahead (+Z in Unity) to the right (+X) on a straight line, so it
    // is at 45 degrees after half of the time.
    builder.setCurve(3, Vector<MrtkKey>{key(0, 0), key(1, 1)});
    builder.setCurve(4, Vector<MrtkKey>{key(0, 0)});
    builder.setCurve(5, Vector<MrtkKey>{key(0, 1), key(1, 0)});
    const Opened opened(builder.write());
    const Track* track = opened.track("gaze", Path::rotation);
    ASSERT_NE(track, nullptr);
    const auto times = opened.arena.values(track->times);
    const auto values = opened.arena.values(track->values);
    bool sawMiddle = false;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const Vec3 ahead = rotate(Quat{values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]}, {0, 0, -1});
        const double t = times[i], size = std::hypot(t, 1 - t);
        EXPECT_NEAR(ahead.x, t / size, 1e-6);
        EXPECT_NEAR(ahead.z, -(1 - t) / size, 1e-6);
        if (t == 0.5) {
            sawMiddle = true;
            EXPECT_NEAR(ahead.x, quarter, 1e-6);
        }
    }
    EXPECT_TRUE(sawMiddle);
}

TEST(MrtkRecording, pingPongGazeIsExactAtEveryReversal) {
    MrtkBuilder builder(1, false, false, true);
    // The gaze moves from straight ahead at 1 s to the right at 2 s. Before and after, it moves
    // back and forth (ping-pong).
    builder.setCurve(3, Vector<MrtkKey>{key(1, 0), key(2, 1)}, 4, 4);
    builder.setCurve(4, Vector<MrtkKey>{key(1, 0)});
    builder.setCurve(5, Vector<MrtkKey>{key(1, 1), key(2, 0)}, 4, 4);
    builder.setCurve(0, Vector<MrtkKey>{key(-0.5f, 0), key(3.5f, 1)});
    const Opened opened(builder.write());
    const Track* track = opened.track("gaze", Path::rotation);
    ASSERT_NE(track, nullptr);
    const auto times = opened.arena.values(track->times), values = opened.arena.values(track->values);
    std::size_t turns = 0;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const double t = times[i], side = std::fabs(std::remainder(t - 1, 2)), size = std::hypot(side, 1 - side);
        const Vec3 ahead = rotate(Quat{values[4 * i], values[4 * i + 1], values[4 * i + 2], values[4 * i + 3]}, {0, 0, -1});
        EXPECT_NEAR(ahead.x, side / size, 1e-6) << t;
        turns += t == 0 || t == 1 || t == 2 || t == 3;
    }
    EXPECT_EQ(turns, 4u);
}

TEST(MrtkRecording, gazeThatRepeatsOftenHasFewKeys) {
    // Found by fuzzing: a file of some hundred bytes that requested 100,000 repetitions with a
    // thousand keys each.
    MrtkBuilder builder(1, false, false, true);
    const std::size_t direction = builder.document().gazeStart() + 3;
    for (std::size_t i = 0; i < 3; ++i) {
        const float turn = static_cast<float>(i);
        builder.setCurve(direction + i, Vector<MrtkKey>{key(0, 1 - turn), key(0.01f, turn), key(0.02f, -turn)}, 2, 2);
    }
    builder.setCurve(direction - 1, Vector<MrtkKey>{key(0, 0), key(50'000, 1)});
    const Opened opened(builder.write());
    const Track* track = opened.track("gaze", Path::rotation);
    ASSERT_NE(track, nullptr);
    EXPECT_GT(opened.arena.values(track->times).size(), 10'000u);
    EXPECT_LE(opened.arena.values(track->times).size(), 20'000u);
    EXPECT_NE(opened.finding(Code::GAZE_COARSE), nullptr);
}

TEST(MrtkRecording, gazeOfExtremeTimesHasFewKeys) {
    // Found by fuzzing: a curve that repeats within the shortest possible time, next to an
    // extremely long one.
    MrtkBuilder builder(1, false, false, true);
    const std::size_t direction = builder.document().gazeStart() + 3;
    builder.setCurve(direction, Vector<MrtkKey>{key(1, 0.6f), key(1.85e28f, 7.86e34f), key(2.5e30f, 7.37e31f)}, 1, 0);
    builder.setCurve(direction + 1, Vector<MrtkKey>{key(0, 1), key(0.8f, 2), key(1.4f, 3.5f)}, 0, 1);
    builder.setCurve(direction + 2, Vector<MrtkKey>{key(4.2e-45f, 0), key(1.4e-42f, 1)}, 8, 4);
    const Opened opened(builder.write());
    const Track* track = opened.track("gaze", Path::rotation);
    ASSERT_NE(track, nullptr);
    EXPECT_LE(opened.arena.values(track->times).size(), 20'000u);
    EXPECT_NE(opened.finding(Code::GAZE_COARSE), nullptr);
}

TEST(MrtkRecording, alignsSignsUnlessDisabled) {
    MrtkBuilder builder = cameraTake();
    const float half = std::numbers::sqrt2_v<float> / 2;
    builder.setCurve(3, Vector<MrtkKey>{key(0, 0), key(1, 0)});
    builder.setCurve(4, Vector<MrtkKey>{key(0, 0), key(1, -half)});
    builder.setCurve(5, Vector<MrtkKey>{key(0, 0), key(1, 0)});
    builder.setCurve(6, Vector<MrtkKey>{key(0, 1), key(1, -half)});
    const auto bytes = builder.write();
    const Opened aligned(bytes), raw(bytes, R"({"mrtk":{"alignSigns":false}})");
    EXPECT_NE(aligned.finding(Code::SIGN_FLIPS), nullptr);
    EXPECT_EQ(raw.finding(Code::SIGN_FLIPS), nullptr);
    EXPECT_NEAR(aligned.arena.values(aligned.track("camera", Path::rotation)->values)[7], half, 1e-6);
    EXPECT_NEAR(raw.arena.values(raw.track("camera", Path::rotation)->values)[7], -half, 1e-6);
}

TEST(MrtkRecording, rebuildsALostWThroughItsZeroCrossing) {
    // A full rotation about x in 24 steps: w changes from 1 through 0 to -1. The recorder has
    // stored only its first key.
    MrtkBuilder builder = cameraTake();
    Vector<MrtkKey> x, zero;
    const int steps = 24;
    for (int i = 0; i <= steps; ++i) {
        const float time = static_cast<float>(i) / steps, angle = 2 * std::numbers::pi_v<float> * time;
        x.push_back(key(time, std::sin(angle / 2)));
        zero.push_back(key(time, 0));
    }
    builder.setCurve(3, x);
    builder.setCurve(4, zero);
    builder.setCurve(5, zero);
    builder.setCurve(6, Vector<MrtkKey>{key(0, 1)});
    const auto bytes = builder.write();
    const Opened opened(bytes);
    EXPECT_NE(opened.finding(Code::ROTATION_W_LOST), nullptr);
    const auto values = opened.arena.values(opened.track("camera", Path::rotation)->values);
    ASSERT_EQ(values.size(), 4u * (steps + 1));
    for (int i = 0; i <= steps; ++i) {
        const float angle = 2 * std::numbers::pi_v<float> * static_cast<float>(i) / steps;
        const float agreement = -values[4 * i] * std::sin(angle / 2) + values[4 * i + 3] * std::cos(angle / 2);
        EXPECT_NEAR(std::fabs(agreement), 1, 1e-3) << "step " << i;
    }
    const Opened kept(bytes, R"({"mrtk":{"rebuildW":false}})");
    const Track* w = kept.track("camera", Path::rotation, 3);
    ASSERT_NE(w, nullptr);
    EXPECT_EQ(kept.arena.values(w->values).back(), 1);
}

TEST(MrtkRecording, reportsRotationsOfZeroOrUnusualLength) {
    MrtkBuilder builder = cameraTake();
    const float w[] = {1, 0, 2};
    for (std::size_t i = 3; i < 7; ++i) {
        Vector<MrtkKey> keys;
        for (std::size_t k = 0; k < 3; ++k) keys.push_back(key(static_cast<float>(k), i == 6 ? w[k] : 0));
        builder.setCurve(i, keys);
    }
    const Opened opened(builder.write());
    Vector<std::string> reported;
    for (const Finding& finding : opened.diagnostics.findings())
        if (finding.code == Code::QUATERNION_NOT_UNIT) reported.push_back(std::string(nameOf(finding.severity)) + ": " + finding.detail);
    EXPECT_EQ(reported, (Vector<std::string>{"warning: rotation keys of camera", "info: zero rotations of camera"}));
    const auto values = opened.arena.values(opened.track("camera", Path::rotation)->values);
    ASSERT_EQ(values.size(), 12u);
    EXPECT_EQ(values[7], 1);  // an invalid rotation becomes the previous one
    EXPECT_EQ(values[11], 1);
}

/// Rotations of a track have unit length. Small deviations, which tracking devices cause, are
/// corrected without a finding.
TEST(MrtkRecording, rotationsOfATrackHaveUnitLength) {
    for (const double off : {0.0, 1e-4, 2e-3, 0.02, 0.9}) {
        MrtkBuilder builder = cameraTake();
        for (std::size_t i = 3; i < 7; ++i) {
            const auto value = static_cast<float>((i == 3 ? 0.6 : i == 6 ? 0.8 : 0) * (1 - off));
            builder.setCurve(i, Vector<MrtkKey>{key(0, value), key(1, value)});
        }
        const Opened opened(builder.write());
        EXPECT_EQ(opened.finding(Code::QUATERNION_NOT_UNIT) != nullptr, off > 0.01) << off;
        const Track* track = opened.track("camera", Path::rotation);
        ASSERT_NE(track, nullptr);
        const auto values = opened.arena.values(track->values);
        EXPECT_NEAR(values[3], off == 1e-4 ? 0.8 * (1 - off) : 0.8, 1e-6) << off;  // small deviations are kept
    }
}

/// If components have keys at different times, a rotation of zero length becomes the previous one.
TEST(MrtkRecording, reportsZeroRotationsBetweenKeysOfComponents) {
    MrtkBuilder builder = cameraTake();
    for (std::size_t i = 3; i < 6; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(3, 0)});
    builder.setCurve(6, Vector<MrtkKey>{key(0, 1), key(1, 0), key(3, 0.17f)});
    const Opened opened(builder.write());
    const Track* track = opened.track("camera", Path::rotation);
    ASSERT_NE(track, nullptr);
    const auto values = opened.arena.values(track->values);
    ASSERT_EQ(values.size(), 12u);
    EXPECT_EQ(values[7], 1);
    EXPECT_EQ(values[11], 1);
    Vector<std::string> reported;
    for (const Finding& finding : opened.diagnostics.findings())
        if (finding.code == Code::QUATERNION_NOT_UNIT) reported.push_back(std::string(nameOf(finding.severity)) + ": " + finding.detail);
    EXPECT_EQ(reported, (Vector<std::string>{"warning: rotation keys of camera", "info: zero rotations of camera"}));
}

TEST(MrtkRecording, twoKeysOfWAtOtherTimesAreNotALoss) {
    for (const float first : {0.f, 0.5f}) {
        MrtkBuilder builder = cameraTake();
        for (std::size_t i = 3; i < 6; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(1, 0), key(2, 0)});
        builder.setCurve(6, Vector<MrtkKey>{key(first, 1), key(1.5f, 1)});
        EXPECT_EQ(Opened(builder.write()).finding(Code::ROTATION_W_LOST), nullptr) << first;
    }
}

TEST(MrtkRecording, rebuildsALostWAcrossAJump) {
    MrtkBuilder builder = cameraTake();
    builder.setCurve(3, Vector<MrtkKey>{key(0, 0), key(1, 0), key(1, 0.6f), key(2, 0.6f)});
    for (std::size_t i = 4; i < 6; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(1, 0), key(1, 0), key(2, 0)});
    const Opened opened(builder.write());
    EXPECT_NE(opened.finding(Code::ROTATION_W_LOST), nullptr);
    const auto values = opened.arena.values(opened.track("camera", Path::rotation)->values);
    ASSERT_EQ(values.size(), 16u);
    EXPECT_NEAR(values[7], 1, 1e-6);  // value before the jump
    EXPECT_NEAR(values[11], 0.8, 1e-6);
}

TEST(MrtkRecording, aComponentWithoutKeysIsZero) {
    MrtkBuilder builder(0, true, true, false);
    builder.setCurve(
        3, Vector<MrtkKey>{{.time = 0, .value = 0, .outTangent = 1, .weightedMode = 0}, {.time = 1, .value = 0.5f, .weightedMode = 0}});
    builder.setCurve(6, Vector<MrtkKey>{key(0, 1)});
    const Opened opened(builder.write());
    EXPECT_NE(opened.finding(Code::COMPONENT_TIMES), nullptr);
    const Track* y = opened.track("camera", Path::rotation, 1);
    ASSERT_NE(y, nullptr);
    EXPECT_EQ(opened.arena.values(y->values)[0], 0);
    EXPECT_TRUE(opened.track("camera", Path::rotation, 0)->tangents.present());
}

TEST(MrtkRecording, oneCurvedComponentSplitsThePositionIntoComponents) {
    for (std::size_t curved = 0; curved < 3; ++curved) {
        MrtkBuilder builder(0, true, true, false);
        for (std::size_t i = 0; i < 3; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(1, 1)});
        builder.setCurve(curved, Vector<MrtkKey>{{.time = 0, .value = 0, .outTangent = 3, .weightedMode = 0},
                                                 {.time = 1, .value = 1, .weightedMode = 0}});
        const Opened opened(builder.write());
        const Track* track = opened.track("camera", Path::translation, static_cast<std::uint8_t>(curved));
        ASSERT_NE(track, nullptr) << curved;
        EXPECT_EQ(opened.arena.values(track->tangents)[1], curved == 2 ? -3 : 3);  // z is mirrored
    }
}

TEST(MrtkRecording, slopesChangeSignWithTheirKeys) {
    MrtkBuilder builder(0, true, true, false);
    const auto curve = [](float first, float second, float slope) {
        return Vector<MrtkKey>{{.time = 0, .value = first, .outTangent = slope, .weightedMode = 0},
                               {.time = 1, .value = second, .inTangent = slope, .outTangent = slope, .weightedMode = 0}};
    };
    builder.setCurve(3, curve(0.6f, -0.6f, 1));
    for (std::size_t i = 4; i < 6; ++i) builder.setCurve(i, curve(0, 0, 0));
    builder.setCurve(6, curve(0.8f, -0.8f, 0));
    const Opened opened(builder.write());
    EXPECT_NE(opened.finding(Code::SIGN_FLIPS), nullptr);
    const Track* x = opened.track("camera", Path::rotation, 0);
    ASSERT_NE(x, nullptr);
    EXPECT_NEAR(opened.arena.values(x->values)[1], -0.6, 1e-6);  // mirrored, and aligned with the previous key
    const auto tangents = opened.arena.values(x->tangents);
    EXPECT_EQ(tangents[1], -1);  // out tangent of the first key
    EXPECT_EQ(tangents[2], 1);   // in tangent of the second key, whose sign was changed
}

TEST(MrtkRecording, statesAfterTheLastPoseAreALostTail) {
    MrtkBuilder builder(1, true, true, false);
    for (std::size_t i = 0; i < 3; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, 0), key(2, 1)});
    builder.setCurve(builder.document().stateStart(), Vector<MrtkKey>{key(0, 1), key(5, 0)});
    const Opened opened(builder.write());
    ASSERT_NE(opened.finding(Code::TAIL_LOST), nullptr);
    EXPECT_EQ(opened.finding(Code::TAIL_LOST)->detail, "3.0 s");
}

TEST(MrtkRecording, keysBeyondADayDoNotExtendTheClip) {
    MrtkBuilder builder = cameraTake();
    for (std::size_t i = 0; i < 7; ++i) builder.setCurve(i, Vector<MrtkKey>{key(100'000, 0), key(200'000, 1)});
    const Opened opened(builder.write());
    EXPECT_NE(opened.finding(Code::TIME_SUSPICIOUS), nullptr);
    EXPECT_EQ(opened.scene.clips.at(0).duration, 0);
}

/// Opens a recording of a hand with thumb and wrist. `places` returns the positions of a joint, one
/// for each of `times`.
Opened handTake(const Vector<float>& times, const std::function<Vector<float>(int joint)>& places, const Vector<MrtkKey>& tracked) {
    MrtkBuilder builder(1, false, true, false);
    builder.setCurve(builder.document().stateStart(), tracked);
    for (const int joint : {1, 3, 4, 5}) {
        const Vector<float> x = places(joint);
        const std::size_t first = builder.document().jointStart(0, joint);
        for (std::size_t i = 0; i < 3 && !x.empty(); ++i) {
            Vector<MrtkKey> keys;
            for (std::size_t k = 0; k < times.size(); ++k) keys.push_back(key(times[k], i == 0 ? x[k] : 0));
            builder.setCurve(first + i, keys);
        }
        for (std::size_t i = 3; i < 7; ++i) builder.setCurve(first + i, Vector<MrtkKey>{key(0, i == 6 ? 1 : 0)});
    }
    return Opened(builder.write());
}

TEST(MrtkRecording, constantBoneLengthsHaveNoFinding) {
    const auto sound = handTake({0, 0.1f}, [](int joint) { return Vector<float>{0.03f * joint, 0.03f * joint + 1}; }, {key(0, 1)});
    EXPECT_EQ(sound.finding(Code::BONE_LENGTH), nullptr);
    const auto stretched = handTake({0, 0.1f},
                                    [](int joint) {
                                        return Vector<float>{0.03f * joint, joint == 4 ? 0.2f : 0.03f * joint};
                                    },
                                    {key(0, 1)});
    ASSERT_NE(stretched.finding(Code::BONE_LENGTH), nullptr);
    EXPECT_EQ(stretched.finding(Code::BONE_LENGTH)->path, "hand.left");
    // A joint without a position has no bone.
    const auto turning = handTake({0, 0.1f}, [](int joint) { return joint == 4 ? Vector<float>{} : Vector<float>{0, 0}; }, {key(0, 1)});
    EXPECT_EQ(turning.finding(Code::BONE_LENGTH), nullptr);
}

TEST(MrtkRecording, reportsGapsOnlyWhileTheHandIsTracked) {
    const auto still = [](int) { return Vector<float>{0, 0}; };
    // Only keys with tangents indicate a gap, because recorders omit simple keys while nothing
    // moves.
    EXPECT_EQ(handTake({0, 3}, still, {key(0, 1)}).finding(Code::TIME_JUMP), nullptr);
    EXPECT_EQ(handTake({0, 3}, still, {key(0, 1), key(1, 0)}).finding(Code::TIME_JUMP), nullptr);
    EXPECT_EQ(handTake({0, 3}, still, {key(0, 0)}).finding(Code::TIME_JUMP), nullptr);
}

// ------------------------------------------------------------------------------------------------ curves

PlayCurve curveOf(const Vector<MrtkKey>& keys, std::int32_t preWrap = 8, std::int32_t postWrap = 8) {
    static Diagnostics ignored;
    MrtkBuilder builder(0, true, true, false);
    builder.setCurve(0, keys, preWrap, postWrap);
    return playable(builder.document(), 0, ignored);
}

TEST(MrtkCurve, clampsToTheRangeOfFloat) {
    const PlayCurve curve = curveOf({{.time = 0, .value = 3e38f, .outTangent = 3e38f, .weightedMode = 0},
                                     {.time = 8, .value = 3e38f, .inTangent = -3e38f, .weightedMode = 0}});
    EXPECT_EQ(evaluate(curve, 4), static_cast<double>(std::numeric_limits<float>::max()));
}

TEST(MrtkCurve, evaluatesUnweightedTangentsAsHermite) {
    const PlayCurve curve =
        curveOf({{.time = 0, .value = 1, .outTangent = 2, .weightedMode = 0}, {.time = 2, .value = 3, .inTangent = -1, .weightedMode = 0}});
    for (double t = 0; t <= 2; t += 0.125) {
        const double u = t / 2, m0 = 4, m1 = -2;
        const double wanted = (2 * u * u * u - 3 * u * u + 1) * 1 + (u * u * u - 2 * u * u + u) * m0 + (3 * u * u - 2 * u * u * u) * 3 +
                              (u * u * u - u * u) * m1;
        EXPECT_NEAR(evaluate(curve, t), wanted, 1e-12);
    }
}

TEST(MrtkCurve, weightsOfOneThirdAreHermiteAndOfZeroLinear) {
    const auto with = [](float weight) {
        return curveOf(
            {{.time = 0, .value = 1, .outTangent = 2, .outWeight = weight}, {.time = 2, .value = 3, .inTangent = -1, .inWeight = weight}});
    };
    const PlayCurve hermite =
        curveOf({{.time = 0, .value = 1, .outTangent = 2, .weightedMode = 0}, {.time = 2, .value = 3, .inTangent = -1, .weightedMode = 0}});
    for (double t = 0; t <= 2; t += 0.125) {
        EXPECT_NEAR(evaluate(with(1.f / 3), t), evaluate(hermite, t), 1e-6);
        EXPECT_NEAR(evaluate(with(0), t), 1 + t, 1e-12);
    }
}

TEST(MrtkCurve, infiniteTangentsHoldTheLeftKey) {
    const PlayCurve curve =
        curveOf({{.time = 0, .value = 1, .outTangent = infinity, .weightedMode = 0}, {.time = 1, .value = 5, .weightedMode = 0}});
    EXPECT_EQ(evaluate(curve, 0.999), 1);
    EXPECT_EQ(evaluate(curve, 1), 5);
}

TEST(MrtkCurve, wrapsOutsideItsKeys) {
    const PlayCurve loop = curveOf({{.time = 1, .value = 0}, {.time = 3, .value = 2}}, 2, 2),
                    back = curveOf({{.time = 1, .value = 0}, {.time = 3, .value = 2}}, 4, 4);
    EXPECT_NEAR(evaluate(loop, 3.5), 0.5, 1e-12);
    EXPECT_NEAR(evaluate(loop, 0.5), 1.5, 1e-12);
    EXPECT_NEAR(evaluate(back, 3.5), 1.5, 1e-12);
    EXPECT_NEAR(evaluate(back, 0.5), 0.5, 1e-12);
}

TEST(MrtkCurve, lastKeyAppliesIfAllHaveOneTime) {
    const PlayCurve curve = curveOf({{.time = 1, .value = 3}, {.time = 1, .value = 4}});
    ASSERT_EQ(curve.size(), 1u);
    EXPECT_EQ(evaluate(curve, 0), 4);
    EXPECT_EQ(evaluate(curve, 2), 4);
}

TEST(MrtkCurve, emptyIsZero) { EXPECT_EQ(evaluate(PlayCurve{}, 3), 0); }

TEST(MrtkCurve, valuesAtManyTimesEqualThoseAtEachTime) {
    const PlayCurve own = curveOf({{.time = 0, .value = -0.f}, {.time = 1, .value = 7}, {.time = 3, .value = -0.f}}),
                    zeros = curveOf({{.time = 0, .value = -0.f}, {.time = 1, .value = -0.f}, {.time = 3, .value = -0.f}}),
                    other = curveOf({{.time = 0.5f, .value = 2}, {.time = 2, .value = 3}}),
                    jump = curveOf({{.time = 0, .value = 1}, {.time = 1, .value = 2}, {.time = 1, .value = 9}, {.time = 3, .value = 4}});
    const PlayCurve none;
    using Curves = std::initializer_list<const PlayCurve*>;
    for (const Curves curves :
         {Curves{&own, &zeros}, Curves{&own, &none, &other}, Curves{&jump, &own}, Curves{&jump}, Curves{&none, &none}}) {
        const Vector<double> times = mergedTimes(curves), values = valuesAt(curves, times);
        ASSERT_EQ(values.size(), times.size() * curves.size());
        for (std::size_t i = 0; i < times.size(); ++i)
            for (std::size_t k = 0; k < curves.size(); ++k) {
                const bool isBefore = i + 1 < times.size() && times[i + 1] == times[i];
                EXPECT_EQ(bitCast<std::uint64_t>(values[i * curves.size() + k]),
                          bitCast<std::uint64_t>(evaluate(*curves.begin()[k], times[i], isBefore)));
            }
    }
    EXPECT_EQ(mergedTimes({&own, &jump}), (Vector<double>{0, 1, 1, 3}));
}

// ------------------------------------------------------------------------------------------------ the file

TEST(MrtkDocument, otherLayoutsAndFilesWithoutMarkersAreWrittenByteForByte) {
    MrtkBuilder foreign(1, true, false, false);
    foreign.document().layout.wideFlags = true;
    foreign.setCurve(0, Vector<MrtkKey>{key(0, 0), key(1, 1)});
    const auto wide = foreign.write();
    MrtkDocument document;
    Diagnostics diagnostics;
    ASSERT_TRUE(readMrtk(wide, true, false, document, diagnostics));
    EXPECT_TRUE(document.layout.wideFlags);
    EXPECT_EQ(writeMrtk(document), wide);

    MrtkBuilder plain = cameraTake();
    plain.document().hasMarkerList = false;
    const auto bytes = plain.write();
    ASSERT_TRUE(readMrtk(bytes, false, false, document, diagnostics));
    EXPECT_EQ(writeMrtk(document), bytes);
}

TEST(MrtkDocument, truncatedRecordingPlaysItsCompleteKeys) {
    MrtkBuilder builder(1, false, false, true);
    for (std::size_t i = 0; i < 6; ++i) builder.setCurve(i, Vector<MrtkKey>{key(0, i == 5), key(1, 1)});
    auto bytes = builder.write();
    bytes.resize(bytes.size() - 12);  // inside the last curve
    const Opened opened(bytes);
    EXPECT_NE(opened.finding(Code::TRUNCATED), nullptr);
    ASSERT_TRUE(opened.result.hasScene);
    EXPECT_NE(opened.track("gaze", Path::translation), nullptr);
}

TEST(MrtkDocument, isWrittenByteForByte) {
    MrtkBuilder builder = cameraTake();
    builder.addMarker(1, std::string(128, 'x'));
    auto bytes = builder.write();
    bytes.push_back(7);  // trailing bytes are kept
    MrtkDocument document;
    Diagnostics diagnostics;
    ASSERT_TRUE(readMrtk(bytes, false, true, document, diagnostics));
    EXPECT_EQ(writeMrtk(document), bytes);
}

TEST(MrtkDocument, everyPrefixIsReadAndReported) {
    MrtkBuilder builder = cameraTake();
    builder.addMarker(1, "marker");
    const auto bytes = builder.write();
    const std::size_t markers = bytes.size() - 4 - 4 - 1 - 6;  // files may end before the list of markers
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        const Vector<std::uint8_t> prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        const Opened opened(prefix);
        if (size == markers)
            EXPECT_NE(opened.finding(Code::MARKERS_MISSING), nullptr);
        else
            EXPECT_GT(opened.diagnostics.total(Severity::error), 0u) << size;
    }
}

struct Damage {
    const char* name;
    std::size_t offset;
    std::int32_t value;
    Code code;
    std::uint64_t foundAt;
    const char* path;
};

class MrtkDamage : public testing::TestWithParam<Damage> {};

TEST_P(MrtkDamage, isReportedWithItsOffset) {
    const Damage& damage = GetParam();
    const Opened opened(patched(cameraTake().write(), damage.offset, damage.value));
    const Finding* finding = opened.finding(damage.code);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->offset, damage.foundAt);
    EXPECT_EQ(finding->path, damage.path);
}

INSTANTIATE_TEST_SUITE_P(
    Patches, MrtkDamage,
    testing::Values(Damage{"version", 8, 2, Code::UNSUPPORTED_VERSION, 8, ""}, Damage{"oldVersion", 8, 0, Code::UNSUPPORTED_VERSION, 8, ""},
                    Damage{"keyCount", firstCurve + 8, 0x7FFFFFFF, Code::BAD_COUNT, firstCurve + 8, "camera.px"},
                    Damage{"negativeCount", firstCurve + 8, -1, Code::BAD_COUNT, firstCurve + 8, "camera.px"},
                    Damage{"wrapMode", firstCurve, 3, Code::WRAP_MODE_UNKNOWN, firstCurve, "camera.px"},
                    Damage{"loop", firstCurve + 4, 2, Code::WRAP_MODE, firstCurve + 4, "camera.px"},
                    Damage{"timeNaN", firstCurve + 12, 0x7FC00000, Code::NON_FINITE, firstCurve + 12, "camera.px"},
                    Damage{"valueInfinite", firstCurve + 16, 0x7F800000, Code::NON_FINITE, firstCurve + 12, "camera.px"},
                    Damage{"hugeTime", firstCurve + 20, 0x7F000000, Code::TIME_SUSPICIOUS, firstCurve + 20, "camera.px"}),
    [](const auto& info) { return info.param.name; });

TEST(MrtkDocument, reportsWhichOtherLayoutFits) {
    MrtkBuilder builder(0, true, false, false);  // 28-byte keys ...
    builder.setCurve(0, Vector<MrtkKey>{key(0, 0), key(1, 1)});
    auto bytes = builder.write();
    const std::int32_t minor = 1;
    std::memcpy(bytes.data() + 12, &minor, 4);  // ... under a 1.1 header
    bytes.insert(bytes.begin() + 16, {1, 0, 0});
    const Opened strict(bytes), guessed(bytes, R"({"mrtk":{"guessLayout":true}})");
    EXPECT_NE(strict.finding(Code::FOREIGN_LAYOUT), nullptr);
    EXPECT_FALSE(strict.result.hasScene);
    EXPECT_TRUE(guessed.result.hasScene);
    EXPECT_NE(guessed.track("camera", Path::translation), nullptr);
}

TEST(MrtkDocument, reportsAByteSwappedMagic) {
    auto bytes = cameraTake().write();
    std::reverse(bytes.begin(), bytes.begin() + 8);
    const Opened opened(bytes);
    const Finding* finding = opened.finding(Code::UNKNOWN_FORMAT);
    ASSERT_NE(finding, nullptr);
    EXPECT_NE(finding->detail.find("byte-swapped"), std::string::npos);
}

TEST(MrtkDocument, reportsAnOptionOfTheWrongKind) {
    EXPECT_NE(Opened(cameraTake().write(), R"({"mrtk":{"alignSigns":"yes"}})").finding(Code::BAD_OPTION), nullptr);
}

TEST(MrtkDocument, nanStateIsFalse) {
    MrtkBuilder builder(1, false, true, false);
    builder.setCurve(builder.document().stateStart(), Vector<MrtkKey>{key(0, notANumber)});
    const Opened opened(builder.write());
    const Finding* finding = opened.finding(Code::NON_FINITE);
    ASSERT_NE(finding, nullptr);
    EXPECT_EQ(finding->severity, Severity::warning);
    EXPECT_FALSE(opened.scene.nodes[1].visible);
}

}  // namespace
}  // namespace rigcast
