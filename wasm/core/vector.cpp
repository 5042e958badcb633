#include "core/vector.hpp"

namespace rigcast {

std::byte* VectorMemory::allocate(std::size_t count, std::size_t elementSize) {
    // what cannot be addressed is asked for as well: operator new refuses it and tells, as it does for too much
    const std::size_t bytes = count > PTRDIFF_MAX / elementSize ? SIZE_MAX : count * elementSize;
    return static_cast<std::byte*>(::operator new(bytes, alignment));
}

std::size_t VectorMemory::nextCapacity(std::size_t elementSize) const {
    const std::size_t room = static_cast<std::size_t>(limit_ - start_) / elementSize;
    return std::max<std::size_t>(room * 2, room + 1);
}

void VectorMemory::moveBytes(std::size_t count, std::size_t elementSize) {
    std::byte* const moved = allocate(count, elementSize);
    const std::size_t used = usedBytes();
    if (used) std::memcpy(moved, start_, used);
    ::operator delete(start_, alignment);
    start_ = moved;
    finish_ = moved + used;
    limit_ = moved + count * elementSize;
}

}  // namespace rigcast
