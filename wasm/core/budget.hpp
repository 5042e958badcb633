// Limits the memory and work that reading one file may cost. Memory is counted in `operator new`,
// which all containers use. Loops that can run longer than the file is large count their steps. No
// reader has to ask before it allocates: `affords` only makes the failure gentler.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rigcast {

/// Memory and work account of one file. Applies to its thread from construction to destruction.
/// Budgets nest; the innermost one counts.
class Budget {
public:
    /// Bytes of a 32-bit heap minus code and stack.
    static constexpr std::uint64_t mostMemory = 0xE0000000;
    /// Default budgets for `bytes` of input, companion files included.
    static constexpr std::uint64_t memoryFor(std::uint64_t bytes) { return std::min(mostMemory, (64u << 20) + 24 * bytes); }
    static constexpr std::uint64_t workFor(std::uint64_t bytes) { return (4u << 20) + 4 * bytes; }

    /// `memory` is in bytes. `work` is in steps; a step visits one element or writes one number and
    /// takes some nanoseconds.
    Budget(std::uint64_t memory, std::uint64_t work);
    ~Budget() { current_ = outer_; }
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    /// Returns true if `bytes` more would fit. Reserves nothing, because the caller allocates them
    /// itself. A refusal sets `exhausted`.
    static bool affords(std::uint64_t bytes);
    /// Bytes left, or `mostMemory` if there is no budget.
    static std::uint64_t remaining();
    /// True if more memory was requested than the budget contains.
    static bool exhausted() { return current_ && current_->exhausted_; }
    /// Takes `steps` from the work budget. If fewer are left, takes none and returns false; the
    /// caller then skips the work and reports WORK_LIMIT.
    [[nodiscard]] static bool spend(std::uint64_t steps);

    /// Counts the steps of a loop that is never longer than its file. Tests check the sum.
    static void note(std::uint64_t steps) {
        if (current_) current_->steps_ += std::min(steps, current_->work_ - current_->steps_);
    }

    /// Adds `bytes` and clears `exhausted`, so that a report can be written about a file that
    /// exceeded its budget.
    void extend(std::uint64_t bytes);
    /// Peak memory in use, total bytes allocated, and steps taken since construction.
    std::uint64_t peak() const { return static_cast<std::uint64_t>(peak_ - start_); }
    std::uint64_t allocated() const { return allocated_; }
    std::uint64_t steps() const { return steps_; }

    /// Called by `operator new` and `delete`. Returns false if more memory is in use than the
    /// budget contains.
    static bool add(std::size_t bytes);
    static void remove(std::size_t bytes) { inUse_ -= static_cast<std::int64_t>(bytes); }

private:
    static thread_local Budget* current_;
    // bytes; negative if this thread frees what other threads allocated
    static thread_local std::int64_t inUse_;

    Budget* outer_;
    std::int64_t start_, peak_, end_;  // same unit and origin as inUse_
    std::uint64_t work_, steps_ = 0, allocated_ = 0;
    bool exhausted_ = false;
};

/// Extends a block of `operator new` in place. Returns false, with no effect, if the memory after
/// it is in use or the platform cannot extend. Without this, a large growing array would need its
/// old and new memory at the same time and fragment the heap.
bool enlarge(void* memory, std::size_t bytes);

}  // namespace rigcast
