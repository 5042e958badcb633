#include "core/order.hpp"

#include <algorithm>

namespace rigcast {

std::vector<std::uint32_t> ascendingOrder(std::span<const double> keys) {
    std::vector<std::uint32_t> order(keys.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    std::sort(order.begin(), order.end(),
              [keys](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b] || (keys[a] == keys[b] && a < b); });
    return order;
}

}  // namespace rigcast
