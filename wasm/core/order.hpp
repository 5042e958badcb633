// One stable sort for the whole core: every std::sort of its own type would be another 3 KB of wasm.
#pragma once

#include <cstdint>
#include <span>

#include "core/vector.hpp"

namespace rigcast {

/// 0 .. keys.size()-1 in ascending order of `keys`; equal keys stay in their order.
Vector<std::uint32_t> ascendingOrder(std::span<const std::uint64_t> keys);
/// The same for finite numbers.
Vector<std::uint32_t> ascendingOrder(std::span<const double> keys);

/// `list` sorted by `keyOf(entry)`, an unsigned integer or a finite double; equal entries stay in their order.
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
