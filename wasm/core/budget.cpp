#include "core/budget.hpp"

#include <cstdlib>
#include <new>
#ifdef __APPLE__
#include <malloc/malloc.h>
#define malloc_usable_size malloc_size
#else
#include <malloc.h>
#endif
#ifdef __EMSCRIPTEN__
#include <emscripten/emmalloc.h>
#endif

namespace rigcast {

thread_local constinit Budget* Budget::current_ = nullptr;
thread_local constinit std::int64_t Budget::inUse_ = 0;

Budget::Budget(std::uint64_t memory, std::uint64_t work)
    : outer_(current_), start_(inUse_), peak_(inUse_), end_(inUse_ + static_cast<std::int64_t>(std::min(memory, mostMemory))), work_(work) {
    current_ = this;
}

std::uint64_t Budget::remaining() {
    if (!current_) return mostMemory;
    return static_cast<std::uint64_t>(std::max<std::int64_t>(current_->end_ - inUse_, 0));
}

bool Budget::affords(std::uint64_t bytes) {
    const bool fits = bytes <= remaining();
    if (current_) current_->exhausted_ |= !fits;
    return fits;
}

bool Budget::spend(std::uint64_t steps) {
    if (!current_) return true;
    if (steps > current_->work_ - current_->steps_) return false;
    current_->steps_ += steps;
    return true;
}

void Budget::extend(std::uint64_t bytes) {
    end_ = std::max(end_, inUse_) + static_cast<std::int64_t>(bytes);
    exhausted_ = false;
}

bool Budget::add(std::size_t bytes) {
    inUse_ += static_cast<std::int64_t>(bytes);
    if (!current_) return true;
    current_->allocated_ += bytes;
    current_->peak_ = std::max(current_->peak_, inUse_);
    const bool fits = inUse_ <= current_->end_;
    current_->exhausted_ |= !fits;
    return fits;
}

namespace {

/// Allocates memory and counts it. If `alignment` is 0, uses the alignment of malloc. Sets `fits`
/// to false if the budget is exceeded. Returns nullptr if the heap is full.
void* allocate(std::size_t size, std::size_t alignment, bool& fits) {
    fits = false;
    if (size > PTRDIFF_MAX - alignment) return nullptr;
    size = std::max<std::size_t>(size, 1);
    void* const memory = alignment ? std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment) : std::malloc(size);
    fits = memory && Budget::add(malloc_usable_size(memory));
    return memory;
}

/// Allocates memory. If the heap is full or the budget is exceeded, calls the new-handler, which in
/// wasm ends the instance. Native programs have no handler; they check `exhausted`, and abort only
/// if the heap is full.
void* allocateOrEnd(std::size_t size, std::size_t alignment) {
    bool fits;
    void* const memory = allocate(size, alignment, fits);
    if (fits) return memory;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    if (!memory) std::abort();
    return memory;
}

void release(void* memory) {
    if (memory) Budget::remove(malloc_usable_size(memory));
    std::free(memory);
}

}  // namespace

bool enlarge([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __EMSCRIPTEN__
    // Allocates a block of the missing size. If the new block directly follows `memory`, merges the
    // two blocks.
    const std::size_t before = malloc_usable_size(memory);
    char* const end = static_cast<char*>(memory) + before;
    char* const next = static_cast<char*>(std::malloc(bytes - before));
    std::free(next);
    const std::size_t header = 2 * sizeof(std::uint32_t);
    if (next < end || next > end + header || !emmalloc_realloc_try(memory, bytes)) return false;
    Budget::add(malloc_usable_size(memory) - before);
    return true;
#else
    return false;
#endif
}
}  // namespace rigcast

// Replaces the array forms too, because the sanitizers' array forms do not call the operators
// below.
void* operator new(std::size_t size) { return rigcast::allocateOrEnd(size, 0); }
void* operator new[](std::size_t size) { return rigcast::allocateOrEnd(size, 0); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return rigcast::allocateOrEnd(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return rigcast::allocateOrEnd(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    bool fits;
    return rigcast::allocate(size, 0, fits);
}
void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
    bool fits;
    return rigcast::allocate(size, 0, fits);
}
void operator delete(void* memory) noexcept { rigcast::release(memory); }
void operator delete[](void* memory) noexcept { rigcast::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { rigcast::release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { rigcast::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { rigcast::release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { rigcast::release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { rigcast::release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { rigcast::release(memory); }
