// Loading little-endian values from bytes. Every format rigcast reads is little-endian, and so is every machine it runs on.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace rigcast {

static_assert(std::endian::native == std::endian::little, "rigcast reads little-endian files by plain loads");

/// Somebody else's bytes: never owned, never changed.
using Bytes = std::span<const std::uint8_t>;

/// One unaligned value. The caller has proven that sizeof(T) bytes lie at `at`.
template <class T>
requires std::is_trivially_copyable_v<T> T loadValue(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// std::bit_cast, which the wasm toolchain's library lacks.
template <class To, class From>
requires(sizeof(To) == sizeof(From)) To bitCast(const From& from) {
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
}

}  // namespace rigcast
