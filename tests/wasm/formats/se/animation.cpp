// Tests the conversion of SEAnim files.
#include <gtest/gtest.h>

#include <cmath>

#include "support/files.hpp"
#include "support/open.hpp"
#include "support/se.hpp"
#include "support/sweeps.hpp"

namespace rigcast::test {
namespace {

std::unique_ptr<Opened> openAnim(const SeAnimSpec& spec, const std::string& options = "") {
    return readBytes("", makeSeAnim(spec), {.name = "wave.seanim", .options = options});
}

void expectSame(const Vector<std::uint8_t>& bytes) {
    SeAnim anim;
    Diagnostics diagnostics;
    ASSERT_TRUE(readSeAnim(bytes, anim, diagnostics));
    EXPECT_FALSE(anim.isCut);
    EXPECT_TRUE(writeSeAnim(anim) == bytes);
    EXPECT_EQ(diagnostics.total(Severity::warning) + diagnostics.total(Severity::error), 0u);
}

TEST(SeAnim, ValidFilesAreWrittenByteForByte) {
    for (const SeFixture& fixture : seFixtures())
        if (fixture.name.ends_with(".seanim")) expectSame(fixture.bytes);
    SeAnimSpec wide = armAnim(seAbsolute);
    for (std::uint32_t frames : {255u, 257u, 65535u, 65537u}) {
        wide.frameCount = frames;
        wide.bones[0].loc.frames[1] = frames - 1;
        expectSame(makeSeAnim(wide));
    }
    while (wide.bones.size() < 300) wide.bones.push_back({"b" + std::to_string(wide.bones.size())});
    wide.modifiers = {{299, seRelative}};
    expectSame(makeSeAnim(wide));
    SeAnimSpec notes;
    notes.frameCount = 1;
    notes.notes = {{0, "only a note"}};
    expectSame(makeSeAnim(notes));
}

/// If the number of frames and the last frame need different widths, writers disagree about the
/// width. The length of the file decides.
TEST(SeAnim, ReadsBothWidthsOfFrameNumbers) {
    for (const std::uint32_t frames : {256u, 65536u}) {
        for (const std::size_t width : {seWidth(frames), seWidth(frames - 1)}) {
            SeAnimSpec spec = armAnim(seAbsolute);
            spec.frameCount = frames;
            spec.frameWidth = width;
            spec.bones[0].loc.frames[1] = frames - 1;
            expectSame(makeSeAnim(spec));
            const auto opened = openAnim(spec);
            EXPECT_FLOAT_EQ(opened->scene.clips[0].duration, static_cast<float>((frames - 1) / 10.0));
        }
    }
}

/// Returns keys for `count` frames starting at `first`.
SeKeysSpec keysFrom(std::uint32_t first, std::uint32_t count) {
    SeKeysSpec keys;
    for (std::uint32_t i = 0; i < count; ++i) {
        keys.frames.push_back(first + i);
        keys.values.insert(keys.values.end(), {double(i), 0, 0});
    }
    return keys;
}

/// If frame numbers have one byte, a count of 256 keys is stored as 0.
TEST(SeAnim, ReadsACountThatIsStoredAsZero) {
    for (const std::uint32_t frames : {255u, 256u}) {
        SeAnimSpec spec = armAnim(seAbsolute);
        spec.frameCount = frames;
        spec.frameWidth = 1;
        spec.bones[0].loc = keysFrom(0, 256);
        spec.bones[2].loc = keysFrom(0, 256);
        spec.bones[2].scale = {};
        const auto bytes = makeSeAnim(spec);
        const auto opened = openAnim(spec);
        ASSERT_TRUE(opened->has(Code::COUNT_REPAIRED));
        EXPECT_EQ(opened->diagnostics.total(Severity::warning), 1u);
        EXPECT_EQ(opened->finding(Code::COUNT_REPAIRED)->severity, Severity::warning);
        EXPECT_EQ(opened->finding(Code::COUNT_REPAIRED)->detail, "2 counts of 0 stand for 256 keys");
        for (const Track& track : opened->scene.clips[0].tracks)
            if (track.path == Path::translation && opened->scene.strings[track.target] != "Upper") {
                ASSERT_EQ(track.times.count, 256u);
                EXPECT_EQ(opened->arena.values(track.values)[3 * 255], 255);
            }
        EXPECT_FLOAT_EQ(opened->scene.clips[0].duration, 25.5f);
        SeAnim anim;
        Diagnostics ignored;
        readSeAnim(bytes, anim, ignored);
        EXPECT_TRUE(writeSeAnim(anim) == bytes);
    }
}

TEST(SeAnim, CountOf65536IsStoredAsZero) {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.frameCount = 65535;
    spec.bones[0].loc = keysFrom(0, 65536);
    const auto opened = openAnim(spec);
    EXPECT_TRUE(opened->has(Code::COUNT_REPAIRED));
    EXPECT_EQ(opened->scene.clips[0].tracks[0].times.count, 65536u);
}

/// A count of 0 means no keys, unless keys for every frame follow and the file ends after them.
/// Remaining bytes are an error if no key was read.
TEST(SeAnim, CountOfZeroMeansNoKeysUnlessKeysFollow) {
    SeAnimSpec spec;
    spec.frameRate = 30;
    spec.frameCount = 255;
    spec.bones = {{"a", keysFrom(0, 256)}};
    Vector<std::uint8_t> longer = makeSeAnim(spec), later;
    longer.push_back(7);
    spec.bones[0].loc = keysFrom(0, 256);
    spec.bones[0].loc.frames[9] = 10;
    later = makeSeAnim(spec);
    for (const auto& bytes : {longer, later}) {
        const auto opened = readBytes("", bytes, {.name = "wave.seanim"});
        EXPECT_FALSE(opened->has(Code::COUNT_REPAIRED));
        ASSERT_TRUE(opened->has(Code::TRAILING_BYTES));
        EXPECT_EQ(opened->finding(Code::TRAILING_BYTES)->severity, Severity::error);
    }
    spec.bones[0].loc = keysFrom(0, 2);  // if keys were read, the remaining bytes are trailing bytes
    Vector<std::uint8_t> more = makeSeAnim(spec);
    more.push_back(7);
    EXPECT_EQ(readBytes("", more, {.name = "wave.seanim"})->finding(Code::TRAILING_BYTES)->severity, Severity::warning);
}

const Track& trackOf(const Opened& opened, std::string_view bone, Path path) {
    for (const Track& track : opened.scene.clips[0].tracks)
        if (opened.scene.strings[track.target] == bone && track.path == path) return track;
    ADD_FAILURE() << "no track of " << bone;
    return opened.scene.clips[0].tracks[0];
}

Vector<float> list(const Opened& opened, const Column<float>& column) {
    const auto values = opened.arena.values(column);
    return {values.begin(), values.end()};
}

TEST(SeAnim, KeysBecomeTracksOfOneClip) {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.flags = 1;
    spec.notes = {{10, "end"}, {5, "step"}};
    const auto opened = openAnim(spec);
    ASSERT_EQ(opened->scene.clips.size(), 1u);
    const Clip& clip = opened->scene.clips[0];
    EXPECT_EQ(clip.name, "wave");
    EXPECT_TRUE(clip.loop);
    EXPECT_EQ(clip.frameRate, 10);
    EXPECT_EQ(clip.frameCount, 11u);
    EXPECT_EQ(clip.duration, 1);
    EXPECT_EQ(clip.tracks.size(), 4u);
    EXPECT_EQ(list(*opened, trackOf(*opened, "Root", Path::translation).times), (Vector<float>{0, 1}));
    EXPECT_EQ(list(*opened, trackOf(*opened, "Root", Path::translation).values), (Vector<float>{0, 0, 0, 10, 0, 0}));
    EXPECT_EQ(list(*opened, trackOf(*opened, "Lower", Path::scale).values)[5], 1.5f);
    EXPECT_EQ(trackOf(*opened, "Upper", Path::rotation).interpolation, Interpolation::slerp);
    ASSERT_EQ(clip.events.size(), 2u);
    EXPECT_EQ(opened->scene.strings[clip.events[0].name], "step");
    EXPECT_EQ(clip.events[0].time, 0.5f);
}

TEST(SeAnim, EqualFramesAreStoredOnce) {
    const auto opened = openAnim(armAnim(seAbsolute));
    EXPECT_EQ(trackOf(*opened, "Root", Path::translation).times.offset, trackOf(*opened, "Upper", Path::rotation).times.offset);
    EXPECT_NE(trackOf(*opened, "Root", Path::translation).times.offset, trackOf(*opened, "Upper", Path::translation).times.offset);
}

TEST(SeAnim, TypesHaveTheMeaningOfTheImporters) {
    const struct {
        std::uint8_t type;
        Mode translation, rotation;
    } rows[] = {{seAbsolute, Mode::absolute, Mode::absolute},
                {seAdditive, Mode::additive, Mode::additive},
                {seRelative, Mode::relative, Mode::absolute},
                {seDelta, Mode::relative, Mode::absolute}};
    for (const auto& row : rows) {
        const auto opened = openAnim(armAnim(row.type));
        EXPECT_EQ(trackOf(*opened, "Upper", Path::translation).mode, row.translation);
        EXPECT_EQ(trackOf(*opened, "Upper", Path::rotation).mode, row.rotation);
        EXPECT_EQ(trackOf(*opened, "Lower", Path::scale).mode, Mode::absolute);
    }
}

TEST(SeAnim, ModifiersApplyToDescendants) {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.modifiers = {{1, seRelative}};
    const auto opened = openAnim(spec);
    const auto& overrides = opened->scene.clips[0].overrides;
    ASSERT_EQ(overrides.size(), 2u);
    EXPECT_EQ(opened->scene.strings[overrides[0].node], "Upper");
    EXPECT_EQ(overrides[0].mode, Mode::relative);
    EXPECT_TRUE(overrides[0].translation && !overrides[0].rotation && !overrides[0].scale);
    EXPECT_EQ(overrides[1].mode, Mode::absolute);
    EXPECT_TRUE(overrides[1].rotation && !overrides[1].translation);
    EXPECT_FALSE(overrides[0].includesNode);
    EXPECT_TRUE(openAnim(spec, R"({"se": {"overrideNamedBone": true}})")->scene.clips[0].overrides[0].includesNode);
}

TEST(SeAnim, NamelessFirstBoneOfADeltaAnimationIsTheOrigin) {
    SeAnimSpec spec = armAnim(seDelta);
    spec.bones[0].name = "";
    const auto opened = openAnim(spec);
    EXPECT_EQ(opened->scene.strings[trackOf(*opened, "tag_origin", Path::translation).target], "tag_origin");
}

TEST(SeAnim, SortsKeysAndUsesTheLastOfAFrame) {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.bones[0].loc = {{10, 0, 10}, {1, 0, 0, 2, 0, 0, 3, 0, 0}};
    const auto opened = openAnim(spec);
    EXPECT_EQ(list(*opened, trackOf(*opened, "Root", Path::translation).values), (Vector<float>{2, 0, 0, 3, 0, 0}));
    EXPECT_TRUE(opened->has(Code::KEY_ORDER));
}

TEST(SeAnim, DoublesAreRoundedOnce) {
    SeAnimSpec spec = armAnim(seAbsolute);
    spec.isDouble = true;
    spec.bones[0].loc.values[3] = 0.1;
    EXPECT_EQ(list(*openAnim(spec), trackOf(*openAnim(spec), "Root", Path::translation).values)[3], 0.1f);
}

TEST(SeAnim, OutlineContainsEveryPart) {
    const auto bytes = seFixtures()[4].bytes;  // delta, with a modifier
    const OpenedOutline opened = readOutline("", bytes);
    ASSERT_EQ(opened.outline.size(), 4u);
    EXPECT_EQ(opened.outline[0].fields[1].value.asNumber(0), 3);  // animation type
    EXPECT_EQ(opened.outline[1].children.size(), 1u);
    EXPECT_EQ(opened.outline[2].children[1].name, "Upper");
    EXPECT_EQ(opened.outline[2].children[1].fields[3].count, 2u);
    EXPECT_EQ(opened.outline[2].offset + opened.outline[2].size, bytes.size());
}

TEST(SeAnim, NoDamageBreaksTheContract) {
    for (const SeFixture& fixture : seFixtures()) {
        if (!fixture.name.ends_with(".seanim")) continue;
        everyPrefix(fixture.bytes, "");
        bytePatches(fixture.bytes, 0, fixture.bytes.size(), "");
    }
}

TEST(SeAnim, ReferenceFilesAreWrittenByteForByte) {
    if (corpusFolder().empty()) GTEST_SKIP() << corpusAbsent;
    std::size_t count = 0;
    for (const char* folder : {"seanim", "semodel"}) {
        for (const auto& entry : std::filesystem::directory_iterator(corpusFolder() / folder)) {
            const bool isAnim = entry.path().extension() == ".seanim";
            if (!isAnim && entry.path().extension() != ".semodel") continue;
            SCOPED_TRACE(entry.path().filename().string());
            const auto bytes = *readFile(entry.path());
            Diagnostics diagnostics;
            SeAnim anim;
            SeModel model;
            if (isAnim)
                readSeAnim(bytes, anim, diagnostics);
            else
                readSeModel(bytes, model, diagnostics);
            EXPECT_TRUE((isAnim ? writeSeAnim(anim) : writeSeModel(model)) == bytes);
            EXPECT_TRUE(diagnostics.findings().empty());
            const auto facts = parseJson([&] {
                const auto text = *readFile(entry.path().string() + ".json");
                return std::string(text.begin(), text.end());
            }());
            const auto& bones = facts.find("bones")->as<Vector<Value>>();
            ASSERT_EQ(bones.size(), isAnim ? anim.bones.size() : model.bones.size());
            for (std::size_t i = 0; i < bones.size() && isAnim; ++i) {
                const char* names[] = {"posCount", "rotCount", "scaleCount"};
                for (int kind = 0; kind < 3; ++kind)
                    EXPECT_EQ(static_cast<double>(anim.bones[i].counts[kind]), bones[i].find(names[kind])->asNumber(-1));
            }
            const auto opened = readBytes("", bytes, {.name = entry.path().filename().string()});
            EXPECT_TRUE(opened->result.hasScene);
            EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
            ++count;
        }
    }
    EXPECT_GE(count, 9u);
}

}  // namespace
}  // namespace rigcast::test
