// Tests the conversion of .ueanim files to clips (docs/formats/ueformat.md section 4).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/files.hpp"
#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/ueFixtures.hpp"
#include "support/ueformat.hpp"

namespace rigcast::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::unique_ptr<Opened> openAnim(const UeAnimSpec& spec, int version = 10) {
    return readBytes("", makeUeAnim(spec, version), {.name = "wave.ueanim"});
}

const Clip& clipOf(const Opened& opened) { return opened.scene.clips.at(0); }

/// Returns the track of a bone, or of a curve if `path` is weight.
const Track& trackOf(const Opened& opened, const std::string& name, Path path) {
    for (const Track& track : clipOf(opened).tracks)
        if (track.path == path && opened.scene.strings[path == Path::weight ? track.property : track.target] == name) return track;
    ADD_FAILURE() << "no track for " << name;
    static const Track missing;
    return missing;
}

std::vector<float> valuesOf(const Opened& opened, const Column<float>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

/// Returns the frames of a track's keys.
std::vector<int> framesOf(const Opened& opened, const Track& track) {
    std::vector<int> frames;
    for (const float time : valuesOf(opened, track.times)) frames.push_back(static_cast<int>(std::lround(time * clipOf(opened).frameRate)));
    return frames;
}

void expectNear(const std::vector<float>& values, const std::vector<double>& expected) {
    ASSERT_EQ(values.size(), expected.size());
    for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], 1e-6) << "value " << i;
}

std::uint64_t problems(const Opened& opened) {
    return opened.diagnostics.total(Severity::error) + opened.diagnostics.total(Severity::warning);
}

/// Returns an animation of one bone with the position keys.
UeAnimSpec moving(Vector<UeVecKey> keys, std::int32_t frames) {
    UeAnimSpec spec;
    spec.frames = frames;
    spec.tracks = {{"Root", std::move(keys)}};
    return spec;
}

TEST(UeAnim, AllVersionsGiveTheSameClip) {
    const auto newest = openAnim(ueArmAnim());
    for (int version = 0; version <= 10; ++version) {
        SCOPED_TRACE(version);
        const auto opened = openAnim(ueArmAnim(), version);
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->result.version, std::to_string(version));
        EXPECT_EQ(problems(*opened), 0u);
        const Clip& clip = clipOf(*opened);
        EXPECT_EQ(clip.name, "Fixture");
        EXPECT_FLOAT_EQ(clip.frameRate, 10);
        EXPECT_EQ(clip.frameCount, 11u);
        EXPECT_FLOAT_EQ(clip.duration, 1);
        EXPECT_FALSE(clip.undeclaredModes);
        ASSERT_EQ(clip.tracks.size(), 10u);
        for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
            const Track& track = clip.tracks[i];
            EXPECT_EQ(valuesOf(*opened, track.times), valuesOf(*newest, clipOf(*newest).tracks[i].times));
            EXPECT_EQ(valuesOf(*opened, track.values), valuesOf(*newest, clipOf(*newest).tracks[i].values)) << "track " << i;
        }
    }
}

TEST(UeAnim, ValuesAreInMetresWithYUp) {
    UeAnimSpec spec = moving({{0, {10, 20, 30}}}, 1);
    spec.tracks[0].rotation = {{0, {0.5, -0.5, 0.1, 0.7}}};
    spec.tracks[0].scale = {{0, {1, 2, 3}}};
    const double length = std::sqrt(0.25 + 0.25 + 0.01 + 0.49);
    const auto opened = openAnim(spec);
    expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::translation).values), {0.1, 0.3, 0.2});
    expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::rotation).values),
               {-0.5 / length, -0.1 / length, 0.5 / length, 0.7 / length});
    expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::scale).values), {1, 3, 2});
    EXPECT_EQ(trackOf(*opened, "Root", Path::rotation).interpolation, Interpolation::slerp);
    EXPECT_DOUBLE_EQ(opened->scene.asset.metresPerUnit, 0.01);
}

