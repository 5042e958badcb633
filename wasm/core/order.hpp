// A stable sort. The core uses it instead of std::sort, which would add 3 KB of wasm per element
// type.
#pragma once

#include <cstdint>
#include <span>

#include "core/vector.hpp"

namespace rigcast {

/// Returns the indices of `keys` in ascending order of the keys. Stable.
Vector<std::uint32_t> ascendingOrder(std::span<const std::uint64_t> keys);
/// Returns the indices of finite numbers in ascending order. Stable.
Vector<std::uint32_t> ascendingOrder(std::span<const double> keys);

/// Sorts `list` by `keyOf(element)`, an unsigned integer or a finite double. Stable.
template <class T, class KeyOf>
void sortBy(Vector<T>& list, KeyOf keyOf) {
    Vector<decltype(keyOf(list[0]))> keys;
    keys.reserve(list.size());
    for (const T& entry : list) keys.push_back(keyOf(entry));
    Vector<T> sorted;
    sorted.reserve(list.size());
    for (const std::uint32_t i : ascendingOrder(keys)) sorted.push_back(std::move(list[i]));
    list = std::move(sorted);
}

}  // namespace rigcast
