#include "scene/arena.hpp"

#include <algorithm>

namespace rigcast {

namespace {

// Maximum number of bytes that are allocated in advance for the next columns of a block. It is 0
// with the address sanitizer, so that each column is a separate allocation and the sanitizer checks
// its bounds.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::uint32_t poolSize = 0;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr std::uint32_t poolSize = 0;
#else
constexpr std::uint32_t poolSize = 0x10000;
#endif
#else
constexpr std::uint32_t poolSize = 0x10000;
#endif

// Minimum number of pieces in a block for allocation in advance. In blocks with fewer pieces, each
// column is allocated separately.
constexpr std::size_t fewPieces = 8;

}  // namespace

std::uint8_t* Arena::reserve(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset) {
    Block& target = blocks_[block];
    // The product cannot overflow, because readers check `count` against the file size, so it is
    // below 2^33.
    const std::uint64_t bytes = count * size;
    const std::uint64_t padded = paddedSize(bytes);
    const bool fits = !target.pieces.empty() && padded <= target.pieces.back().capacity - target.pieces.back().size;
    if (count > 0xFFFFFFFF || padded > 0xFFFFFFF8 - target.size || !(fits || Budget::affords(padded))) {
        exhausted_ = true;
        return nullptr;
    }
    if (!fits) {
        // In a block with many columns (such as a clip with many curves), each new piece is as
        // large as all previous pieces together (up to `poolSize`), so that few allocations
        // suffice.
        const std::uint32_t room = target.pieces.size() < fewPieces ? 0 : std::min(target.size, poolSize);
        std::uint64_t capacity = std::max<std::uint64_t>(padded, room);
        if (capacity > Budget::remaining()) capacity = padded;
        auto* data = static_cast<std::uint8_t*>(::operator new(static_cast<std::size_t>(capacity), std::nothrow));
        if (!data) {
            exhausted_ = true;
            return nullptr;
        }
        target.pieces.push_back({target.size, 0, static_cast<std::uint32_t>(capacity), {data, {}}});
    }
    Piece& piece = target.pieces.back();
    std::uint8_t* data = piece.data.get() + piece.size;
    // Clears the padding, so that output is reproducible.
    for (std::uint64_t i = bytes; i < padded; ++i) data[i] = 0;
    offset = target.size;
    piece.size += static_cast<std::uint32_t>(padded);
    target.size += static_cast<std::uint32_t>(padded);
    return data;
}

bool Arena::reserveExternal(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset) {
    Block& target = blocks_[block];
    const std::uint64_t padded = paddedSize(count * size);
    if (count > 0xFFFFFFFF || padded > 0xFFFFFFF8 - target.size || !Budget::affords(externalBytes_ + padded)) {
        exhausted_ = true;
        return false;
    }
    externalBytes_ += padded;
    offset = target.size;
    target.pieces.push_back({offset, static_cast<std::uint32_t>(padded), static_cast<std::uint32_t>(padded), nullptr});
    target.size += static_cast<std::uint32_t>(padded);
    return true;
}

Column<float> Arena::defer(std::uint32_t block, std::uint64_t count, Vector<std::uint8_t> parameters) {
    Column<float> column{block, 0, static_cast<std::uint32_t>(count)};
    if (!reserveExternal(block, count, sizeof(float), column.offset)) return {};
    blocks_[block].parameters = std::move(parameters);
    return column;
}

std::uint32_t Arena::addExternalBlock(std::uint64_t size) {
    const std::uint32_t block = addBlock();
    blocks_[block].isExternal = external_ && size <= Budget::remaining() && external_->allocate(block, static_cast<std::size_t>(size));
    return block;
}

void Arena::dropBlock() {
    for (const Piece& piece : blocks_.back().pieces)
        if (!piece.data) externalBytes_ -= piece.size;
    if (blocks_.back().isExternal) external_->allocate(static_cast<std::uint32_t>(blocks_.size() - 1), 0);
    blocks_.pop_back();
}

std::uint8_t* Arena::find(std::uint32_t block, std::uint32_t offset, std::uint64_t bytes, std::size_t alignment) {
    if (block >= blocks_.size() || offset % alignment != 0) return nullptr;
    auto& pieces = blocks_[block].pieces;
    auto after =
        std::upper_bound(pieces.begin(), pieces.end(), offset, [](std::uint32_t at, const Piece& piece) { return at < piece.offset; });
    if (after == pieces.begin()) return nullptr;
    Piece& piece = *std::prev(after);
    const std::uint64_t inside = offset - piece.offset;
    return piece.data && inside + bytes <= piece.size ? piece.data.get() + inside : nullptr;
}

}  // namespace rigcast