TEST(UeAnim, KeysHoldTheirValueUntilOneFrameBeforeTheNext) {
    const auto opened = openAnim(moving({{0, {0, 0, 0}}, {1, {100, 0, 0}}, {4, {200, 0, 0}}}, 6));
    const Track& track = trackOf(*opened, "Root", Path::translation);
    EXPECT_EQ(framesOf(*opened, track), (std::vector<int>{0, 1, 3, 4}));
    expectNear(valuesOf(*opened, track.values), {0, 0, 0, 1, 0, 0, 1, 0, 0, 2, 0, 0});
}

TEST(UeAnim, TracksWithEqualFramesShareTheirTimes) {
    const auto opened = openAnim(ueArmAnim());
    const Track &root = trackOf(*opened, "Root", Path::rotation), &lower = trackOf(*opened, "Lower", Path::translation);
    EXPECT_EQ(root.times.offset, lower.times.offset);
    EXPECT_EQ(root.times.count, 1u);
}

TEST(UeAnim, ChannelsWithoutKeysHaveNoTrack) {
    const auto opened = openAnim(moving({{0, {1, 2, 3}}}, 1));
    EXPECT_EQ(clipOf(*opened).tracks.size(), 1u);
    EXPECT_EQ(problems(*opened), 0u);
}

TEST(UeAnim, CurvesAreMorphWeightsWithoutPauses) {
    UeAnimSpec spec = moving({{0, {}}}, 4);
    spec.curves = {{"Smile", {{0, 0.f}, {2, 0.25f}, {2, 1.f}, {9, 0.5f}}}};
    const auto opened = openAnim(spec);
    const Track& track = trackOf(*opened, "Smile", Path::weight);
    EXPECT_EQ(framesOf(*opened, track), (std::vector<int>{0, 2, 9}));
    expectNear(valuesOf(*opened, track.values), {0, 1, 0.5});
    EXPECT_EQ(track.interpolation, Interpolation::linear);
    EXPECT_EQ(opened->scene.strings[track.target], "");
    EXPECT_EQ(problems(*opened), 0u) << "shared frames and frames after the end are usual";
    EXPECT_FLOAT_EQ(clipOf(*opened).duration, 0.1f) << "curves do not extend the clip";
}

TEST(UeAnim, FilesWithOnlyCurvesAreClips) {
    UeAnimSpec spec;
    spec.frames = 3;
    spec.curves = {{"Smile", {{0, 0.f}, {2, 1.f}}}};
    const auto opened = openAnim(spec);
    EXPECT_EQ(clipOf(*opened).tracks.size(), 1u);
    EXPECT_EQ(clipOf(*opened).frameCount, 3u);
    EXPECT_FALSE(opened->has(Code::NO_MOTION));
    const auto empty = openAnim({});
    EXPECT_TRUE(empty->has(Code::NO_MOTION));
    EXPECT_EQ(clipOf(*empty).frameCount, 0u);
}

TEST(UeAnim, CurvesWithOneNameOrWithoutKeysAreReported) {
    UeAnimSpec spec = moving({{0, {}}}, 4);
    spec.curves = {{"Smile", {{0, 1.f}}}, {"Smile", {{0, 0.5f}}}, {"None", {}}};
    const auto opened = openAnim(spec);
    EXPECT_TRUE(opened->has(Code::CURVE_REPEATED));
    EXPECT_TRUE(opened->has(Code::CURVE_EMPTY));
}

TEST(UeAnim, UnusableRatesBecome30) {
    for (const float rate : {0.f, -1.f, nan, std::numeric_limits<float>::infinity()})
        for (const int version : {5, 9, 10}) {
            UeAnimSpec spec = ueArmAnim();
            spec.rate = rate;
            const auto opened = openAnim(spec, version);
            ASSERT_TRUE(opened->has(Code::FRAME_RATE));
            EXPECT_FLOAT_EQ(clipOf(*opened).frameRate, 30);
            EXPECT_FLOAT_EQ(clipOf(*opened).duration, 10 / 30.f);
        }
}

