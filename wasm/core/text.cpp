#include "core/text.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/diagnostics.hpp"
#include "core/number.hpp"

namespace rigcast {

namespace {

/// Returns the length of the well-formed UTF-8 sequence at the start of `text`, or 0. Sets
/// `incomplete` if the text ends inside the sequence.
std::size_t sequenceLength(std::string_view text, bool& incomplete) {
    incomplete = false;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    std::size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
    if (length == 0) return 0;
    // Restricts the second byte to exclude overlong forms, surrogates and values above U+10FFFF
    // (Unicode table 3-7).
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t i = 1; i < length; ++i) {
        if (i == text.size()) {
            incomplete = true;
            return 0;
        }
        if (byte(i) < (i == 1 ? low : 0x80) || byte(i) > (i == 1 ? high : 0xBF)) return 0;
    }
    return length;
}

void append(std::string& out, std::uint32_t point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
    } else if (point < 0x800) {
        out += static_cast<char>(0xC0 | point >> 6);
        out += static_cast<char>(0x80 | (point & 0x3F));
    } else {
        out += static_cast<char>(0xE0 | point >> 12);
        out += static_cast<char>(0x80 | (point >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (point & 0x3F));
    }
}

/// Returns the length in bytes of the longest prefix of complete, well-formed characters. Sets
/// `incomplete` as `sequenceLength` does.
std::size_t validPrefix(std::string_view text, bool& incomplete) {
    incomplete = false;
    std::size_t at = 0;
    for (;;) {
        // Skips ASCII eight bytes at a time.
        for (std::uint64_t eight = 0; text.size() - at >= sizeof eight; at += sizeof eight) {
            std::memcpy(&eight, text.data() + at, sizeof eight);
            if (eight & 0x8080808080808080) break;
        }
        while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
        if (at == text.size()) break;
        const std::size_t length = sequenceLength(text.substr(at), incomplete);
        if (length == 0) break;
        at += length;
    }
    return at;
}

constexpr std::array<std::uint16_t, 32> windows1252High = {
    0x20AC, 0x81,   0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90,   0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178};

}  // namespace

bool isValidUtf8(std::string_view text) {
    bool incomplete;
    return validPrefix(text, incomplete) == text.size();
}

std::string repairUtf8(std::string_view text) {
    bool incomplete;
    const std::size_t good = validPrefix(text, incomplete);
    std::string out(text.substr(0, good));
    for (std::size_t at = good; at < text.size();) {
        const std::size_t length = sequenceLength(text.substr(at), incomplete);
        if (length) {
            out += text.substr(at, length);
            at += length;
        } else {
            append(out, 0xFFFD);
            ++at;
            while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
        }
    }
    return out;
}

std::string fromWindows1252(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        append(out, byte >= 0x80 && byte < 0xA0 ? windows1252High[byte - 0x80] : byte);
    }
    return out;
}

FixedName fixedName(Bytes field) {
    FixedName name;
    std::string_view text = asText(field);
    const std::size_t end = text.find('\0');
    name.terminated = end != std::string_view::npos;
    if (name.terminated) text = text.substr(0, end);
    bool incomplete;
    const std::size_t good = validPrefix(text, incomplete);
    if (good == text.size()) {
        name.text = text;
    } else if (incomplete && !name.terminated) {
        name.text = text.substr(0, good);
        name.cutInsideCharacter = true;
    } else {
        name.text = fromWindows1252(text);
        name.wasUtf8 = false;
    }
    while (!name.text.empty() && name.text.back() == ' ') {
        name.text.pop_back();
        name.trimmedBlanks += ' ';
    }
    return name;
}

std::string_view asText(Bytes bytes) {
    return bytes.empty() ? std::string_view{} : std::string_view{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

namespace {

/// A decimal number. The decimal point follows the first `point` digits of `digits`.
struct Decimal {
    std::string digits;
    int point;
};

/// Rounds a number to `count` digits and removes trailing zeros.
Decimal rounded(std::string_view all, int point, std::size_t count) {
    Decimal decimal{std::string(all.substr(0, count)), point};
    std::string& digits = decimal.digits;
    if (all.size() > count && all[count] >= '5') {
        digits.insert(0, 1, '0');
        std::size_t last = count;
        for (; digits[last] == '9'; --last) digits[last] = '0';
        ++digits[last];
        if (last == 0)
            ++decimal.point;
        else
            digits.erase(0, 1);
    }
    while (digits.size() > 1 && digits.back() == '0') digits.pop_back();
    return decimal;
}

/// Returns the shortest decimal that round-trips. `value` must not be negative.
Decimal shortest(double value) {
    const NumberText exact(value);
    const int point = static_cast<int>(exact.digits().size()) + exact.power();
    for (std::size_t count = 15;; ++count) {
        Decimal decimal = rounded(exact.digits(), point, count);
        const int power = decimal.point - static_cast<int>(decimal.digits.size());
        if (count == 17 || readNumber(formatted("{}e{}", {decimal.digits, power})) == value) return decimal;
    }
}

}  // namespace

std::string numberText(double value) {
    if (!std::isfinite(value)) return value > 0 ? "infinity" : value < 0 ? "-infinity" : "NaN";
    const std::string sign = std::signbit(value) ? "-" : "";
    auto [digits, point] = shortest(std::abs(value));
    if (point < -6) return sign + "0.0";
    if (point == -6 || point > 21) {
        const std::string power = formatted("e{}", {point - 1});
        if (digits.size() > 1) digits.insert(1, 1, '.');
        return sign + digits + power;
    }
    if (point <= 0) {
        digits.insert(0, static_cast<std::size_t>(1 - point), '0');
        point = 1;
    }
    const auto whole = static_cast<std::size_t>(point);
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    std::string fraction = digits.substr(whole, 6);
    while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
    return sign + digits.substr(0, whole) + "." + (fraction.empty() ? "0" : fraction);
}

std::string lowerAscii(std::string_view text) {
    std::string out(text);
    for (char& c : out)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return out;
}

std::string_view trimmed(std::string_view text) {
    const auto blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (!text.empty() && blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && blank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace rigcast
