#include "core/number.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>
#include <string>

namespace rigcast {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::string textOf(double value) { return std::string(NumberText(value).view()); }

TEST(NumberText, IsPlainForCommonNumbers) {
    EXPECT_EQ(textOf(0), "0");
    EXPECT_EQ(textOf(-0.0), "0");
    EXPECT_EQ(textOf(1), "1");
    EXPECT_EQ(textOf(-120), "-120");
    EXPECT_EQ(textOf(4294967295.0), "4294967295");
    EXPECT_EQ(textOf(1'000'000'000.0), "1000000000");
    EXPECT_EQ(textOf(1'000'000'001.0), "1000000001");
    EXPECT_EQ(textOf(9007199254740992.0), "9007199254740992");
    EXPECT_EQ(textOf(0.5), "5e-1");
    EXPECT_EQ(textOf(-1.25), "-125e-2");
}

TEST(NumberText, ReadsBackAsTheSameBits) {
    std::mt19937_64 random(7);
    const auto check = [](double value) {
        const std::string text = textOf(value);
        ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
        ASSERT_LE(text.size(), 42u);
    };
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t bits = random();
        double any;
        std::memcpy(&any, &bits, sizeof any);
        if (!std::isfinite(any)) continue;
        check(any);
        if (std::fabs(any) < 1e38) check(static_cast<float>(any));
        check(static_cast<double>(bits >> 11) / 1000);
        check(static_cast<double>(static_cast<std::int64_t>(bits) >> 40));
    }
    for (const double value : {5e-324, 2.2250738585072014e-308, 2.225073858507201e-308, 1.7976931348623157e308, 1e23, 0.1, 1. / 3, 1e22})
        check(value);
}

TEST(ReadNumber, ReadsEveryFormOfJsonNumbers) {
    EXPECT_EQ(readNumber("0"), 0);
    EXPECT_TRUE(std::signbit(readNumber("-0")));
    EXPECT_EQ(readNumber("-12.50"), -12.5);
    EXPECT_EQ(readNumber("1e3"), 1000);
    EXPECT_EQ(readNumber("1E+3"), 1000);
    EXPECT_EQ(readNumber("25e-1"), 2.5);
    EXPECT_EQ(readNumber("18446744073709551615"), 18446744073709551615.0);
    EXPECT_EQ(readNumber("100000000000000000000000"), 1e23);
    EXPECT_EQ(readNumber("0e999"), 0);
    EXPECT_EQ(readNumber("1e999"), inf);
    EXPECT_EQ(readNumber("-1e99999999999"), -inf);
    EXPECT_EQ(readNumber("1e-999"), 0);
    EXPECT_EQ(readNumber("5e-324"), 5e-324);
    EXPECT_EQ(readNumber("0.000000000000000000000000000001"), 1e-30);
    EXPECT_TRUE(std::isnan(readNumber("NaN")));
    EXPECT_EQ(readNumber("Infinity"), inf);
    EXPECT_EQ(readNumber("-Infinity"), -inf);
}

TEST(ParseDecimal, ParsesNumbersAsToolsPrintThem) {
    EXPECT_EQ(parseDecimal("-25.8564"), -25.8564);
    EXPECT_EQ(parseDecimal("-4.37114e-07"), -4.37114e-07);
    EXPECT_EQ(parseDecimal("1e+06"), 1e6);
    EXPECT_EQ(parseDecimal("+.5"), 0.5);
    EXPECT_EQ(parseDecimal("7."), 7);
    EXPECT_EQ(parseDecimal("-0"), 0);
    for (const std::string_view text : {"", "-", ".", "+-1", "1e", "1e-", "nan", "inf", "-nan(ind)", "0x10", "1,5", "1 ", "1.2.3", "e5"})
        EXPECT_FALSE(parseDecimal(text)) << text;
}

TEST(ReadNumber, IsTheNearestDoubleButForAFewInAMillion) {
    std::mt19937_64 random(11);
    int different = 0;
    for (int i = 0; i < 200'000; ++i) {
        const std::uint64_t bits = random();
        double any;
        std::memcpy(&any, &bits, sizeof any);
        if (!std::isfinite(any) || any == 0) continue;
        char text[64];
        std::snprintf(text, sizeof text, "%.*g", 1 + i % 20, any);
        const double read = readNumber(text), expected = std::strtod(text, nullptr);
        different += read != expected && std::fabs(expected) > 2.3e-308;  // the smallest numbers are rounded twice
        if (std::fabs(expected) > 1e-300 && std::isfinite(expected)) {
            ASSERT_NEAR(read / expected, 1, 2.3e-16) << text;
        }
    }
    EXPECT_LE(different, 2);
    for (const double value : {5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 3.4028234663852886e38, 1e23, 0.1, 1. / 3, 1e22}) {
        EXPECT_EQ(readNumber(NumberText(value).view()), value);
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", value);
        EXPECT_EQ(readNumber(text), value);
    }
}

}  // namespace
}  // namespace rigcast