TEST(UeAnim, WithoutMetadataTheClipIsAsLongAsItsKeys) {
    UeAnimSpec spec = ueArmAnim();
    spec.hasMetadata = false;
    const auto opened = openAnim(spec);
    ASSERT_TRUE(opened->has(Code::FRAME_RATE));
    EXPECT_EQ(opened->finding(Code::FRAME_RATE)->severity, Severity::error);
    EXPECT_FALSE(opened->has(Code::FRAME_RANGE));
    EXPECT_EQ(clipOf(*opened).frameCount, 11u);
}

TEST(UeAnim, NegativeNumbersOfFramesAreReported) {
    UeAnimSpec spec = ueArmAnim();
    spec.frames = -4;
    const auto opened = openAnim(spec);
    EXPECT_TRUE(opened->has(Code::BAD_COUNT));
    EXPECT_EQ(clipOf(*opened).frameCount, 11u);
}

TEST(UeAnim, KeysAreSortedAndTheLastKeyOfAFrameIsUsed) {
    const auto opened = openAnim(moving({{3, {300, 0, 0}}, {0, {0, 0, 0}}, {3, {400, 0, 0}}, {2, {200, 0, 0}}, {1, {100, 0, 0}}}, 4));
    const Track& track = trackOf(*opened, "Root", Path::translation);
    EXPECT_EQ(framesOf(*opened, track), (std::vector<int>{0, 1, 2, 3}));
    expectNear(valuesOf(*opened, track.values), {0, 0, 0, 1, 0, 0, 2, 0, 0, 4, 0, 0});
    ASSERT_TRUE(opened->has(Code::KEY_ORDER));
    const auto repeated = openAnim(moving({{0, {1, 0, 0}}, {0, {2, 0, 0}}}, 1));
    EXPECT_TRUE(repeated->has(Code::KEY_ORDER));
}

TEST(UeAnim, KeysOutsideOfTheDeclaredFramesExtendTheClip) {
    const auto late = openAnim(moving({{0, {}}, {9, {100, 0, 0}}}, 4));
    EXPECT_TRUE(late->has(Code::FRAME_RANGE));
    EXPECT_EQ(clipOf(*late).frameCount, 10u);
    EXPECT_FLOAT_EQ(clipOf(*late).duration, 0.3f);
    const auto early = openAnim(moving({{-3, {}}, {0, {100, 0, 0}}}, 4));
    EXPECT_TRUE(early->has(Code::FRAME_RANGE));
    EXPECT_FLOAT_EQ(clipOf(*early).start, -0.1f);
    EXPECT_FLOAT_EQ(clipOf(*early).duration, 0.1f);
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min(), most = std::numeric_limits<std::int32_t>::max();
    const auto extreme = openAnim(moving({{most, {}}, {least, {100, 0, 0}}}, most));
    EXPECT_TRUE(extreme->has(Code::FRAME_RANGE));
    EXPECT_EQ(trackOf(*extreme, "Root", Path::translation).times.count, 3u);
}

TEST(UeAnim, ValuesThatAreNotFiniteAreReplaced) {
    UeAnimSpec spec = moving({{0, {nan, 1, 1}}}, 1);
    spec.tracks[0].rotation = {{0, {0, nan, 0, 1}}};
    spec.tracks[0].scale = {{0, {1, 1, nan}}};
    for (const int version : {5, 10}) {
        const auto opened = openAnim(spec, version);
        ASSERT_TRUE(opened->has(Code::NON_FINITE));
        EXPECT_EQ(opened->finding(Code::NON_FINITE)->count, 3u);
        expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::translation).values), {0, 0, 0});
        expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::rotation).values), {0, 0, 0, 1});
        expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::scale).values), {1, 1, 1});
    }
}

