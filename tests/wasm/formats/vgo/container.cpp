// Tests reading the container (header, index and composer), also with damage.
#include <gtest/gtest.h>

#include <functional>

#include "core/json.hpp"
#include "core/vector.hpp"
#include "support/open.hpp"
#include "support/sweeps.hpp"
#include "support/vgo.hpp"

namespace rigcast {
namespace {

using test::quadVgo;
using test::readVgoBytes;
using Blob = Vector<std::uint8_t>;

constexpr std::size_t indexStart = 24, entryBytes = 16;

void poke(Blob& bytes, std::size_t at, std::uint32_t value) { std::memcpy(bytes.data() + at, &value, 4); }
std::uint32_t peek(const Blob& bytes, std::size_t at) { return loadValue<std::uint32_t>(bytes.data() + at); }
/// These functions return the offset of record `n` of the index, and of its chunk.
std::size_t entryOf(std::size_t n) { return indexStart + n * entryBytes; }
std::size_t chunkAt(const Blob& bytes, std::size_t n) { return peek(bytes, entryOf(n) + 4); }
enum Chunk : std::size_t { comp, assetInfo, layout, accessors, resource };

TEST(VgoContainer, ReadsWrittenFiles) {
    VgoBuilder vgo = quadVgo();
    const auto read = readVgoBytes(vgo.write());
    EXPECT_TRUE(read->complete);
    EXPECT_TRUE(read->isClean());
    const VgoDocument& document = read->document;
    EXPECT_EQ(document.version(), "2.5");
    EXPECT_TRUE(document.leftHanded && document.uvBottomLeft);
    EXPECT_EQ(writeJson(document.layout), writeJson(vgo.layout));
    EXPECT_EQ(writeJson(document.assetInfo), writeJson(vgo.assetInfo));
    ASSERT_EQ(document.accessors.size(), 5u);
    for (const VgoAccessor& accessor : document.accessors) EXPECT_TRUE(accessor.usable);
    EXPECT_EQ(Blob(document.resource.begin(), document.resource.end()), vgo.resource());
    EXPECT_TRUE(document.references.empty());
}

TEST(VgoContainer, EverySlotIsJsonOrBsonIndependently) {
    VgoBuilder vgo = quadVgo();
    vgo.set("extensions", Properties{{"Ä", test::listOf({Value{}, true, -7, 2.5, "ü"})}});
    for (int bits = 0; bits < 8; ++bits) {
        vgo.bsonAssetInfo = bits & 1;
        vgo.bsonLayout = bits & 2;
        vgo.bsonAccessors = bits & 4;
        const auto read = readVgoBytes(vgo.write());
        EXPECT_TRUE(read->complete && read->isClean()) << bits;
        EXPECT_EQ(writeJson(read->document.layout), writeJson(vgo.layout)) << bits;
        EXPECT_EQ(writeJson(read->document.assetInfo), writeJson(vgo.assetInfo)) << bits;
        ASSERT_EQ(read->document.accessors.size(), 5u) << bits;
        EXPECT_EQ(read->document.accessors[4].count, 6) << bits;
        EXPECT_EQ(read->document.accessors[4].data.size(), 6u) << bits;
    }
}

TEST(VgoContainer, HeaderContainsVersionAndConventions) {
    VgoBuilder vgo = quadVgo();
    vgo.minor = 1;
    for (const bool left : {false, true})
        for (const bool bottom : {false, true}) {
            vgo.leftHanded = left;
            vgo.uvBottomLeft = bottom;
            const auto read = readVgoBytes(vgo.write());
            EXPECT_TRUE(read->isClean());
            EXPECT_EQ(read->document.leftHanded, left);
            EXPECT_EQ(read->document.uvBottomLeft, bottom);
            EXPECT_EQ(read->document.version(), "2.1");
        }
}

TEST(VgoContainer, AcceptsAnyOrderGapsAndUnknownChunks) {
    VgoBuilder vgo = quadVgo();
    vgo.moreChunks.push_back({vgoType('X', 'Y', 'Z', '1'), {1, 2, 3}});
    Blob bytes = vgo.write();
    std::swap_ranges(bytes.begin() + entryOf(0), bytes.begin() + entryOf(1), bytes.begin() + entryOf(4));
    const auto read = readVgoBytes(bytes);
    EXPECT_TRUE(read->complete && read->isClean());
    ASSERT_EQ(read->document.chunks.size(), 6u);
    EXPECT_EQ(read->document.chunks[0].name, "COMP");  // sorted by offset
    EXPECT_EQ(read->document.chunks[5].payload.size(), 3u);
}

struct Damage {
    const char* name;
    std::function<void(Blob&)> harm;
    Code code;
    Severity severity;
    std::function<std::size_t(const Blob&)> offset;
    const char* path;
    bool complete;
    std::size_t findings = 1;
};

void PrintTo(const Damage& damage, std::ostream* to) { *to << damage.name; }

auto at(std::size_t offset) {
    return [offset](const Blob&) { return offset; };
}
auto atEntry(std::size_t n) { return at(entryOf(n)); }
auto atChunk(std::size_t n) {
    return [n](const Blob& bytes) { return chunkAt(bytes, n); };
}

constexpr Severity error = Severity::error, warning = Severity::warning;

const Damage damages[] = {
    {"HeaderLength", [](Blob& b) { poke(b, 4, 9); }, Code::BAD_HEADER, error, at(4), "", true},
    {"MajorZero", [](Blob& b) { b[8] = 0; }, Code::UNSUPPORTED_VERSION, error, at(8), "", false},
    {"MajorThree", [](Blob& b) { b[8] = 3; }, Code::UNSUPPORTED_VERSION, error, at(8), "", false},
    {"MinorSix", [](Blob& b) { b[9] = 6; }, Code::VERSION_UNKNOWN, warning, at(9), "", true},
    {"GeometryZero", [](Blob& b) { b[10] = 0; }, Code::BAD_HEADER, error, at(10), "", true},
    {"UvThree", [](Blob& b) { b[11] = 3; }, Code::BAD_HEADER, error, at(11), "", true},
    {"CryptFlag", [](Blob& b) { b[12] = 1; }, Code::CRYPT_FLAG, warning, at(12), "", true},
    {"CryptFlagTwo", [](Blob& b) { b[12] = 2; }, Code::FLAG_NOT_CANONICAL, warning, at(12), "", true, 2},
    {"KeyFlag", [](Blob& b) { b[13] = 1; }, Code::KEY_REQUIRED, error, at(13), "", true},
    {"Reserved", [](Blob& b) { b[15] = 1; }, Code::RESERVED_NOT_ZERO, warning, at(14), "", true},
    {"NoIndex", [](Blob& b) { b[16] = 'X'; }, Code::BAD_CHUNK_TABLE, error, at(16), "IDX", false},
    {"IndexEmpty", [](Blob& b) { poke(b, 20, 0); }, Code::BAD_CHUNK_TABLE, error, at(16), "IDX", false},
    {"IndexUneven", [](Blob& b) { poke(b, 20, 72); }, Code::BAD_CHUNK_TABLE, error, at(16), "IDX", false},
    {"IndexOfFourBillion", [](Blob& b) { poke(b, 20, 0xFFFFFFF0); }, Code::BAD_CHUNK_TABLE, error, at(16), "IDX", false},
    {"EntryReserved", [](Blob& b) { b[entryOf(2) + 15] = 1; }, Code::RESERVED_NOT_ZERO, warning, atEntry(2), "LAPJ", true},
    {"OffsetInHeader", [](Blob& b) { poke(b, entryOf(2) + 4, 8); }, Code::CHUNK_RANGE, error, atEntry(2), "LAPJ", false},
    {"OffsetBehindFile", [](Blob& b) { poke(b, entryOf(2) + 4, 0xFFFFFFF8); }, Code::CHUNK_RANGE, error, atEntry(2), "LAPJ", false},
    {"LengthBehindFile", [](Blob& b) { poke(b, entryOf(4) + 8, 0xFFFFFFFF); }, Code::CHUNK_RANGE, error, atEntry(4), "REPb", true},
    {"ChunkOfNoLength", [](Blob& b) { poke(b, entryOf(1) + 8, 8); }, Code::MISSING_CHUNK, error, atEntry(1), "AIPJ", true},
    {"Padding", [](Blob& b) { b[entryOf(0) + 12] = 2; }, Code::BAD_CHUNK_TABLE, error, atEntry(0), "COMP", true},
    {"TypeMismatch", [](Blob& b) { b[chunkAt(b, 2)] = 'X'; }, Code::BAD_CHUNK_TABLE, error, atChunk(2), "LAPJ", false},
    {"OwnLengthZero", [](Blob& b) { poke(b, chunkAt(b, 2) + 4, 0); }, Code::MISSING_CHUNK, error, atChunk(2), "LAPJ", true},
    {"OwnLengthLies", [](Blob& b) { poke(b, chunkAt(b, 2) + 4, 0x7FFFFFFF); }, Code::CHUNK_RANGE, error, atChunk(2), "LAPJ", true},
    {"Duplicate", [](Blob& b) { std::copy_n(b.begin() + entryOf(2), 16, b.begin() + entryOf(1)); }, Code::DUPLICATE_CHUNK, error,
     atEntry(2), "LAPJ", true, 2},
    {"ComposerShort", [](Blob& b) { poke(b, entryOf(0) + 8, 30), poke(b, chunkAt(b, 0) + 4, 22); }, Code::BAD_COMPOSER, error, atChunk(0),
     "COMP", false},
    {"ComposerNamesNothing", [](Blob& b) { poke(b, chunkAt(b, 0) + 8 + 8, 0); }, Code::BAD_COMPOSER, error,
     [](const Blob& b) { return chunkAt(b, 0) + 16; }, "COMP", false},
    {"ComposerNamesWrongKind", [](Blob& b) { std::copy_n(b.begin() + chunkAt(b, 0) + 8, 4, b.begin() + chunkAt(b, 0) + 16); },
     Code::BAD_COMPOSER, error, [](const Blob& b) { return chunkAt(b, 0) + 16; }, "COMP", false},
    {"ComposerReserved", [](Blob& b) { poke(b, chunkAt(b, 0) + 12, 1); }, Code::RESERVED_NOT_ZERO, warning,
     [](const Blob& b) { return chunkAt(b, 0) + 12; }, "COMP", true},
    {"Trailing", [](Blob& b) { b.resize(b.size() + 3); }, Code::TRAILING_BYTES, warning, [](const Blob& b) { return b.size() - 3; }, "",
     true},
};

class VgoDamage : public testing::TestWithParam<Damage> {};

TEST_P(VgoDamage, IsReportedWithItsLocation) {
    const Damage& damage = GetParam();
    Blob bytes = quadVgo().write();
    damage.harm(bytes);
    const auto read = readVgoBytes(bytes);
    const Finding* finding = read->finding(damage.code);
    ASSERT_TRUE(finding);
    EXPECT_EQ(finding->severity, damage.severity);
    EXPECT_EQ(finding->offset, damage.offset(bytes));
    EXPECT_EQ(finding->path, damage.path);
    EXPECT_EQ(read->complete, damage.complete);
    EXPECT_EQ(read->diagnostics.findings().size(), damage.findings) << "and nothing else";
}

INSTANTIATE_TEST_SUITE_P(VgoContainer, VgoDamage, testing::ValuesIn(damages), [](const auto& info) { return info.param.name; });

TEST(VgoContainer, ReportsAChunkThatTheIndexLacks) {
    Blob bytes = quadVgo().write();
    bytes[chunkAt(bytes, 0) + 8 + 8 + 3] = 'B';  // the composer refers to LAPB
    const auto read = readVgoBytes(bytes);
    ASSERT_TRUE(read->finding(Code::MISSING_CHUNK));
    EXPECT_EQ(read->finding(Code::MISSING_CHUNK)->path, "LAPB");
    EXPECT_FALSE(read->complete);
}

TEST(VgoContainer, IgnoresSlotSevenOfEncryptedFiles) {
    VgoBuilder vgo = quadVgo();
    vgo.crypt = VgoCrypt::base64();
    Blob bytes = vgo.write();
    std::copy_n(bytes.begin() + chunkAt(bytes, 0) + 8 + 20, 4, bytes.begin() + chunkAt(bytes, 0) + 8 + 28);
    const auto read = readVgoBytes(bytes);
    EXPECT_TRUE(read->complete && read->isClean());
}

TEST(VgoContainer, KeepsTheStartOfATruncatedResource) {
    Blob bytes = quadVgo().write();
    bytes.resize(bytes.size() - 6);  // truncates the indices
    const auto read = readVgoBytes(bytes);
    EXPECT_TRUE(read->complete);
    EXPECT_EQ(read->finding(Code::CHUNK_RANGE)->path, "REPb");
    EXPECT_EQ(read->finding(Code::ACCESSOR_RANGE)->path, "accessors[4]");
    EXPECT_TRUE(read->document.accessors[3].usable);
    EXPECT_FALSE(read->document.accessors[4].usable);
}

TEST(VgoContainer, LimitsTheEntriesOfTheIndex) {
    VgoBuilder vgo = quadVgo();
    for (std::uint32_t i = 0; i < 4100; ++i) vgo.moreChunks.push_back({0x80000000u | i, {1}});  // type ids without letters
    const auto read = readVgoBytes(vgo.write());
    EXPECT_TRUE(read->complete);
    ASSERT_TRUE(read->finding(Code::BAD_CHUNK_TABLE));
    EXPECT_EQ(read->finding(Code::BAD_CHUNK_TABLE)->offset, entryOf(4096));
    EXPECT_EQ(read->document.chunks.size(), 4096u);
}

TEST(VgoContainer, InvalidAssetInfoDoesNotAffectTheRest) {
    Blob bytes = quadVgo().write();
    bytes[chunkAt(bytes, 1) + 8] = '!';
    const auto read = readVgoBytes(bytes);
    EXPECT_TRUE(read->complete);
    EXPECT_EQ(read->finding(Code::BAD_JSON)->path, "AIPJ");
    EXPECT_EQ(read->finding(Code::BAD_JSON)->offset, chunkAt(bytes, 1) + 8);
}

TEST(VgoContainer, DistinguishesGlb) {
    const Blob glb = {'g', 'l', 'T', 'F', 2, 0, 0, 0, 12, 0, 0, 0};
    const auto opened = test::readBytes("", glb, {.name = "old.vgo"});
    EXPECT_NE(opened->finding(Code::UNKNOWN_FORMAT)->detail.find("VGO 1.0"), std::string::npos);
}

TEST(VgoContainer, IsDetectedByContent) {
    const auto opened = test::readBytes("", quadVgo().write(), {.name = "quad"});
    ASSERT_TRUE(opened->result.format);
    EXPECT_EQ(opened->result.format->id, "vgo");
    EXPECT_EQ(opened->result.version, "2.5");
}

TEST(VgoOutline, ListsChunksAndAccessors) {
    VgoBuilder vgo = quadVgo();
    vgo.addSparse(3, Vector<float>{0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0}, true);
    const Blob bytes = vgo.write();
    const auto opened = test::readOutline("vgo", bytes);
    EXPECT_EQ(opened.result.version, "2.5");
    ASSERT_EQ(opened.outline.size(), 5u);
    EXPECT_EQ(opened.outline[2].kind, "LAPJ");
    EXPECT_EQ(opened.outline[2].offset, chunkAt(bytes, 2));
    EXPECT_EQ(opened.outline[2].size, peek(bytes, entryOf(2) + 8));
    const OutlineNode& list = opened.outline[3];
    ASSERT_EQ(list.children.size(), 6u);
    const OutlineField& positions = list.children[1].fields.at(0);
    EXPECT_EQ(list.children[1].kind, "accessor");
    EXPECT_EQ(list.children[1].name, "1");
    EXPECT_EQ(positions.type, "4944");
    EXPECT_EQ(positions.count, 4u);
    EXPECT_EQ(positions.byteLength, 48u);
    EXPECT_EQ(positions.offset, chunkAt(bytes, 4) + 8 + 128);
    EXPECT_FALSE(positions.expanded);
    const OutlineField& sparse = list.children[5].fields.at(0);
    ASSERT_TRUE(sparse.expanded);
    EXPECT_EQ(sparse.expanded->size(), 48u);
    EXPECT_EQ(loadValue<float>(sparse.expanded->data() + 20), 7);
}

TEST(VgoSweep, EveryPrefix) {
    VgoBuilder vgo = quadVgo();
    test::everyPrefix(vgo.write(), "vgo");
    vgo.bsonAssetInfo = vgo.bsonLayout = vgo.bsonAccessors = true;
    vgo.crypt = VgoCrypt::base64();
    test::everyPrefix(vgo.write(), "vgo");
}

TEST(VgoSweep, EveryByteOfEverything) {
    VgoBuilder vgo = quadVgo();
    vgo.addSparse(3, Vector<float>{0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0}, true);
    const Blob json = vgo.write();
    test::bytePatches(json, json.size(), "vgo");
    vgo.bsonAssetInfo = vgo.bsonLayout = vgo.bsonAccessors = true;
    const Blob bson = vgo.write();
    test::bytePatches(bson, bson.size(), "vgo");
}

}  // namespace
}  // namespace rigcast
