#include "core/vector.hpp"

namespace rigcast {

std::byte* VectorMemory::allocate(std::size_t count, std::size_t elementSize) {
    // on overflow an impossible size is requested, so that operator new fails through the usual handler (it adds up to the alignment)
    const std::size_t bytes = count > PTRDIFF_MAX / elementSize ? SIZE_MAX - 4095 : count * elementSize;
    return static_cast<std::byte*>(::operator new(bytes, alignment));
}

void VectorMemory::moveInto(std::byte* memory, std::size_t bytes) {
    const std::size_t used = usedBytes();
    if (used) std::memcpy(memory, start_, used);
    release(start_);
    start_ = memory;
    finish_ = memory + used;
    limit_ = memory + bytes;
}

}  // namespace rigcast