TEST(UeAnim, RotationsAreNormalized) {
    UeAnimSpec spec = moving({{0, {}}}, 3);
    spec.tracks[0].rotation = {{0, {0, 0, 0, 0}}, {1, {0, 0, 0, 4}}, {2, {1e25, 0, 0, 0}}};
    const auto opened = openAnim(spec);
    ASSERT_TRUE(opened->has(Code::QUATERNION_NOT_UNIT));
    EXPECT_EQ(opened->finding(Code::QUATERNION_NOT_UNIT)->count, 3u);
    expectNear(valuesOf(*opened, trackOf(*opened, "Root", Path::rotation).values), {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
}

TEST(UeAnim, DeclaredAdditiveAnimationsAreInspected) {
    UeAnimSpec spec = ueArmAnim();
    spec.additiveType = 1;
    spec.refPoseType = 3;
    spec.refPosePath = "/Game/Idle.Idle";
    spec.refFrame = 7;
    const auto opened = openAnim(spec);
    EXPECT_TRUE(opened->has(Code::ADDITIVE_UNCERTAIN));
    EXPECT_TRUE(clipOf(*opened).undeclaredModes);
    EXPECT_EQ(clipOf(*opened).properties.size(), 4u);
    spec.additiveType = 9;
    spec.refPoseType = 9;
    const auto unknown = openAnim(spec);
    ASSERT_TRUE(unknown->has(Code::VALUE_UNKNOWN));
    EXPECT_EQ(unknown->finding(Code::VALUE_UNKNOWN)->count, 2u);
}

TEST(UeAnim, TracksWithOneNameAnimateTheBonesInOrder) {
    UeAnimSpec spec = moving({{0, {}}}, 1);
    spec.tracks.push_back({"root", {{0, {100, 0, 0}}}});
    const auto opened = openAnim(spec);
    EXPECT_TRUE(opened->has(Code::BONE_NAME_DUPLICATE));
    EXPECT_EQ(trackOf(*opened, "Root", Path::translation).occurrence, 0u);
    EXPECT_EQ(trackOf(*opened, "root", Path::translation).occurrence, 1u);
}

TEST(UeAnim, KeyCountsThatDoNotFitAreReported) {
    for (const std::int32_t count : {-1, 1 << 30}) {
        UeBytes track;
        track.text("Root").integer(count).integer(0).number(1).number(2).number(3);
        UeParts root(9);
        root.array("TRACKS", 1, track);
        const auto opened = readBytes("", makeUeFile("UEANIM", 9, root.finish()));
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_TRUE(opened->has(Code::BAD_COUNT));
    }
}

TEST(UeAnim, DamagedFilesAreRead) {
    for (const int version : {5, 9, 10}) {
        const Vector<std::uint8_t> bytes = makeUeAnim(ueArmAnim(), version);
        everyPrefix(bytes, "ueanim");
        bytePatches(bytes, bytes.size(), "ueanim");
    }
}

TEST(UeAnim, OutlineListsTracksAndCurves) {
    for (const int version : {5, 9, 10}) {
        SCOPED_TRACE(version);
        const Vector<std::uint8_t> bytes = makeUeAnim(ueArmAnim(), version);
        const OpenedOutline opened = readOutline("ueanim", bytes);
        EXPECT_EQ(opened.diagnostics.findings().size(), 0u);
        const OutlineNode &tracks = opened.outline.at(opened.outline.size() - 2), &curves = opened.outline.back();
        EXPECT_EQ(tracks.kind, "TRACKS");
        ASSERT_EQ(tracks.children.size(), 3u);
        const OutlineNode& upper = tracks.children[1];
        EXPECT_EQ(upper.name, "Upper");
        ASSERT_EQ(upper.fields.size(), 3u);
        EXPECT_EQ(upper.fields[1].count, 3u);
        EXPECT_EQ(upper.fields[1].byteLength, 60u);
        EXPECT_EQ(upper.offset + upper.size, tracks.children[2].offset);
        ASSERT_EQ(curves.children.size(), 1u);
        EXPECT_EQ(curves.children[0].fields[0].offset + curves.children[0].fields[0].byteLength, bytes.size());
        if (version < 7) {
            EXPECT_EQ(opened.outline.front().fields.back().name, "framesPerSecond");
        }
    }
}

TEST(UeFormat, FixturesEqualTheirBuilder) {
    for (const auto& [name, bytes] : ueFixtures()) {
        const auto committed = readFile(dataFolder() / "ueformat" / name);
        ASSERT_TRUE(committed) << name << ": run rigcast_ueFixtures";
        EXPECT_TRUE(*committed == bytes) << name << ": run rigcast_ueFixtures";
    }
}

}  // namespace
}  // namespace rigcast::test
