// Memory for all data that grows with the file: blocks of columns, which JavaScript receives block
// by block.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "core/budget.hpp"
#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

/// "No index": for optional indices into lists of the scene, and for absent columns.
inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// A run of `count` scalars in a block. A vec3 attribute of n vertices is a Column<float> with
/// count 3n. Absent by default.
template <class T>
struct Column {
    std::uint32_t block = none;
    std::uint32_t offset = 0;  // bytes from the start of the block, aligned to sizeof(T)
    std::uint32_t count = 0;   // scalars
    bool present() const { return block != none; }
    /// Returns `length` scalars starting at `first`. Tracks are slices of one large column of their
    /// clip.
    Column slice(std::uint32_t first, std::uint32_t length) const {
        return {block, offset + first * static_cast<std::uint32_t>(sizeof(T)), length};
    }
};

/// A new column and its memory. False if the budget is exceeded; the caller then stops and the
/// registry reports it.
template <class T>
struct Allocation {
    Column<T> column;
    std::span<T> values;
    bool ok = false;
    explicit operator bool() const { return ok; }
};

/// External memory for blocks whose columns are written once and never read again.
class Sink {
public:
    virtual ~Sink() = default;
    /// Allocates a zeroed block of at most `size` bytes and discards what the block contained; 0
    /// only discards. Returns false on failure.
    virtual bool open(std::uint32_t block, std::size_t size) = 0;
    /// Copies bytes into a block that `open` allocated.
    virtual void push(std::uint32_t block, std::size_t offset, Bytes bytes) = 0;
};

/// Writes a column in order, one window at a time: to the arena's sink, or, without one, to its
/// final memory.
template <class T>
class Outlet {
public:
    Outlet() = default;
    Outlet(const Column<T>& column, T* memory, Sink* sink) : column_(column), memory_(memory), sink_(sink) {}

    explicit operator bool() const { return column_.present(); }
    const Column<T>& column() const { return column_; }

    /// Returns memory for the next `count` scalars, valid until `put`.
    T* room(std::size_t count) {
        if (memory_) return memory_ + at_;
        if (window_.size() < count) window_.resize(count);
        return window_.data();
    }
    /// Writes the `count` scalars that the caller stored in `room`.
    void put(std::size_t count) {
        if (!memory_) push({reinterpret_cast<const std::uint8_t*>(window_.data()), count * sizeof(T)});
        at_ += count;
    }
    /// Writes scalars from unaligned memory.
    void copy(Bytes values) {
        if (!memory_)
            push(values);
        else if (!values.empty())
            std::memcpy(memory_ + at_, values.data(), values.size());
        at_ += values.size() / sizeof(T);
    }

private:
    void push(Bytes bytes) { sink_->push(column_.block, column_.offset + at_ * sizeof(T), bytes); }

    Column<T> column_;
    T* memory_ = nullptr;
    Sink* sink_ = nullptr;
    std::size_t at_ = 0;  // scalars
    Vector<T> window_;
};

/// Blocks of pieces. A piece never moves, so spans stay valid as long as the arena. JavaScript
/// copies the pieces of a block one after the other into an ArrayBuffer, each at a multiple of 8
/// bytes.
class Arena {
public:
    struct Release {
        void operator()(std::uint8_t* data) const { ::operator delete(data); }
    };
    struct Piece {
        std::uint32_t offset;
        std::uint32_t size;  // bytes in use
        // bytes; further small columns of the block are placed here
        std::uint32_t capacity;
        // nullptr: deferred, or in the sink if the block has no recipe
        std::unique_ptr<std::uint8_t, Release> data;
    };
    struct Block {
        std::uint32_t size = 0;  // bytes of the ArrayBuffer, a multiple of 8
        Vector<Piece> pieces;
        Vector<std::uint8_t> recipe;  // decode parameters of the deferred column
        bool isOpen = false;          // its outlets write to the sink
    };

    Arena() = default;
    /// Outlets write to `sink`, which must outlive the arena.
    explicit Arena(Sink& sink) : sink_(&sink) {}

    /// Adds a block: the unit of transfer and of lifetime (a mesh, a clip, an image, a table).
    std::uint32_t addBlock() {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }

    /// Allocates `count` uninitialized scalars in a block of `addBlock`.
    template <class T>
    [[nodiscard]] Allocation<T> allocate(std::uint32_t block, std::uint64_t count) {
        std::uint32_t offset = 0;
        std::uint8_t* data = reserve(block, count, sizeof(T), offset);
        if (!data) return {};
        return {{block, offset, static_cast<std::uint32_t>(count)}, {reinterpret_cast<T*>(data), static_cast<std::size_t>(count)}, true};
    }

    /// Adds a deferred column, which is decoded from the file and `recipe` on request
    /// (FormatReader::make). It is a piece without memory; a block has at most one. Returns an
    /// absent column if the budget has no room for it and all other deferred columns.
    Column<float> defer(std::uint32_t block, std::uint64_t count, Vector<std::uint8_t> recipe);

    /// Adds a block for outlets, of at most `size` bytes.
    std::uint32_t addOpenBlock(std::uint64_t size);
    /// Removes the last block and its content.
    void dropBlock();

    /// Adds a column of `count` scalars to a block of `addOpenBlock`. The caller must write it
    /// immediately. False if the budget is exceeded.
    template <class T>
    Outlet<T> outlet(std::uint32_t block, std::uint64_t count) {
        if (!blocks_[block].isOpen) {
            const auto made = allocate<T>(block, count);
            return {made.column, made.values.data(), nullptr};
        }
        std::uint32_t offset = 0;
        if (!reserveOutside(block, count, sizeof(T), offset)) return {};
        return {{block, offset, static_cast<std::uint32_t>(count)}, nullptr, sink_};
    }

    /// Copies `values` into a new column. Returns an absent column if the budget is exceeded.
    template <class T>
    Column<std::remove_const_t<T>> copy(std::uint32_t block, std::span<T> values) {
        auto made = allocate<std::remove_const_t<T>>(block, values.size());
        if (made && !values.empty()) std::memcpy(made.values.data(), values.data(), values.size_bytes());
        return made.column;
    }

    /// Returns the memory of a column. Empty if it is absent, deferred or not inside one piece.
    template <class T>
    std::span<T> values(const Column<T>& column) {
        std::uint8_t* data = find(column.block, column.offset, std::uint64_t{column.count} * sizeof(T), sizeof(T));
        return data ? std::span<T>{reinterpret_cast<T*>(data), column.count} : std::span<T>{};
    }
    template <class T>
    std::span<const T> values(const Column<T>& column) const {
        return const_cast<Arena*>(this)->values(column);
    }

    /// True if an allocation was refused, so the content of the arena is incomplete.
    bool exhausted() const { return exhausted_ || Budget::exhausted(); }
    const Vector<Block>& blocks() const { return blocks_; }

private:
    std::uint8_t* reserve(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);
    std::uint8_t* find(std::uint32_t block, std::uint32_t offset, std::uint64_t bytes, std::size_t alignment);
    /// Reserves room in the block for `count` elements without memory in the heap.
    bool reserveOutside(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);

    Sink* sink_ = nullptr;
    bool exhausted_ = false;
    std::uint64_t outside_ = 0;  // bytes that are deferred or in the sink
    Vector<Block> blocks_;
};

}  // namespace rigcast
