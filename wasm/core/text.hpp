// Converts text from files to valid UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace rigcast {

bool isValidUtf8(std::string_view text);

/// Replaces each ill-formed sequence with U+FFFD.
std::string repairUtf8(std::string_view text);

/// Converts Windows-1252 to UTF-8. The five undefined bytes become C1 control characters with the
/// same values, as in browsers.
std::string fromWindows1252(std::string_view text);

/// A name from a field of fixed size.
struct FixedName {
    std::string text;  // UTF-8, without trailing spaces
    // The trailing spaces: text + trimmedBlanks is the name as stored in the file.
    std::string trimmedBlanks;
    bool terminated = true;  // false: the field is full and has no NUL
    bool wasUtf8 = true;     // false: decoded as Windows-1252
    // True if the last character of a full field was incomplete and was dropped.
    bool cutInsideCharacter = false;
};

/// Decodes a name that ends at the first NUL; the bytes after it can be garbage. Assumes UTF-8 if
/// the bytes are valid UTF-8, otherwise Windows-1252 (psk-psa.md section 4).
FixedName fixedName(Bytes field);

std::string_view asText(Bytes bytes);

/// Formats a number for messages, with at most six decimals.
std::string numberText(double value);

/// Converts ASCII letters to lower case.
std::string lowerAscii(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace rigcast
