#include "core/json.hpp"

#include "core/budget.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/vector.hpp"
#include "support/values.hpp"

namespace rigcast {
namespace {

using test::at;
using test::sizeOf;

TEST(ParseJson, ReadsEveryKindOfValue) {
    const Value value = parseJson(R"({"a": [null, true, -1.5, "x\u00fc", {}, []], "b": {"c": 18446744073709551615}})");
    const Value& list = at(value, "a");
    ASSERT_EQ(sizeOf(list), 6u);
    EXPECT_TRUE(at(list, 1).asBool(false));
    EXPECT_EQ(at(list, 2).asNumber(0), -1.5);
    EXPECT_EQ(at(list, 3).asString(""), "xü");
    EXPECT_EQ(at(at(value, "b"), "c").asNumber(0), 18446744073709551615.0);
}

TEST(ParseJson, UsesTheLastOfRepeatedMembers) { EXPECT_EQ(at(parseJson(R"({"a": 1, "a": 2})"), "a").asNumber(0), 2); }

TEST(ParseJson, InvalidJsonIsNull) {
    for (const std::string_view text :
         {"", " ", "{", "[1,", "{\"a\"}", "nul", "1 2", "[1]]", "NaN", "\"\\ud800\"", "{\"a\":1,}", "'a'", "\"\x01"})
        EXPECT_TRUE(parseJson(text).isNull()) << text;
}

TEST(ReadJson, ReadsUnpairedSurrogatesLikeJsonNet) {
    const auto read = [](std::string_view text) { return readJson(text, 128, true); };
    const Tree tree = read(R"({"a\ud83d": ["\u0000\ud83d", "\ude00!", "\ud83d\ude00", "\\ud83d", "\ud83d\ud83d\ude00", "\ud83dx"]})");
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(tree.halves, 5u);
    const Value& list = at(tree.root, "a\xEF\xBF\xBD");
    const std::string texts[] = {std::string("\0\xEF\xBF\xBD", 4), "\xEF\xBF\xBD!", "\xF0\x9F\x98\x80", "\\ud83d",
                                 "\xEF\xBF\xBD\xF0\x9F\x98\x80",   "\xEF\xBF\xBDx"};
    for (std::size_t i = 0; i < std::size(texts); ++i) EXPECT_EQ(at(list, i).asString(""), texts[i]) << i;
    for (const std::string_view text : {R"("\ud8")", R"("\ud83d)", R"("\u")", R"("\)"}) EXPECT_FALSE(read(text).ok()) << text;
}

TEST(ParseJson, LimitsTheDepth) {
    const auto nested = [](std::size_t depth) { return parseJson(std::string(depth, '[') + std::string(depth, ']')); };
    EXPECT_TRUE(nested(128).is<Vector<Value>>());
    EXPECT_TRUE(nested(129).isNull());
    EXPECT_TRUE(nested(1'000'000).isNull());
}

TEST(ReadJson, AcceptsNonFiniteNumbersOnlyIfLenient) {
    EXPECT_EQ(readJson("[NaN, Infinity, -Infinity]").error, TreeError::syntax);
    const Tree tree = readJson("[NaN, Infinity, -Infinity]", 128, true);
    ASSERT_TRUE(tree.ok());
    EXPECT_TRUE(std::isnan(at(tree.root, 0).asNumber(0)));
    EXPECT_EQ(at(tree.root, 1).asNumber(0), HUGE_VAL);
    EXPECT_EQ(at(tree.root, 2).asNumber(0), -HUGE_VAL);
}

TEST(ReadJson, AcceptsComments) { EXPECT_EQ(at(readJson("/* a */ [1, // b\n 2]").root, 1).asNumber(0), 2); }

TEST(ReadJson, ReportsOffsetAndKindOfErrors) {
    const Tree broken = readJson(R"({"a": [1, 2, }})");
    EXPECT_EQ(broken.error, TreeError::syntax);
    EXPECT_EQ(broken.offset, 13u);
    EXPECT_EQ(readJson("[[[]]]", 2).error, TreeError::tooDeep);
    EXPECT_TRUE(readJson("[[[]]]", 3).ok());
    EXPECT_EQ(readJson(std::string_view("{}\0{}", 5)).error, TreeError::syntax);
    EXPECT_EQ(readJson(std::string_view("{}\0", 3)).error, TreeError::syntax);
}

TEST(ReadJson, MemoryIsBounded) {
    std::string many = "[0";
    for (int i = 1; i < 1000; ++i) many += ",0";
    many += "]";
    {
        const Budget budget(1000 * sizeof(Value), 0);
        EXPECT_EQ(readJson(many).error, TreeError::tooLarge);
        EXPECT_TRUE(Budget::exhausted());
        EXPECT_LE(budget.peak(), 1000 * sizeof(Value));
    }
    const Budget budget(4000 * sizeof(Value), 0);
    EXPECT_TRUE(readJson(many).ok());
    EXPECT_FALSE(Budget::exhausted());
}

TEST(ReadJson, ReportsTheFirstNumberThatIsNotAnInteger) {
    EXPECT_FALSE(readJson("[1, -2, 18446744073709551615]").fraction);
    EXPECT_EQ(readJson("[1, 24.0, 2.5]").fraction, 8u);
    EXPECT_TRUE(readJson("[1e2]").fraction);
}

}  // namespace
}  // namespace rigcast
