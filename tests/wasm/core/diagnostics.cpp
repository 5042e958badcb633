#include "core/code.hpp"
#include "core/codeTexts.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "core/text.hpp"

namespace rigcast {
namespace {

TEST(Diagnostics, MergesFindingsOfOneCodeAndPath) {
    Diagnostics diagnostics;
    diagnostics.add(Code::FACE_INDEX_RANGE, {.offset = 40, .path = "FACE0000"}, "first");
    diagnostics.add(Code::FACE_INDEX_RANGE, {.offset = 52, .path = "FACE0000"}, "second", 9);
    ASSERT_EQ(diagnostics.findings().size(), 1u);
    const Finding& finding = diagnostics.findings()[0];
    EXPECT_EQ(finding.count, 10u);
    EXPECT_EQ(finding.offset, 40u);
    EXPECT_EQ(finding.detail, "first");
    EXPECT_EQ(diagnostics.total(Severity::error), 10u);
}

TEST(Diagnostics, SeparatesFindingsByPathCodeAndSeverity) {
    Diagnostics diagnostics;
    diagnostics.add(Code::TRUNCATED, {.path = "a"});
    diagnostics.add(Code::TRUNCATED, {.path = "b"});
    diagnostics.add(Code::NON_FINITE, {.path = "a"});
    diagnostics.add(Code::TRUNCATED, Severity::info, {.path = "a"});
    EXPECT_EQ(diagnostics.findings().size(), 4u);
    EXPECT_EQ(diagnostics.total(Severity::error), 3u);
    EXPECT_EQ(diagnostics.total(Severity::info), 1u);
}

TEST(Diagnostics, SeverityComesFromTheTable) {
    Diagnostics diagnostics;
    for (const Code code : {Code::TRUNCATED, Code::TRAILING_BYTES, Code::NO_MOTION}) diagnostics.add(code);
    EXPECT_EQ(diagnostics.findings()[0].severity, Severity::error);
    EXPECT_EQ(diagnostics.findings()[1].severity, Severity::warning);
    EXPECT_EQ(diagnostics.findings()[2].severity, Severity::info);
}

TEST(Diagnostics, StrictModeRaisesOnlyWarnings) {
    Diagnostics diagnostics(true);
    diagnostics.add(Code::TRAILING_BYTES);
    diagnostics.add(Code::NO_MOTION);
    diagnostics.add(Code::TRUNCATED, Severity::warning, {.path = "x"});
    EXPECT_EQ(diagnostics.total(Severity::error), 2u);
    EXPECT_EQ(diagnostics.total(Severity::warning), 0u);
    EXPECT_EQ(diagnostics.total(Severity::info), 1u);
    EXPECT_EQ(diagnostics.findings()[0].severity, Severity::error);
}

TEST(Diagnostics, CountsFindingsBeyondTheLimitAndIsTruncated) {
    Diagnostics diagnostics;
    for (std::size_t i = 0; i < Diagnostics::limit; ++i) diagnostics.add(Code::NAME_DAMAGED, {.path = std::to_string(i)});
    EXPECT_FALSE(diagnostics.truncated());
    diagnostics.add(Code::NAME_DAMAGED, {.path = "0"});
    EXPECT_FALSE(diagnostics.truncated());
    diagnostics.add(Code::NAME_DAMAGED, {.path = "one more"});
    EXPECT_TRUE(diagnostics.truncated());
    EXPECT_EQ(diagnostics.findings().size(), Diagnostics::limit);
    EXPECT_EQ(diagnostics.total(Severity::warning), Diagnostics::limit + 2);
}

TEST(Diagnostics, CountsAMillionAlternatingFindings) {
    Diagnostics diagnostics;
    const std::string paths[] = {"one", "two"};
    for (std::size_t i = 0; i < 2 * Diagnostics::mostSearches; ++i) diagnostics.add(Code::NAME_DAMAGED, {.path = paths[i % 2]});
    EXPECT_TRUE(diagnostics.truncated());
    EXPECT_EQ(diagnostics.total(Severity::warning), 2 * Diagnostics::mostSearches);
    ASSERT_EQ(diagnostics.findings().size(), 2u);
    const std::uint64_t count = diagnostics.findings()[0].count;
    // Adding the same finding again needs no search.
    diagnostics.add(Code::NAME_DAMAGED, {.path = "two"});
    EXPECT_EQ(diagnostics.findings()[0].count, count);
    EXPECT_GT(diagnostics.findings()[1].count, Diagnostics::mostSearches / 2);
    Diagnostics same;
    for (std::size_t i = 0; i < 2 * Diagnostics::mostSearches; ++i) same.add(Code::NAME_DAMAGED, {.path = "one"});
    EXPECT_FALSE(same.truncated());
    EXPECT_EQ(same.findings()[0].count, 2 * Diagnostics::mostSearches);
}

TEST(Diagnostics, CountOfZeroAddsNoFinding) {
    Diagnostics diagnostics;
    diagnostics.add(Code::FACE_DEGENERATE, {}, "none", 0);
    EXPECT_TRUE(diagnostics.findings().empty());
}

TEST(Diagnostics, RepairsTextOfFiles) {
    Diagnostics diagnostics;
    diagnostics.add(Code::NAME_DAMAGED, {.path = "bone \xFF"}, "\xC0\x80");
    EXPECT_TRUE(isValidUtf8(diagnostics.findings()[0].path));
    EXPECT_TRUE(isValidUtf8(diagnostics.findings()[0].detail));
}

TEST(Details, ReplacesPlaceholdersByArguments) {
    EXPECT_EQ(Detail("plain {}").text(), "plain {}");
    EXPECT_EQ(Detail(std::string("out of a file: {}")).text(), "out of a file: {}");
    EXPECT_EQ(formatted("{} of {} in {}", {-3, 18446744073709551615u, std::string("\"{}\"")}), "-3 of 18446744073709551615 in \"{}\"");
    EXPECT_EQ(formatted("{} m, {}", {0.25, "end"}), "0.25 m, end");
    EXPECT_EQ(formatted("{} is left", {}), "{} is left");
}

TEST(Diagnostics, CutsLongTextsBetweenCharacters) {
    const std::string letters(Diagnostics::mostBytes - 1, 'x');
    Diagnostics diagnostics;
    diagnostics.add(Code::TRUNCATED, {.path = letters + "\u00e9 and more"}, {"{} and more", {letters + "\u20ac"}});
    diagnostics.add(Code::TRUNCATED, {.path = letters + "\u00e9 and other"});
    ASSERT_EQ(diagnostics.findings().size(), 1u);
    EXPECT_EQ(diagnostics.findings()[0].path, letters);
    EXPECT_EQ(diagnostics.findings()[0].detail, letters);
    EXPECT_EQ(diagnostics.findings()[0].count, 2u);
    Diagnostics other;
    other.add(Code::TRUNCATED, {.path = letters + "x"}, letters + "x");
    EXPECT_EQ(other.findings()[0].path, letters + "x");
    EXPECT_EQ(other.findings()[0].detail, letters + "x");
}

TEST(CodeTable, NamesAreUniqueAndUpperCase) {
    std::set<std::string_view> names;
    for (const CodeInfo& info : codeTable()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_EQ(std::string_view(info.name).find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"), std::string_view::npos)
            << info.name;
    }
}

TEST(CodeTable, SentencesAndAdviceAreSentences) {
    ASSERT_EQ(codeTexts().size(), codeTable().size());
    for (const CodeText& text : codeTexts())
        for (const std::string_view sentence : {text.sentence, text.advice}) {
            ASSERT_FALSE(sentence.empty());
            EXPECT_EQ(sentence.back(), '.') << sentence;
            EXPECT_EQ(sentence.find_first_of("\n|\""), std::string_view::npos) << sentence;
        }
}

TEST(CodeTable, RowsMatchTheEnumeration) {
    EXPECT_STREQ(infoOf(Code::UNKNOWN_FORMAT).name, "UNKNOWN_FORMAT");
    EXPECT_STREQ(infoOf(Code::TEXTURE_DAMAGED).name, "TEXTURE_DAMAGED");
}

}  // namespace
}  // namespace rigcast
