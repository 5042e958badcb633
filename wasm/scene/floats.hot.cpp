// Functions that process every float of a file or every joint of a mesh.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scene/lower.hpp"

namespace rigcast {

// Not inlined, because the callers are compiled for size.
[[gnu::noinline]] bool copyFloats(const std::uint8_t* from, std::size_t count, float* to) {
    constexpr std::uint32_t exponent = 0x7F800000;  // all bits set: infinity or NaN
    std::size_t i = 0;
    using Vector [[gnu::vector_size(16)]] = std::uint32_t;
    Vector found = {};
    for (; i + 4 <= count; i += 4) {
        Vector bits;
        std::memcpy(&bits, from + i * 4, sizeof bits);
        std::memcpy(to + i, &bits, sizeof bits);
        found |= static_cast<Vector>((bits & exponent) == exponent);
    }
    bool isBad = (found[0] | found[1] | found[2] | found[3]) != 0;
    for (; i < count; ++i) {
        to[i] = loadValue<float>(from + i * 4);
        isBad |= !std::isfinite(to[i]);
    }
    return !isBad;
}

std::uint64_t makeFinite(std::span<float> values, std::size_t group) {
    std::uint64_t damaged = 0;
    for (std::size_t i = 0; i < values.size(); i += group) {
        const auto together = values.subspan(i, std::min(group, values.size() - i));
        const auto found = std::count_if(together.begin(), together.end(), [](float value) { return !std::isfinite(value); });
        if (found) std::fill(together.begin(), together.end(), 0.f);
        damaged += static_cast<std::uint64_t>(found);
    }
    return damaged;
}

bool copyFinite(Arena& arena, std::uint32_t block, const std::uint8_t* from, std::uint64_t count, Column<float>& column,
                std::uint64_t& damaged, std::size_t group) {
    auto made = arena.allocate<float>(block, count);
    if (!made) return false;
    if (!copyFloats(from, static_cast<std::size_t>(count), made.values.data())) damaged += makeFinite(made.values, group);
    column = made.column;
    return true;
}

[[gnu::noinline]] void StreamingJoints::commit(std::size_t count) {
    if (wide_) return wide_.commit(count);
    const std::uint16_t* const from = window_.data();
    std::uint8_t* const to = narrow_.next(count);
    for (std::size_t i = 0; i < count; ++i) to[i] = static_cast<std::uint8_t>(from[i]);
    narrow_.commit(count);
}

}  // namespace rigcast
