#include "core/vector.hpp"

namespace rigcast {

std::byte* VectorMemory::allocate(std::size_t count, std::size_t elementSize) {
    // what cannot be addressed is asked for as well: operator new refuses it and tells, as it does for too much (it adds up to the alignment)
    const std::size_t bytes = count > PTRDIFF_MAX / elementSize ? SIZE_MAX - 4095 : count * elementSize;
    return static_cast<std::byte*>(::operator new(bytes, alignment));
}

std::byte* VectorMemory::moveBytes(std::size_t count, std::size_t elementSize) {
    std::byte* const old = start_;
    const std::size_t used = usedBytes();
    start_ = allocate(count, elementSize);
    if (used) std::memcpy(start_, old, used);
    finish_ = start_ + used;
    limit_ = start_ + count * elementSize;
    return old;
}

std::byte* VectorMemory::grow(std::size_t elementSize) {
    return moveBytes(std::max<std::size_t>(2 * usedBytes() / elementSize, 1), elementSize);
}

}  // namespace rigcast
