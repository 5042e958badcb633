// Base64 (RFC 4648), used by crypt infos and encrypted accessor lists.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// Decodes Base64 and skips whitespace. Returns nullopt if the text is invalid.
std::optional<Vector<std::uint8_t>> fromBase64(std::string_view text);

std::string toBase64(Bytes bytes);

}  // namespace rigcast
