// Decimal text of numbers, both ways, as JSON spells them. Our own, because a library's tables of powers of ten alone are 5 KB of the wasm, gzipped.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigcast {

/// A number as text that reads back as the same number, without ends: at most 28 significant digits, mostly all that the value has.
class NumberText {
public:
    /// `value` is finite.
    explicit NumberText(double value);
    std::string_view view() const { return {text_, size_}; }
    /// Of a value that is not negative: its digits, a whole number that is to be multiplied by 10^power.
    std::string_view digits() const { return {text_, digits_}; }
    int power() const { return power_; }

private:
    void put(char character) { text_[size_++] = character; }

    char text_[48];
    std::size_t size_ = 0, digits_ = 1;
    int power_ = 0;
};

/// The value of a number in JSON's spelling, or of NaN and Infinity with or without a sign: the nearest double, but for a few in a million (and
/// one in a thousand below 2.3e-308). What is too large is infinite.
double readNumber(std::string_view text);

/// The value of a decimal number as tools print it (`-25.8564`, `1e-05`, `.5`). Nothing if the text is anything else.
std::optional<double> parseDecimal(std::string_view text);

}  // namespace rigcast
