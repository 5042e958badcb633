// FNV-1a with 64 bits: only to compare the same bytes from two builds.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"

namespace rigcast::test {

inline std::uint64_t fnv1a(Bytes bytes, std::uint64_t hash = 0xCBF29CE484222325u) {
    for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 0x100000001B3u;
    return hash;
}

}  // namespace rigcast::test
