// Tests the outline of valid, truncated and irregular recordings, which contains each curve and
// marker with its position in the file.
#include <gtest/gtest.h>

#include "core/reader.hpp"
#include "core/text.hpp"
#include "formats/mrtk/document.hpp"
#include "support/sweeps.hpp"
#include "support/takes.hpp"
#include "support/writers/mrtk.hpp"

namespace rigcast::test {
namespace {

const OutlineNode* nodeOf(const Outline& outline, std::string_view kind) {
    for (const OutlineNode& node : outline)
        if (node.kind == kind) return &node;
    return nullptr;
}

const OutlineField& fieldOf(const OutlineNode& node, std::string_view name) {
    for (const OutlineField& field : node.fields)
        if (field.name == name) return field;
    ADD_FAILURE() << "no field " << name;
    return node.fields.front();
}

TEST(MrtkOutline, HasEachPartWithItsCurvesInTheOrderOfTheFile) {
    const Vector<std::uint8_t> bytes = wavingHands();
    const OpenedOutline opened = readOutline("", bytes);
    EXPECT_EQ(opened.result.version, "1.1");
    std::string kinds;
    std::uint64_t end = 19;  // magic, version, three flags
    for (const OutlineNode& group : opened.outline) {
        kinds += group.kind + " " + std::to_string(group.children.size()) + ", ";
        EXPECT_EQ(group.offset, end) << group.kind;
        end = group.offset + group.size;
    }
    EXPECT_EQ(kinds, "camera 7, states 4, hand.left 189, hand.right 189, gaze 6, markers 3, ");
    EXPECT_EQ(end, bytes.size());

    const OutlineNode& px = opened.outline.front().children.front();
    EXPECT_EQ(px.name, "camera.px");
    const OutlineField& keys = fieldOf(px, "keys");
    EXPECT_EQ(keys.type, "SimpleKey");
    EXPECT_EQ(keys.offset, px.offset + 12);
    EXPECT_EQ(keys.byteLength, keys.count * 8);
    std::int32_t wrap = 0;
    std::memcpy(&wrap, bytes.data() + px.offset, 4);
    EXPECT_EQ(fieldOf(px, "pre").value.asNumber(-1), wrap);
    EXPECT_EQ(fieldOf(nodeOf(opened.outline, "states")->children.front(), "keys").type, "BoolKey");
}

TEST(MrtkOutline, ContainsMarkersWithTimeAndNameBytes) {
    MrtkBuilder builder(1, true, false, false);
    builder.addMarker(1.5f, "start");
    builder.addMarker(2, "\xFF");
    builder.addMarker(3, std::string(200, 'x'));  // a length of two bytes
    const Vector<std::uint8_t> bytes = builder.write();
    const OpenedOutline opened = readOutline("", bytes);
    const OutlineNode* markers = nodeOf(opened.outline, "markers");
    ASSERT_TRUE(markers);
    ASSERT_EQ(markers->children.size(), 3u);
    EXPECT_EQ(markers->children[0].name, "start");
    EXPECT_EQ(fieldOf(markers->children[0], "time").value.asNumber(0), 1.5);
    const OutlineField& name = fieldOf(markers->children[0], "name");
    EXPECT_EQ(asText(Bytes(bytes).subspan(name.offset, name.byteLength)), "start");
    EXPECT_EQ(markers->children[1].name, "\xEF\xBF\xBD");
    EXPECT_EQ(fieldOf(markers->children[2], "name").byteLength, 200u);
    EXPECT_EQ(markers->offset + markers->size, bytes.size());
}

TEST(MrtkOutline, OldFilesHaveLongKeysAndNoGaze) {
    const OpenedOutline opened = readOutline("", everyCurve());
    EXPECT_EQ(opened.result.version, "1.0");
    EXPECT_FALSE(nodeOf(opened.outline, "gaze"));
    EXPECT_EQ(fieldOf(opened.outline.front().children.front(), "keys").type, "FloatKey");
}

TEST(MrtkOutline, EndsWhereATruncatedFileEnds) {
    const Vector<std::uint8_t> bytes = wavingHands();
    const OpenedOutline whole = readOutline("", bytes);
    const std::uint64_t cut = nodeOf(whole.outline, "hand.right")->children[10].offset + 3;
    const OpenedOutline opened = readOutline("", Bytes(bytes).first(cut));
    EXPECT_EQ(nodeOf(opened.outline, "hand.right")->children.size(), 10u);
    EXPECT_FALSE(nodeOf(opened.outline, "gaze"));
    EXPECT_FALSE(nodeOf(opened.outline, "markers"));
    EXPECT_GT(opened.diagnostics.total(Severity::error), 0u);
}

// ------------------------------------------------------------------------------------------------ headers and layouts

struct Header {
    const char* name;
    std::int32_t major, minor;
    const char* options;
    bool hasScene;
    const char* words;  // words of the finding
};

class MrtkHeader : public testing::TestWithParam<Header> {};

TEST_P(MrtkHeader, ReportsUnsupportedVersions) {
    const Header& header = GetParam();
    Vector<std::uint8_t> bytes = everyCurve();
    std::memcpy(bytes.data() + 8, &header.major, 4);
    std::memcpy(bytes.data() + 12, &header.minor, 4);
    const auto opened = readBytes("mrtk", bytes, {.options = header.options});
    EXPECT_EQ(opened->result.hasScene, header.hasScene);
    const Finding* found = opened->finding(Code::UNSUPPORTED_VERSION);
    ASSERT_TRUE(found);
    EXPECT_NE(found->detail.find(header.words), std::string::npos) << found->detail;
    EXPECT_EQ(found->severity, header.hasScene ? Severity::warning : Severity::error);
}

INSTANTIATE_TEST_SUITE_P(
    Versions, MrtkHeader,
    testing::Values(Header{"later", 1, 2, "{}", false, "version 1.2"}, Header{"next", 2, 0, "{}", false, "version 2.0"},
                    Header{"fork", 0x00010101, 0, "{}", false, "fork"}, Header{"flagsFirst", 0x00020101, 0, "{}", false, "version"},
                    Header{"before", 0, 9, "{}", true, "0.9, read as 1.0"}, Header{"negative", 1, -1, "{}", true, "1.-1, read as 1.0"},
                    Header{"refused", 0, 9, R"({"mrtk":{"oldVersions":false}})", false, "option oldVersions"}),
    [](const auto& info) { return info.param.name; });

/// The number of markers and the bytes after it, which replace the list of a camera recording.
struct Markers {
    const char* name;
    std::int32_t count;
    std::string rest;
    Code code;
};

class MrtkMarkers : public testing::TestWithParam<Markers> {};

TEST_P(MrtkMarkers, AreReadUpToTheFirstInvalidOne) {
    const Markers& markers = GetParam();
    MrtkBuilder builder(1, true, false, false);
    builder.addMarker(1, "marker");
    Vector<std::uint8_t> bytes = builder.write();
    bytes.resize(bytes.size() - 4 - 4 - 1 - 6);
    const auto* count = reinterpret_cast<const std::uint8_t*>(&markers.count);
    bytes.insert(bytes.end(), count, count + 4);
    bytes.insert(bytes.end(), markers.rest.begin(), markers.rest.end());
    const auto opened = readBytes("mrtk", bytes);
    EXPECT_TRUE(opened->result.hasScene);
    EXPECT_TRUE(opened->has(markers.code)) << opened->description;
}

std::string marker(std::string_view time, std::string_view lengthAndName) { return std::string(time) + std::string(lengthAndName); }
const std::string_view second("\0\0\x80\x3f", 4), notANumber("\0\0\xC0\x7f", 4);

INSTANTIATE_TEST_SUITE_P(Damage, MrtkMarkers,
                         testing::Values(Markers{"negative", -1, "", Code::BAD_COUNT}, Markers{"tooMany", 0x7FFFFFFF, "", Code::BAD_COUNT},
                                         Markers{"endlessLength", 1, marker(second, "\x80\x80\x80\x80\x80\x01"), Code::BAD_STRING_LENGTH},
                                         Markers{"cutLength", 1, marker(second, "\x80"), Code::TRUNCATED},
                                         Markers{"cutName", 1, marker(second, "\x09no"), Code::TRUNCATED},
                                         Markers{"longLength", 1, marker(second, std::string_view("\x82\x00no", 4)),
                                                 Code::LENGTH_NOT_MINIMAL},
                                         Markers{"notUtf8", 1, marker(second, "\x02\xC0\xAF"), Code::NAME_DAMAGED},
                                         Markers{"timeless", 1, marker(notANumber, "\x02no"), Code::NON_FINITE},
                                         Markers{"trailing", 1, marker(second, "\x02nobody"), Code::TRAILING_BYTES}),
                         [](const auto& info) { return info.param.name; });

TEST(MrtkSweeps, EveryPrefixAndPatchIsRead) {
    const Vector<std::uint8_t> hands = wavingHands(), curves = everyCurve();
    everyPrefix(hands, "mrtk", {}, hands.size() / 17);
    everyPrefix(curves, "mrtk", {}, 211);
    bytePatches(curves, 0, 120, "mrtk");
    const OpenedOutline whole = readOutline("", hands);
    MrtkBuilder builder(1, true, false, true);
    builder.addMarker(1, "marker");
    const Vector<std::uint8_t> few = builder.write();
    bytePatches(few, 0, few.size(), "mrtk", {.options = R"({"mrtk":{"guessLayout":true}})"});
    for (const OutlineNode& group : whole.outline) bytePatches(hands, group.offset + 8, 2, "mrtk");  // numbers of keys
}

}  // namespace
}  // namespace rigcast::test
