#include "formats/vgo/base64.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::optional<Vector<std::uint8_t>> fromBase64(std::string_view text) {
    Vector<std::uint8_t> bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    std::size_t characters = 0, padding = 0;
    for (const char c : text) {
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
        const std::size_t digit = c == '=' ? 0 : alphabet.find(c);
        if (digit == std::string_view::npos || (padding > 0 && c != '=')) return std::nullopt;
        padding += c == '=';
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        if (++characters % 4) continue;
        for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::uint8_t>(bits >> shift));
    }
    if (characters % 4 || padding > 2) return std::nullopt;
    bytes.resize(bytes.size() - padding);
    return bytes;
}

std::string toBase64(Bytes bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t bits = 0;
        for (std::size_t k = 0; k < 3; ++k) bits = bits << 8 | (i + k < bytes.size() ? bytes[i + k] : 0u);
        for (std::size_t k = 0; k < 4; ++k) text += i + k <= bytes.size() ? alphabet[bits >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

}  // namespace rigcast
