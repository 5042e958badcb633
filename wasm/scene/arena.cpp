#include "scene/arena.hpp"

#include <algorithm>

namespace rigcast {

std::uint8_t* Arena::reserve(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset) {
    Block& target = blocks_[block];
    const std::uint64_t bytes = count * size;  // count < 2^33 wherever it was proven against a file
    const std::uint64_t padded = (bytes + 7) & ~std::uint64_t{7};
    if (count > 0xFFFFFFFF || padded > 0xFFFFFFF8 - target.size || !affords(padded)) {
        exhausted_ = true;
        return nullptr;
    }
    auto* data = static_cast<std::uint8_t*>(std::malloc(std::max<std::size_t>(static_cast<std::size_t>(padded), 8)));
    if (!data) {
        exhausted_ = true;
        return nullptr;
    }
    for (std::uint64_t i = bytes; i < padded; ++i) data[i] = 0;  // the same bytes on every machine
    offset = target.size;
    target.pieces.push_back({offset, static_cast<std::uint32_t>(padded), {data, &std::free}});
    target.size += static_cast<std::uint32_t>(padded);
    used_ += padded;
    return data;
}

std::uint8_t* Arena::find(std::uint32_t block, std::uint32_t offset, std::uint64_t bytes, std::size_t alignment) {
    if (block >= blocks_.size() || offset % alignment != 0) return nullptr;
    auto& pieces = blocks_[block].pieces;
    auto after =
        std::upper_bound(pieces.begin(), pieces.end(), offset, [](std::uint32_t at, const Piece& piece) { return at < piece.offset; });
    if (after == pieces.begin()) return nullptr;
    Piece& piece = *std::prev(after);
    const std::uint64_t inside = offset - piece.offset;
    return inside + bytes <= piece.size ? piece.data.get() + inside : nullptr;
}

}  // namespace rigcast
