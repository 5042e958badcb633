// Base64 (RFC 4648), as crypt infos and obfuscated accessor lists use it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Line breaks and blanks between the characters are skipped; nothing where the rest is not Base64.
std::optional<Vector<std::uint8_t>> fromBase64(std::string_view text);

std::string toBase64(Bytes bytes);

}  // namespace rigcast
