#include "core/number.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace rigcast {

NumberText::NumberText(double value) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    int exponent = static_cast<int>(bits >> 52 & 2047);
    if (exponent) mantissa |= std::uint64_t{1} << 52;
    exponent = std::max(exponent, 1) - 1075;
    if (mantissa == 0) {
        put('0');
        return;
    }
    if (value < 0) put('-');

    // Uses only integers, because mantissa * 2^exponent equals mantissa * 5^-exponent *
    // 10^exponent. Each limb contains nine decimal digits.
    const int even = std::min(std::countr_zero(mantissa), std::max(-exponent, 0));
    mantissa >>= even;
    exponent += even;
    constexpr std::uint32_t billion = 1'000'000'000;
    std::uint32_t limbs[88];  // 5^1074 needs 84 limbs
    int count = 0;
    for (; mantissa; mantissa /= billion) limbs[count++] = static_cast<std::uint32_t>(mantissa % billion);
    for (int left = exponent < 0 ? -exponent : exponent; left > 0;) {
        std::uint32_t factor = 1;
        for (; left > 0 && factor < 1u << 27; --left) factor *= exponent < 0 ? 5 : 2;
        std::uint64_t carry = 0;
        for (int i = 0; i < count; ++i) {
            carry += std::uint64_t{limbs[i]} * factor;
            limbs[i] = static_cast<std::uint32_t>(carry % billion);
            carry /= billion;
        }
        if (carry) limbs[count++] = static_cast<std::uint32_t>(carry);
    }

    // Drops the least significant limbs, which are beyond the precision of a double.
    const int dropped = std::max(count - 4, 0);
    for (int i = count - 1; i >= dropped; --i)
        for (std::uint32_t unit = billion / 10, limb = limbs[i]; unit; limb %= unit, unit /= 10)
            if (i < count - 1 || unit <= limbs[i]) put(static_cast<char>('0' + limb / unit));
    digits_ = size_;
    int power = power_ = std::min(exponent, 0) + 9 * dropped;
    if (power == 0) return;
    put('e');
    if (power < 0) put('-');
    power = power < 0 ? -power : power;
    for (int unit = power < 10 ? 1 : power < 100 ? 10 : 100; unit; unit /= 10) put(static_cast<char>('0' + power / unit % 10));
}

namespace {

/// A number with a precision of about 106 bits: the unevaluated sum of two doubles, of which the
/// second is too small to change the first.
struct Wide {
    double high, low;
};

/// Returns the exact product of two doubles (Dekker). Requires -ffp-contract=off, because a fused
/// multiply-add would change the result.
Wide product(double a, double b) {
    const auto split = [](double x) {
        const double shifted = x * 0x8000001;
        const double high = shifted - (shifted - x);
        return Wide{high, x - high};
    };
    const Wide x = split(a), y = split(b);
    const double high = a * b;
    return {high, x.high * y.high - high + x.high * y.low + x.low * y.high + x.low * y.low};
}

Wide operator*(Wide a, Wide b) {
    const Wide exact = product(a.high, b.high);
    const double low = exact.low + (a.high * b.low + a.low * b.high), high = exact.high + low;
    return {high, exact.high - high + low};
}

}  // namespace

double readNumber(std::string_view text) {
    const bool isNegative = text.starts_with('-');
    if (isNegative) text.remove_prefix(1);
    if (text.starts_with('N')) return std::numeric_limits<double>::quiet_NaN();
    double value = std::numeric_limits<double>::infinity();
    if (!text.starts_with('I')) {
        std::uint64_t digits = 0;
        int power = 0, written = 0;
        bool isFraction = false;
        std::size_t i = 0;
        for (; i < text.size() && (text[i] | 32) != 'e'; ++i) {
            if (text[i] == '.') {
                isFraction = true;
            } else if (digits < 1'000'000'000'000'000'000) {
                digits = digits * 10 + static_cast<std::uint64_t>(text[i] - '0');
                power -= isFraction;
            } else {
                power += !isFraction;
            }
        }
        const bool isSmall = text.substr(i).find('-') != text.npos;
        for (; i < text.size(); ++i)
            if (text[i] >= '0' && text[i] <= '9') written = std::min(written * 10 + (text[i] - '0'), 100'000);
        // With a power outside this range, the result is 0 or infinity.
        power = std::clamp(isSmall ? power - written : power + written, -400, 400);

        // value = digits * 5^power * 2^power
        Wide factor{1, 0}, square{5, 0};
        for (int rest = power < 0 ? -power : power; rest; rest >>= 1, square = square * square)
            if (rest & 1) factor = factor * square;
        const double high = static_cast<double>(digits);
        const double low = static_cast<double>(static_cast<std::int64_t>(digits - static_cast<std::uint64_t>(high)));
        if (power < 0) {
            const double quotient = high / factor.high;
            const Wide back = product(quotient, factor.high);
            value = quotient + (high - back.high - back.low + low - quotient * factor.low) / factor.high;
        } else {
            const Wide exact = product(high, factor.high);
            value = exact.high + (exact.low + low * factor.high + high * factor.low);
        }
        value = std::ldexp(value, power);
    }
    return isNegative ? -value : value;
}

std::optional<double> parseDecimal(std::string_view text) {
    const bool isNegative = text.starts_with('-');
    if (isNegative || text.starts_with('+')) text.remove_prefix(1);
    std::string_view rest = text;
    const auto skipDigits = [&] {
        const std::size_t count = std::min(rest.find_first_not_of("0123456789"), rest.size());
        rest.remove_prefix(count);
        return count;
    };
    std::size_t digits = skipDigits();
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        digits += skipDigits();
    }
    if (digits == 0) return std::nullopt;
    if (rest.starts_with('e') || rest.starts_with('E')) {
        rest.remove_prefix(1);
        if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
        if (skipDigits() == 0) return std::nullopt;
    }
    if (!rest.empty()) return std::nullopt;
    const double value = readNumber(text);
    return isNegative ? -value : value;
}

}  // namespace rigcast
