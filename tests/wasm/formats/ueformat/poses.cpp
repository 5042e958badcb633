// Tests the conversion of .uepose files to clips (docs/formats/ueformat.md section 5.1).
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/ueformat.hpp"

namespace rigcast::test {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
const double half = std::sqrt(0.5);

std::unique_ptr<Opened> openPoses(const UePosesSpec& spec, int version = 10) {
    return readBytes("", makeUePoses(spec, version), {.name = "face.uepose"});
}

/// A pose that moves, rotates and scales a bone, and a pose that combines two curves.
UePosesSpec faces() {
    return {{{"Open", {{"Jaw", {0, 5, 1}, {0, 0, half, half}, {0, 0.5, 0}}}, {{0, 0.75f}}}, {"Both", {}, {{0, 0.25f}, {1, 1.f}}}},
            {"Smile", "Frown"}};
}

struct Value {
    std::string target;
    Path path;
    std::vector<float> values;
    Mode mode;
};

/// Returns the tracks of a clip, with the name of the bone or of the curve.
std::vector<Value> valuesOf(const Opened& opened, const Clip& clip) {
    std::vector<Value> list;
    for (const Track& track : clip.tracks) {
        const auto values = opened.arena.values(track.values);
        EXPECT_EQ(track.times.count, 1u);
        EXPECT_EQ(opened.arena.values(track.times)[0], 0);
        list.push_back({opened.scene.strings[track.path == Path::weight ? track.property : track.target],
                        track.path,
                        {values.begin(), values.end()},
                        track.mode});
    }
    return list;
}

void expectValue(const Value& value, const std::string& target, Path path, const std::vector<double>& expected, Mode mode) {
    EXPECT_EQ(value.target, target);
    EXPECT_EQ(value.path, path);
    EXPECT_EQ(value.mode, mode);
    ASSERT_EQ(value.values.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(value.values[i], expected[i], 1e-6) << "value " << i;
}

TEST(UePose, APoseIsAClipOfDifferences) {
    for (const int version : {7, 9, 10}) {
        SCOPED_TRACE(version);
        const auto opened = openPoses(faces(), version);
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->diagnostics.findings().size(), 0u);
        ASSERT_EQ(opened->scene.clips.size(), 2u);
        const Clip& open = opened->scene.clips[0];
        EXPECT_EQ(open.name, "Open");
        EXPECT_TRUE(open.addsToRest);
        EXPECT_EQ(open.duration, 0);
        EXPECT_EQ(open.frameCount, 1u);
        const auto values = valuesOf(*opened, open);
        ASSERT_EQ(values.size(), 4u);
        expectValue(values[0], "Jaw", Path::translation, {0, 0.01, 0.05}, Mode::absolute);
        expectValue(values[1], "Jaw", Path::rotation, {0, -half, 0, half}, Mode::absolute);
        expectValue(values[2], "Jaw", Path::scale, {1, 1, 1.5}, Mode::additive);
        expectValue(values[3], "Smile", Path::weight, {0.75}, Mode::additive);
        const auto both = valuesOf(*opened, opened->scene.clips[1]);
        ASSERT_EQ(both.size(), 2u);
        expectValue(both[0], "Smile", Path::weight, {0.25}, Mode::additive);
        expectValue(both[1], "Frown", Path::weight, {1}, Mode::additive);
    }
}

TEST(UePose, ChannelsWithoutADifferenceHaveNoTrack) {
    const auto opened = openPoses({{{"Lift", {{"Brow", {0, 0, 2}}, {"Lid"}}}}, {}});
    ASSERT_EQ(opened->scene.clips.size(), 1u);
    const auto values = valuesOf(*opened, opened->scene.clips[0]);
    ASSERT_EQ(values.size(), 1u);
    expectValue(values[0], "Brow", Path::translation, {0, 0.02, 0}, Mode::absolute);
}

TEST(UePose, DamagedValuesAreReported) {
    const auto opened =
        openPoses({{{"Broken", {{"Jaw", {nan, 0, 0}, {0, 0, 0, nan}, {nan, 0, 0}}}, {{2, 1.f}, {-1, 1.f}, {0, nan}}}}, {"A"}});
    ASSERT_TRUE(opened->result.hasScene);
    EXPECT_EQ(opened->count(Code::NON_FINITE), 4u);
    EXPECT_EQ(opened->count(Code::INDEX_RANGE), 2u);
    const auto values = valuesOf(*opened, opened->scene.clips[0]);
    ASSERT_EQ(values.size(), 1u);
    expectValue(values[0], "A", Path::weight, {0}, Mode::additive);
    EXPECT_TRUE(openPoses({{{"Long", {{"Jaw", {}, {0, 0, 1, 1}}}}}, {}})->has(Code::QUATERNION_NOT_UNIT));
    EXPECT_TRUE(openPoses({{{"Twice", {{"Jaw", {1, 0, 0}}, {"jaw", {2, 0, 0}}}}}, {}})->has(Code::BONE_NAME_DUPLICATE));
    EXPECT_TRUE(openPoses({})->has(Code::NO_MOTION));
}

TEST(UePose, KeyCountsThatDoNotFitAreReported) {
    for (const std::int32_t count : {-1, 1 << 30}) {
        UeBytes poses;
        poses.text("A").integer(0).integer(0).text("B").integer(count).text("Jaw");
        UeParts root(9);
        root.array("POSES", 2, poses);
        const auto opened = readBytes("", makeUeFile("UEPOSE", 9, root.finish()));
        ASSERT_TRUE(opened->result.hasScene);
        EXPECT_EQ(opened->count(Code::BAD_COUNT), 1u);
        EXPECT_EQ(opened->scene.clips.size(), 1u);
    }
}

TEST(UePose, DamagedFilesAreRead) {
    for (const int version : {9, 10}) {
        const Vector<std::uint8_t> bytes = makeUePoses(faces(), version);
        everyPrefix(bytes, "uepose");
        bytePatches(bytes, bytes.size(), "uepose");
    }
}

TEST(UePose, OutlineListsPoses) {
    const Vector<std::uint8_t> bytes = makeUePoses(faces());
    const OpenedOutline opened = readOutline("uepose", bytes);
    EXPECT_EQ(opened.diagnostics.findings().size(), 0u);
    ASSERT_EQ(opened.outline.size(), 3u);
    const OutlineNode& poses = opened.outline[1];
    EXPECT_EQ(poses.kind, "POSES");
    ASSERT_EQ(poses.children.size(), 2u);
    const OutlineNode &open = poses.children[0], &both = poses.children[1];
    EXPECT_EQ(open.name, "Open");
    EXPECT_EQ(open.offset + open.size, both.offset);
    ASSERT_EQ(open.fields.size(), 2u);
    EXPECT_EQ(open.fields[0].count, 1u);
    EXPECT_EQ(open.fields[0].byteLength, 47u);
    EXPECT_EQ(both.fields[1].count, 2u);
    EXPECT_EQ(both.fields[1].offset + both.fields[1].byteLength, both.offset + both.size);
}

}  // namespace
}  // namespace rigcast::test
