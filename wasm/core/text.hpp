// Text out of files: always valid UTF-8 afterwards, for any input.
#pragma once

#include <string>
#include <string_view>

#include "core/bytes.hpp"

namespace rigcast {

bool isValidUtf8(std::string_view text);

/// Valid UTF-8 unchanged; otherwise every ill-formed sequence becomes U+FFFD.
std::string repairUtf8(std::string_view text);

/// Windows-1252 to UTF-8. The five undefined bytes become the C1 control characters of the same value, as browsers do.
std::string fromWindows1252(std::string_view text);

/// A name out of a fixed-size field.
struct FixedName {
    std::string text;                 // UTF-8, trailing blanks trimmed
    std::string trimmedBlanks;        // the blanks that were trimmed: text + trimmedBlanks is the name as the file spells it
    bool terminated = true;           // false: the field is full
    bool wasUtf8 = true;              // false: read as Windows-1252
    bool cutInsideCharacter = false;  // full field whose last character is incomplete; the rest of it was dropped
};

/// Cuts at the first NUL (what lies behind may be garbage), decodes as UTF-8 where that is valid, else as Windows-1252
/// (psk-psa.md section 4).
FixedName fixedName(Bytes field);

std::string_view asText(Bytes bytes);

/// A number for people, at most six decimals.
std::string numberText(double value);

/// ASCII only, which is what matching names needs.
std::string lowerAscii(std::string_view text);
std::string_view trimmed(std::string_view text);

}  // namespace rigcast
