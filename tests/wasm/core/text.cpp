#include "core/text.hpp"

#include <gtest/gtest.h>
#include <rapidjson/internal/dtoa.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "support/open.hpp"

namespace rigcast {
namespace {

using namespace std::literals;

const std::string replacement = "\xEF\xBF\xBD";

Bytes bytesOf(const std::string& text) { return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}; }

/// Returns a field of `size` bytes: the text, then zeros.
std::string field(std::string text, std::size_t size) {
    text.resize(size, '\0');
    return text;
}

FixedName nameOf(const std::string& bytes) { return fixedName(test::ExactBytes(bytesOf(bytes)).bytes()); }

TEST(Utf8, ValidTextIsValid) {
    for (const std::string& text : {""s, "bone"s, "Hüfte"s, "骨"s, "🦴"s, "\0"s, "\xF4\x8F\xBF\xBF"s, "\xED\x9F\xBF"s, "\xEE\x80\x80"s}) {
        EXPECT_TRUE(isValidUtf8(text)) << text;
        EXPECT_EQ(repairUtf8(text), text);
    }
}

TEST(Utf8, RejectsOverlongFormsSurrogatesAndLargeCodePoints) {
    for (const std::string& text : {"\xC0\x80"s, "\xC1\xBF"s, "\xE0\x80\x80"s, "\xE0\x9F\xBF"s, "\xF0\x80\x80\x80"s, "\xF0\x8F\xBF\xBF"s,
                                    "\xED\xA0\x80"s, "\xED\xBF\xBF"s, "\xF4\x90\x80\x80"s, "\xF5\x80\x80\x80"s, "\xFF"s, "\x80"s}) {
        EXPECT_FALSE(isValidUtf8(text));
        EXPECT_EQ(repairUtf8("a" + text + "b"), "a" + replacement + "b");
    }
}

TEST(Utf8, CutSequencesBecomeOneReplacement) {
    for (const std::string& text : {"\xC3"s, "\xE9\xAA"s, "\xF0\x9F\xA6"s}) {
        EXPECT_FALSE(isValidUtf8(text));
        EXPECT_EQ(repairUtf8("a" + text), "a" + replacement);
        EXPECT_EQ(repairUtf8(text + "z"), replacement + "z");
    }
}

TEST(Utf8, RepairedTextIsAlwaysValid) {
    for (int first = 0; first < 256; ++first)
        for (int second = 0; second < 256; ++second) {
            const std::string text = {static_cast<char>(first), static_cast<char>(second), 'x'};
            EXPECT_TRUE(isValidUtf8(repairUtf8(text))) << first << " " << second;
        }
}

TEST(Utf8, NeverReadsPastTheEnd) {
    const std::string bone = "\xF0\x9F\xA6\xB4";
    for (std::size_t size = 0; size <= 4; ++size) {
        const test::ExactBytes exact(bytesOf(bone).first(size));
        EXPECT_EQ(isValidUtf8(asText(exact.bytes())), size == 0 || size == 4);
    }
}

TEST(Windows1252, EveryByteHasItsCharacter) {
    EXPECT_EQ(fromWindows1252("A\x80\xFC\xFF"), "A€üÿ");
    EXPECT_EQ(fromWindows1252("\x99\x9F"), "™Ÿ");
    EXPECT_EQ(fromWindows1252("\x81"), "\xC2\x81");  // undefined in Windows-1252: becomes the control character, as in browsers
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
    EXPECT_TRUE(isValidUtf8(fromWindows1252(all)));
}

TEST(FixedName, EndsAtTheFirstNul) {
    const FixedName name = nameOf("Bip01\0garbage\xFF"s);
    EXPECT_EQ(name.text, "Bip01");
    EXPECT_TRUE(name.terminated);
    EXPECT_TRUE(name.wasUtf8);
}

TEST(FixedName, TrimsTrailingSpacesOnly) {
    EXPECT_EQ(nameOf(field(" left arm  ", 64)).text, " left arm");
    EXPECT_EQ(nameOf(field("   ", 64)).text, "");
}

TEST(FixedName, ReadsAFullFieldToItsEnd) {
    const FixedName name = nameOf(std::string(64, 'x'));
    EXPECT_EQ(name.text, std::string(64, 'x'));
    EXPECT_FALSE(name.terminated);
    EXPECT_FALSE(name.cutInsideCharacter);
}

TEST(FixedName, DropsACharacterThatTheFieldTruncates) {
    for (const std::string& cut : {"\xC3"s, "\xE9\xAA"s, "\xF0\x9F\xA6"s}) {
        const FixedName name = nameOf(std::string(64 - cut.size(), 'x') + cut);
        EXPECT_EQ(name.text, std::string(64 - cut.size(), 'x'));
        EXPECT_FALSE(name.terminated);
        EXPECT_TRUE(name.wasUtf8);
        EXPECT_TRUE(name.cutInsideCharacter);
    }
}

TEST(FixedName, DecodesTextThatIsNotUtf8AsWindows1252) {
    const FixedName name =
        nameOf(field("H\xFC"
                     "fte",
                     64));
    EXPECT_EQ(name.text, "Hüfte");
    EXPECT_FALSE(name.wasUtf8);
    EXPECT_FALSE(nameOf(field("caf\xE9", 64)).wasUtf8);  // ends like an incomplete character, but the field is not full
    EXPECT_EQ(nameOf(field("caf\xE9", 64)).text, "café");
}

TEST(FixedName, EmptyFieldIsAnEmptyName) {
    EXPECT_EQ(nameOf("").text, "");
    EXPECT_FALSE(nameOf("").terminated);
    EXPECT_TRUE(nameOf(field("", 64)).terminated);
}

TEST(Text, LowerAsciiLeavesOtherLettersAlone) { EXPECT_EQ(lowerAscii("AbZ[Ü"), "abz[Ü"); }

TEST(Text, TrimsBlanksOnBothSides) {
    EXPECT_EQ(trimmed(" \t a b\r\n"), "a b");
    EXPECT_EQ(trimmed(" \n"), "");
}

TEST(Text, NumbersHaveAtMostSixDecimals) {
    EXPECT_EQ(numberText(0), "0.0");
    EXPECT_EQ(numberText(-0.0), "-0.0");
    EXPECT_EQ(numberText(30), "30.0");
    EXPECT_EQ(numberText(0.3), "0.3");
    EXPECT_EQ(numberText(-1234.5), "-1234.5");
    EXPECT_EQ(numberText(0.1f), "0.1");
    EXPECT_EQ(numberText(9.9999999999999995), "10.0");
    EXPECT_EQ(numberText(1e-9), "0.0");
    EXPECT_EQ(numberText(1e22), "1e22");
    EXPECT_EQ(numberText(std::numeric_limits<double>::max()), "1.7976931348623157e308");
    EXPECT_EQ(numberText(-std::numeric_limits<double>::infinity()), "-infinity");
    EXPECT_EQ(numberText(std::nan("")), "NaN");
}

TEST(Text, NumbersEqualThoseOfTheLibrary) {
    const auto look = [](double value) {
        const std::string text = numberText(value);
        const double size = std::abs(value);
        if (size < 1e-7 || (size >= 1e-6 && size < 9e15)) {
            char digits[32];
            ASSERT_EQ(text, std::string(digits, rapidjson::internal::dtoa(value, digits, 6)));
        } else {  // with 17 digits, the library's last digit is not always the nearest
            ASSERT_EQ(std::stod(text), value) << text;
        }
    };
    std::uint32_t bits = 1;
    for (int i = 0; i < 20'000; ++i) {
        bits = bits * 1'664'525 + 1'013'904'223;
        float value;
        std::memcpy(&value, &bits, sizeof value);
        if (std::isfinite(value)) look(value);
        look(static_cast<std::int32_t>(bits) / 1000.0);
        look(bits * 1e-9);
    }
}

}  // namespace
}  // namespace rigcast
