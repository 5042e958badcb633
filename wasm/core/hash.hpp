// The hash function for all hash tables in the core.
#pragma once

#include <cstdint>
#include <string_view>

namespace rigcast {

struct HashKey {
    std::uint64_t first = 0, second = 0;
};

/// Returns the random hash key, which is constant for the lifetime of the process or WebAssembly
/// instance.
const HashKey& hashKey();

/// Returns the SipHash-1-3 of a text. Texts with equal hashes can be constructed only with the key.
std::uint64_t hashOf(std::string_view text, const HashKey& key = hashKey());

}  // namespace rigcast
