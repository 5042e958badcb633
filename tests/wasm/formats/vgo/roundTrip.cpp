// Tests that a file that was read is written byte for byte, or with the changes to the document.
#include <gtest/gtest.h>

#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/vgo/bson.hpp"
#include "support/files.hpp"
#include "support/vgo.hpp"
#include "support/vgoPuppet.hpp"

namespace rigcast {
namespace {

using test::readVgoBytes;
using Blob = Vector<std::uint8_t>;

VgoChunk& chunkOf(VgoDocument& document, VgoSlot slot) { return const_cast<VgoChunk&>(*document.chunkOf(slot)); }

class VgoRoundTrip : public testing::TestWithParam<test::VgoConventions> {};

TEST_P(VgoRoundTrip, WritesTheSameBytes) {
    VgoBuilder vgo = test::puppetVgo(GetParam());
    vgo.moreChunks.push_back({vgoType('X', 'T', 'R', 'A'), {1, 2, 3}});
    const auto same = [](const VgoBuilder& builder) {
        const auto read = readVgoBytes(builder.write());
        EXPECT_EQ(writeVgo(read->document), read->bytes);
    };
    same(vgo);
    vgo.crypt = VgoCrypt::base64();
    same(vgo);
    vgo.crypt = VgoCrypt{Properties{{"algorithms", "AES"}, {"iv", "AAAAAAAAAAAAAAAAAAAAAA=="}}, [](Bytes) { return Blob(32, 7); }, true};
    same(vgo);
    vgo.uri = "elsewhere.bin";
    same(vgo);
}

INSTANTIATE_TEST_SUITE_P(All, VgoRoundTrip,
                         testing::Values(test::VgoConventions{true, true, false, 5}, test::VgoConventions{false, false, true, 5},
                                         test::VgoConventions{true, false, true, 4}, test::VgoConventions{false, true, false, 1}));

TEST(VgoWrite, KeepsPaddingAsItWas) {
    VgoBuilder vgo = test::quadVgo();
    vgo.set("padded", writeJson(vgo.layout).size() % 2 ? "" : "1");
    Blob bytes = vgo.write();
    const auto before = readVgoBytes(bytes);
    std::size_t padded = 0;
    for (const VgoChunk& chunk : before->document.chunks)
        if (!chunk.padding.empty()) bytes[static_cast<std::size_t>(chunk.payloadOffset()) + chunk.payload.size()] = 0xA5, ++padded;
    ASSERT_GT(padded, 0u);
    const auto read = readVgoBytes(bytes);
    EXPECT_EQ(writeVgo(read->document), bytes);
}

TEST(VgoWrite, WritesAChangedTreeAndKeepsTheRest) {
    for (const bool bson : {false, true}) {
        VgoBuilder vgo = test::puppetVgo({.bson = bson});
        vgo.moreChunks.push_back({vgoType('X', 'T', 'R', 'A'), {1, 2, 3}});
        const auto read = readVgoBytes(vgo.write());
        VgoDocument& document = read->document;
        test::memberOf(test::itemOf(test::memberOf(document.layout, "nodes"), 1), "name") = "Pelvis";
        Blob payload = writeBson(document.layout);
        if (const std::string text = writeJson(document.layout); !bson) payload.assign(text.begin(), text.end());
        chunkOf(document, layoutSlot).payload = payload;

        const auto again = readVgoBytes(writeVgo(document));
        EXPECT_TRUE(again->complete && again->isClean()) << bson;
        EXPECT_EQ(writeJson(again->document.layout), writeJson(document.layout));
        EXPECT_NE(writeJson(again->document.layout).find("Pelvis"), std::string::npos);
        ASSERT_EQ(again->document.chunks.size(), document.chunks.size());
        for (std::size_t i = 0; i < document.chunks.size(); ++i)
            EXPECT_TRUE(std::equal(again->document.chunks[i].payload.begin(), again->document.chunks[i].payload.end(),
                                   document.chunks[i].payload.begin(), document.chunks[i].payload.end()))
                << document.chunks[i].name;
    }
}

TEST(VgoWrite, RewritesGapsAndOrderOfTheIndex) {
    const auto plain = readVgoBytes(test::quadVgo().write());
    Blob bytes = plain->bytes;
    // Adds a gap before the last chunk and exchanges the first two chunks in the index.
    const std::size_t entries = plain->document.chunks.size(), last = static_cast<std::size_t>(plain->document.chunks.back().offset);
    bytes.insert(bytes.begin() + static_cast<std::ptrdiff_t>(last), 6, 0xEE);
    const auto moved = static_cast<std::uint32_t>(last + 6);
    std::memcpy(bytes.data() + 24 + 16 * (entries - 1) + 4, &moved, 4);
    std::swap_ranges(bytes.begin() + 24, bytes.begin() + 40, bytes.begin() + 40);
    const auto read = readVgoBytes(bytes);
    ASSERT_TRUE(read->complete);
    EXPECT_EQ(writeVgo(read->document), plain->bytes);
}

TEST(VgoWrite, FixturesEqualTheOutputOfTheWriter) {
    for (const auto& [name, bytes] : test::puppetFixtures()) {
        const auto stored = test::readFile(test::dataFolder() / "vgo" / name);
        EXPECT_TRUE(stored && *stored == bytes) << name << ": rigcast_vgoFixtures tests/data/vgo writes it anew";
    }
}

TEST(VgoWrite, WritesRealFilesByteForByte) {
    const auto corpus = test::corpusFolder();
    if (corpus.empty()) GTEST_SKIP() << test::corpusAbsent;
    std::size_t files = 0;
    for (const char* folder : {"real", "generated"})
        for (const auto& entry : std::filesystem::directory_iterator(corpus / "vgo" / folder)) {
            if (entry.path().extension() != ".vgo") continue;
            ++files;
            const auto read = readVgoBytes(*test::readFile(entry.path()));
            EXPECT_EQ(writeVgo(read->document), read->bytes) << entry.path().filename();
            // A rewritten file contains the same tree. (Numbers in JSON have the precision of a
            // float, and those in BSON the precision of a double.)
            const std::string text = writeJson(read->document.layout);
            const bool isJson = read->document.chunkOf(layoutSlot)->name == "LAPJ";
            EXPECT_TRUE(!isJson || writeJson(readJson(text, 128, true).root) == text) << entry.path().filename();
            EXPECT_TRUE(writeJson(readBson(writeBson(read->document.layout)).root) == text) << entry.path().filename();
        }
    EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace rigcast
