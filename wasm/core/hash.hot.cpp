#include "core/hash.hpp"

#include <bit>

#include "core/bytes.hpp"

#ifdef __EMSCRIPTEN__
/// Returns a random 32-bit integer (bindings/imports.js).
extern "C" double rigcast_random();
#else
#include <random>
#endif

namespace rigcast {

const HashKey& hashKey() {
    static const HashKey key = [] {
#ifdef __EMSCRIPTEN__
        const auto random = [] { return static_cast<std::uint32_t>(rigcast_random()); };
#else
        std::random_device random;
#endif
        const auto word = [&] {
            const std::uint64_t high = random();
            return high << 32 | random();
        };
        return HashKey{word(), word()};
    }();
    return key;
}

std::uint64_t hashOf(std::string_view text, const HashKey& key) {
    std::uint64_t a = key.first ^ 0x736F6D6570736575, b = key.second ^ 0x646F72616E646F6D, c = key.first ^ 0x6C7967656E657261,
                  d = key.second ^ 0x7465646279746573;
    const auto mix = [&] {
        a += b, b = std::rotl(b, 13) ^ a, a = std::rotl(a, 32);
        c += d, d = std::rotl(d, 16) ^ c;
        a += d, d = std::rotl(d, 21) ^ a;
        c += b, b = std::rotl(b, 17) ^ c, c = std::rotl(c, 32);
    };
    const auto absorb = [&](std::uint64_t word) {
        d ^= word;
        mix();
        a ^= word;
    };
    const Bytes bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t i = 0; i < whole; i += 8) absorb(loadValue<std::uint64_t>(bytes.data() + i));
    std::uint64_t last = std::uint64_t{bytes.size()} << 56;
    for (std::size_t i = whole; i < bytes.size(); ++i) last |= std::uint64_t{bytes[i]} << 8 * (i - whole);
    absorb(last);
    c ^= 0xFF;
    for (int i = 0; i < 3; ++i) mix();
    return a ^ b ^ c ^ d;
}

}  // namespace rigcast
