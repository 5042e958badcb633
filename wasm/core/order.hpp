// One stable sort for the whole core: every std::stable_sort of its own type would be another 3 KB of wasm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rigcast {

/// 0 .. keys.size()-1 in ascending order of `keys`; equal keys stay in their order. Keys are finite.
std::vector<std::uint32_t> ascendingOrder(std::span<const double> keys);

}  // namespace rigcast
