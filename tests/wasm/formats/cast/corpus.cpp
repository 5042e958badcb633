// Tests optional files of the reference library, and damage to a file with every feature.
#include "cast.hpp"
#include "castFixtures.hpp"
#include "core/codeTexts.hpp"
#include "core/vector.hpp"
#include "support/files.hpp"
#include "support/sweeps.hpp"

namespace rigcast::test {
namespace {

namespace fs = std::filesystem;

Vector<fs::path> castFiles(const fs::path& folder) {
    Vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cast") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

fs::path corpus() {
    const fs::path folder = corpusFolder();
    return folder.empty() ? folder : folder / "cast" / "generated";
}

TEST(CastCorpus, ValidFilesAreWrittenByteForByte) {
    if (corpus().empty()) GTEST_SKIP() << corpusAbsent;
    std::size_t count = 0;
    for (const char* folder : {"valid", "legacy"}) {
        for (const fs::path& path : castFiles(corpus() / folder)) {
            SCOPED_TRACE(path.filename().string());
            const auto bytes = *readFile(path);
            CastFindings findings;
            EXPECT_EQ(writeCast(readCast(bytes, findings)), bytes);
            for (const CastFinding& finding : findings.list()) EXPECT_NE(finding.severity, Severity::error);
            ++count;
        }
    }
    EXPECT_GT(count, 40u);
}

/// Compares a node with its reference facts. 64-bit numbers are strings in the facts and are
/// compared elsewhere.
void compareNode(const OutlineNode& node, const Value& facts) {
    EXPECT_EQ(node.hash, facts.find("hash")->asString(""));
    EXPECT_EQ(static_cast<double>(node.offset), facts.find("offset")->asNumber(-1));
    EXPECT_EQ(static_cast<double>(node.size), facts.find("nodeSize")->asNumber(-1));
    const std::string_view kind = facts.find("class")->asString("");
    EXPECT_EQ(node.kind, kind == "CastNode" ? "Unknown" : kind);
    const auto& properties = facts.find("properties")->as<Vector<Value>>();
    ASSERT_EQ(node.fields.size(), properties.size());
    for (std::size_t i = 0; i < properties.size(); ++i) {
        EXPECT_EQ(node.fields[i].name, properties[i].find("name")->asString(""));
        EXPECT_EQ(node.fields[i].type, properties[i].find("type")->asString(""));
        EXPECT_EQ(static_cast<double>(node.fields[i].count), properties[i].find("count")->asNumber(-1));
        EXPECT_EQ(static_cast<double>(node.fields[i].offset), properties[i].find("dataOffset")->asNumber(-1));
        EXPECT_EQ(static_cast<double>(node.fields[i].byteLength), properties[i].find("byteLength")->asNumber(-1));
    }
    const auto& children = facts.find("children")->as<Vector<Value>>();
    ASSERT_EQ(node.children.size(), children.size());
    for (std::size_t i = 0; i < children.size(); ++i) compareNode(node.children[i], children[i]);
}

TEST(CastCorpus, OutlinesEqualThoseOfTheReferenceReader) {
    if (corpus().empty()) GTEST_SKIP() << corpusAbsent;
    for (const char* folder : {"valid", "legacy"}) {
        for (const fs::path& path : castFiles(corpus() / folder)) {
            const auto facts = readFile(path.string() + ".json");
            if (!facts || path.stem() == "deep_nesting_200") continue;  // deeper than `parseJson` supports
            SCOPED_TRACE(path.filename().string());
            const Value json = parseJson({reinterpret_cast<const char*>(facts->data()), facts->size()});
            ASSERT_TRUE(json.find("roots"));
            const auto& roots = json.find("roots")->as<Vector<Value>>();
            const auto opened = readOutline("cast", *readFile(path));
            ASSERT_EQ(opened.outline.size(), roots.size());
            for (std::size_t i = 0; i < roots.size(); ++i) compareNode(opened.outline[i], roots[i]);
        }
    }
}

TEST(CastCorpus, DamagedFilesHaveTheExpectedSeverity) {
    if (corpus().empty()) GTEST_SKIP() << corpusAbsent;
    const auto table = *readFile(corpus() / "malformed" / "EXPECTED.json");
    const Value expected = parseJson({reinterpret_cast<const char*>(table.data()), table.size()});
    for (const auto& [name, entry] : expected.as<Properties>()) {
        SCOPED_TRACE(name);
        const auto opened = readBytes("", *readFile(corpus() / "malformed" / name), {.name = name});
        const std::uint64_t errors = opened->diagnostics.total(Severity::error), warnings = opened->diagnostics.total(Severity::warning);
        const std::string level = errors ? "error" : warnings ? "warn" : "ok";
        const std::string_view wanted = entry.find("expect")->asString("");
        EXPECT_NE(wanted.find(level), std::string_view::npos) << level << " instead of " << wanted;
        // The code in the table of expectations is one of the reported codes.
        const std::string_view code = entry.find("code")->asString("");
        bool isTold = code.empty();
        for (const Finding& finding : opened->diagnostics.findings())
            isTold |= codeTexts()[static_cast<std::size_t>(finding.code)].ids.find(code) != std::string_view::npos;
        EXPECT_TRUE(isTold) << code;
    }
}

TEST(CastDamage, EveryPrefix) { everyPrefix(everythingCast(), "cast"); }

TEST(CastDamage, EveryByte) {
    const auto file = everythingCast();
    bytePatches(file, 0, file.size(), "cast");
}

TEST(CastDamage, UndamagedFileHasNoFinding) {
    const auto opened = openCast(everythingCast());
    EXPECT_EQ(opened->diagnostics.total(Severity::error), 0u);
    EXPECT_EQ(opened->diagnostics.total(Severity::warning), 0u);
    CastFindings findings;
    const auto bytes = everythingCast();
    EXPECT_EQ(writeCast(readCast(bytes, findings)), bytes);
}

/// Committed fixtures equal the output of their generator.
TEST(CastDamage, FixturesAreUpToDate) {
    for (const CastFixture& fixture : castFixtures())
        EXPECT_EQ(readFile(dataFolder() / "cast" / fixture.name), fixture.bytes) << fixture.name;
}

}  // namespace
}  // namespace rigcast::test
