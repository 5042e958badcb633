#include "core/vector.hpp"

#include "core/budget.hpp"

namespace rigcast {

std::byte* VectorMemory::allocate(std::size_t count, std::size_t elementSize) {
    // On overflow, requests an impossible size, so that `operator new` fails as usual. The size is
    // small enough to be aligned without overflow.
    const std::size_t bytes = count > PTRDIFF_MAX / elementSize ? SIZE_MAX - 4095 : count * elementSize;
    return static_cast<std::byte*>(::operator new(bytes, alignment));
}

std::byte* VectorMemory::makeLarger(std::size_t elementSize) {
    const std::size_t bytes = largerBytes(elementSize);
    if (bytes < usedBytes()) return allocate(usedBytes(), elementSize);  // always fails, because the size cannot be addressed
    if (bytes < 65536 || !enlarge(start_, bytes)) return allocate(bytes / elementSize, elementSize);
    limit_ = start_ + bytes;
    return nullptr;
}

void VectorMemory::moveLarger(std::byte* memory, std::size_t elementSize) { moveInto(memory, largerBytes(elementSize)); }

void VectorMemory::moveInto(std::byte* memory, std::size_t bytes) {
    const std::size_t used = usedBytes();
    if (used) std::memcpy(memory, start_, used);
    release(start_);
    start_ = memory;
    finish_ = memory + used;
    limit_ = memory + bytes;
}

}  // namespace rigcast
