// Limits the memory and the work for reading one file. `operator new` counts memory, so the memory
// of all containers is included. Loops that can be longer than the file count their steps. In wasm,
// exceeding the memory limit ends the instance. A reader that calls `affords` before a large
// allocation can report the problem instead.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rigcast {

/// The memory and work limits for one file. They apply to the current thread until the budget is
/// destroyed. Budgets can be nested; only the innermost one applies.
class Budget {
public:
    /// Maximum memory in bytes: the size of a 32-bit heap minus code and stack.
    static constexpr std::uint64_t mostMemory = 0xE0000000;
    /// Return the default limits for an input of `bytes` bytes, including companion files.
    static constexpr std::uint64_t memoryFor(std::uint64_t bytes) { return std::min(mostMemory, (64u << 20) + 24 * bytes); }
    static constexpr std::uint64_t workFor(std::uint64_t bytes) { return (4u << 20) + 4 * bytes; }

    /// `memory`: memory limit in bytes. `work`: work limit in steps. A step is the work of visiting
    /// one element or writing one number, which takes a few nanoseconds.
    Budget(std::uint64_t memory, std::uint64_t work);
    ~Budget() { current_ = outer_; }
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    /// Returns true if another `bytes` bytes fit into the budget. Otherwise returns false and sets
    /// `exhausted`. Reserves nothing: the caller must allocate the bytes.
    static bool affords(std::uint64_t bytes);
    /// Returns the number of bytes that can still be allocated, or `mostMemory` if there is no
    /// budget.
    static std::uint64_t remaining();
    /// Returns true if more memory was requested than the budget allows.
    static bool exhausted() { return current_ && current_->exhausted_; }
    /// Subtracts `steps` from the work budget. If fewer steps are left, subtracts nothing and
    /// returns false; the caller must then skip the work and report WORK_LIMIT.
    [[nodiscard]] static bool spend(std::uint64_t steps);

    /// Counts the steps of a loop whose length is limited by the file size, without a limit. Tests
    /// check the total.
    static void count(std::uint64_t steps) {
        if (current_) current_->steps_ += std::min(steps, current_->work_ - current_->steps_);
    }

    /// Adds `bytes` to the memory limit and clears `exhausted`, so that there is memory for a
    /// report after the limit was exceeded.
    void extend(std::uint64_t bytes);
    /// Return the peak memory in bytes, the total allocated bytes and the number of steps since
    /// construction.
    std::uint64_t peak() const { return static_cast<std::uint64_t>(peak_ - start_); }
    std::uint64_t allocated() const { return allocated_; }
    std::uint64_t steps() const { return steps_; }

    /// Called by `operator new` and `operator delete`. `add` returns false if the memory in use
    /// exceeds the budget.
    static bool add(std::size_t bytes);
    static void remove(std::size_t bytes) { inUse_ -= static_cast<std::int64_t>(bytes); }

private:
    static thread_local Budget* current_;
    // Number of bytes that the thread has allocated and not freed. Negative if it freed memory of
    // other threads.
    static thread_local std::int64_t inUse_;

    Budget* outer_;
    std::int64_t start_, peak_, end_;  // same unit and origin as inUse_
    std::uint64_t work_, steps_ = 0, allocated_ = 0;
    bool exhausted_ = false;
};

/// Extends a block of `operator new` in place. Returns false and changes nothing if the memory
/// after the block is in use, or if the platform cannot extend. Without this function, a growing
/// array would need its old and new memory at the same time.
bool enlarge(void* memory, std::size_t bytes);

}  // namespace rigcast
