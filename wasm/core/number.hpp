// Converts numbers to JSON text and back. A library would add 5 KB of tables to the gzipped wasm.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace rigcast {

/// Decimal text of a number that round-trips, with at most 28 significant digits and no terminator.
class NumberText {
public:
    /// `value` must be finite.
    explicit NumberText(double value);
    std::string_view view() const { return {text_, size_}; }
    /// Returns the significant digits as an integer, which is the absolute value divided by
    /// 10^power().
    std::string_view digits() const { return {text_, digits_}; }
    int power() const { return power_; }

private:
    void put(char character) { text_[size_++] = character; }

    char text_[48];
    std::size_t size_ = 0, digits_ = 1;
    int power_ = 0;
};

/// Parses a JSON number, NaN or Infinity with an optional minus sign. Returns the nearest double
/// or, for a few numbers in a million (one in a thousand below 2.3e-308), an adjacent one. Returns
/// infinity on overflow.
double readNumber(std::string_view text);

/// Parses a decimal number in the forms that tools write (`-25.8564`, `1e-05`, `.5`). Returns
/// nullopt for any other text.
std::optional<double> parseDecimal(std::string_view text);

}  // namespace rigcast
