// Loads little-endian values from bytes. All supported formats and platforms are little-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace rigcast {

static_assert(std::endian::native == std::endian::little, "rigcast reads little-endian files by plain loads");

/// A non-owning, read-only view of bytes.
using Bytes = std::span<const std::uint8_t>;

/// Loads an unaligned value. The caller must check that sizeof(T) bytes are readable at `at`.
template <class T>
requires std::is_trivially_copyable_v<T> T loadValue(const std::uint8_t* at) {
    T value;
    std::memcpy(&value, at, sizeof(T));
    return value;
}

/// Replaces std::bit_cast, which the library of the wasm toolchain lacks.
template <class To, class From>
requires(sizeof(To) == sizeof(From)) To bitCast(const From& from) {
    To to;
    std::memcpy(&to, &from, sizeof(To));
    return to;
}

}  // namespace rigcast
