// Hash for comparing memory blocks of the native and the wasm build.
// tests/web/core/nativeEqualsWasm.test.ts implements the same hash in JavaScript.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>

#include "scene/arena.hpp"

namespace rigcast::test {

/// Hash with two lanes of 32-bit words, which is fast in both C++ and JavaScript.
class WordHash {
public:
    void add(Bytes words) {
        for (std::size_t at = 0; at + 4 <= words.size(); at += 4) {
            const auto word = loadValue<std::uint32_t>(words.data() + at);
            a_ = (a_ ^ word) * 0x01000193u;
            b_ = rotate(b_ ^ word) * 0x85EBCA6Bu;
        }
    }
    std::string text() const {
        char hex[17];
        std::snprintf(hex, sizeof hex, "%08x%08x", a_, b_);
        return hex;
    }

private:
    static std::uint32_t rotate(std::uint32_t value) { return value << 13 | value >> 19; }

    std::uint32_t a_ = 0x811C9DC5u, b_ = 0x811C9DC5u;
};

/// Returns the hash of a block as stored in its ArrayBuffer.
inline std::string hashOf(const Arena::Block& block) {
    WordHash hash;
    for (const Arena::Piece& piece : block.pieces) hash.add({piece.data.get(), piece.size});
    return hash.text();
}

}  // namespace rigcast::test
