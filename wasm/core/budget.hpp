// What reading one file may cost. Memory is counted where it is allocated (operator new, to which all containers come); work is counted by the
// loops that a file can make longer than itself. Nobody has to remember to ask for memory: `affords` only ends a file more gently.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rigcast {

/// The account of one file, in force on its thread from its making to its end. They nest: the innermost counts.
class Budget {
public:
    /// What a 32-bit heap holds beside code and stack.
    static constexpr std::uint64_t mostMemory = 0xE0000000;
    /// The default for a file of so many bytes, with what was supplied for it.
    static constexpr std::uint64_t memoryFor(std::uint64_t bytes) { return std::min(mostMemory, (64u << 20) + 24 * bytes); }
    static constexpr std::uint64_t workFor(std::uint64_t bytes) { return (4u << 20) + 4 * bytes; }

    /// `memory` in bytes; `work` in steps: an element looked at or a number written, some nanoseconds.
    Budget(std::uint64_t memory, std::uint64_t work);
    ~Budget() { current_ = outer_; }
    Budget(const Budget&) = delete;
    Budget& operator=(const Budget&) = delete;

    /// Whether so many bytes more fit. They are not kept on the account: who asks will allocate them. A refusal is remembered.
    static bool affords(std::uint64_t bytes);
    /// Bytes that are left; `mostMemory` where no account is in force.
    static std::uint64_t remaining();
    /// Whether more memory was wanted than there is.
    static bool exhausted() { return current_ && current_->exhausted_; }
    /// Takes so many steps. False, and none are taken, where fewer are left: the caller leaves out what they are for and adds WORK_LIMIT.
    [[nodiscard]] static bool spend(std::uint64_t steps);

    /// Counts steps of a loop that cannot outgrow its file, so that tests see it if it does.
    static void note(std::uint64_t steps) {
        if (current_) current_->steps_ += std::min(steps, current_->work_ - current_->steps_);
    }

    /// For the report on a file that took too much: `bytes` more, and nothing is refused yet.
    void extend(std::uint64_t bytes);
    /// The most memory that was in use at a time since this account was made, all that was ever asked for, and the steps taken.
    std::uint64_t peak() const { return static_cast<std::uint64_t>(peak_ - start_); }
    std::uint64_t allocated() const { return allocated_; }
    std::uint64_t steps() const { return steps_; }

    /// For operator new and delete. False where more is in use than there is.
    static bool add(std::size_t bytes);
    static void remove(std::size_t bytes) { inUse_ -= static_cast<std::int64_t>(bytes); }

private:
    static thread_local Budget* current_;
    static thread_local std::int64_t inUse_;  // bytes; below 0 where others made what this thread frees

    Budget* outer_;
    std::int64_t start_, peak_, end_;  // as inUse_ counts
    std::uint64_t work_, steps_ = 0, allocated_ = 0;
    bool exhausted_ = false;
};

/// Makes memory of `operator new` larger where it lies: false, and nothing has changed, where something lies behind it or nobody can. What grows by
/// large steps would hold its old and its new memory at once else, and leave holes that nothing fits.
bool enlarge(void* memory, std::size_t bytes);

}  // namespace rigcast
