// Converts numbers to JSON text and back. The tables of powers of ten in a library would add 5 KB
// to the gzipped wasm.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigcast {

/// Decimal text of a number, not terminated. Has at most 28 significant digits and parses to the
/// same number.
class NumberText {
public:
    /// `value` must be finite.
    explicit NumberText(double value);
    std::string_view view() const { return {text_, size_}; }
    /// Returns the digits of an integer. Non-negative values only: the value is this integer *
    /// 10^power().
    std::string_view digits() const { return {text_, digits_}; }
    int power() const { return power_; }

private:
    void put(char character) { text_[size_++] = character; }

    char text_[48];
    std::size_t size_ = 0, digits_ = 1;
    int power_ = 0;
};

/// Parses a JSON number, NaN or Infinity with an optional minus sign. Returns the nearest double,
/// or for a few in a million (one in a thousand below 2.3e-308) the one next to it. Overflow gives
/// infinity.
double readNumber(std::string_view text);

/// Parses a decimal number as tools print it (`-25.8564`, `1e-05`, `.5`). Returns nullopt for any
/// other text.
std::optional<double> parseDecimal(std::string_view text);

}  // namespace rigcast
