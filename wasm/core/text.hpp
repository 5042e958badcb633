// Converts any text of a file to valid UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace rigcast {

bool isValidUtf8(std::string_view text);

/// Replaces each ill-formed sequence by U+FFFD.
std::string repairUtf8(std::string_view text);

/// Converts Windows-1252 to UTF-8. The five undefined bytes become C1 control characters of the
/// same value, as in browsers.
std::string fromWindows1252(std::string_view text);

/// A name that was stored in a field of fixed size.
struct FixedName {
    std::string text;  // UTF-8, without trailing spaces
    // The spaces that were trimmed: text + trimmedBlanks is the name in the file.
    std::string trimmedBlanks;
    bool terminated = true;  // false: the field is full and has no NUL
    bool wasUtf8 = true;     // false: decoded as Windows-1252
    // True if the last character of a full field was incomplete and was dropped.
    bool cutInsideCharacter = false;
};

/// Decodes a name up to the first NUL, after which files contain garbage. The encoding is UTF-8 if
/// valid, otherwise Windows-1252 (psk-psa.md section 4).
FixedName fixedName(Bytes field);

std::string_view asText(Bytes bytes);

/// Formats a number for messages, with at most six decimals.
std::string numberText(double value);

/// Converts ASCII letters to lower case.
std::string lowerAscii(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace rigcast
