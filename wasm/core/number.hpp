// Converts numbers to JSON text and back. A library's tables of powers of ten would add 5 KB to the
// gzipped wasm.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigcast {

/// Decimal text that reads back as the same number, without a terminator. At most 28 significant
/// digits, usually all that the value has.
class NumberText {
public:
    /// `value` must be finite.
    explicit NumberText(double value);
    std::string_view view() const { return {text_, size_}; }
    /// For non-negative values: the digits of an integer, which is multiplied by 10^power().
    std::string_view digits() const { return {text_, digits_}; }
    int power() const { return power_; }

private:
    void put(char character) { text_[size_++] = character; }

    char text_[48];
    std::size_t size_ = 0, digits_ = 1;
    int power_ = 0;
};

/// Parses a JSON number, NaN or Infinity (optional minus sign). Returns the nearest double, except
/// for a few in a million (one in a thousand below 2.3e-308). Returns infinity on overflow.
double readNumber(std::string_view text);

/// Parses a decimal number as tools print it (`-25.8564`, `1e-05`, `.5`). Returns nullopt for any
/// other text.
std::optional<double> parseDecimal(std::string_view text);

}  // namespace rigcast
