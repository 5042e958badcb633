#include "core/order.hpp"

#include <algorithm>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

Vector<std::uint32_t> ascendingOrder(std::span<const std::uint64_t> keys) {
    Vector<std::uint32_t> order(keys.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
    return order;
}

Vector<std::uint32_t> ascendingOrder(std::span<const double> keys) {
    // Converts doubles to integers that have the same order: inverts the bits of negative numbers
    // and sets the sign bit of all others.
    Vector<std::uint64_t> bits;
    bits.reserve(keys.size());
    for (const double key : keys) {
        const auto own = bitCast<std::uint64_t>(key + 0.0);  // + 0.0 turns -0 into 0
        bits.push_back(own >> 63 ? ~own : own | std::uint64_t{1} << 63);
    }
    return ascendingOrder(bits);
}

}  // namespace rigcast
