// Converts text from files into valid UTF-8, for any input.
#pragma once

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace rigcast {

bool isValidUtf8(std::string_view text);

/// Replaces ill-formed sequences by U+FFFD.
std::string repairUtf8(std::string_view text);

/// Converts Windows-1252 to UTF-8. The five undefined bytes become C1 control characters of the
/// same value, as in browsers.
std::string fromWindows1252(std::string_view text);

/// A name from a fixed-size field.
struct FixedName {
    std::string text;  // UTF-8, without trailing spaces
    // The trailing spaces: text + trimmedBlanks is the spelling in the file.
    std::string trimmedBlanks;
    bool terminated = true;  // false: no NUL, the field is full
    bool wasUtf8 = true;     // false: decoded as Windows-1252
    // The last character of a full field was incomplete and was dropped.
    bool cutInsideCharacter = false;
};

/// Decodes a name: cuts at the first NUL, after which there may be garbage, then decodes UTF-8 if
/// valid, otherwise Windows-1252 (psk-psa.md section 4).
FixedName fixedName(Bytes field);

std::string_view asText(Bytes bytes);

/// Formats a number for messages, with at most six decimals.
std::string numberText(double value);

/// Converts ASCII letters to lower case.
std::string lowerAscii(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace rigcast
