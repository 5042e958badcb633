// The hash of the core's tables.
#pragma once

#include <cstdint>
#include <string_view>

namespace rigcast {

struct HashKey {
    std::uint64_t first = 0, second = 0;
};

/// Returns a random key. It stays the same for the life of the process or of the WebAssembly instance.
const HashKey& hashKey();

/// Returns SipHash-1-3 of a text. Texts whose hashes collide cannot be made without the key.
std::uint64_t hashOf(std::string_view text, const HashKey& key = hashKey());

}  // namespace rigcast
