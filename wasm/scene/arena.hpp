// Where everything that grows with a file lives: blocks of columns, handed to JavaScript block by block.
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

/// "No index": an optional index into one of the scene's lists, a missing column.
inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// A run of `count` scalars in a block. A vec3 attribute of n vertices is a Column<float> of 3n. The default is "absent".
template <class T>
struct Column {
    std::uint32_t block = none;
    std::uint32_t offset = 0;  // bytes from the start of the block, aligned to sizeof(T)
    std::uint32_t count = 0;   // scalars
    bool present() const { return block != none; }
    /// `length` scalars from `first` on: tracks are slices of one big column of their clip.
    Column slice(std::uint32_t first, std::uint32_t length) const {
        return {block, offset + first * static_cast<std::uint32_t>(sizeof(T)), length};
    }
};

/// A fresh column and its memory. False where the file's budget has no room for it: the caller stops, the finding is made by the registry.
template <class T>
struct Allocation {
    Column<T> column;
    std::span<T> values;
    bool ok = false;
    explicit operator bool() const { return ok; }
};

/// Memory that is not the core's, for blocks whose columns are written once and never looked at again.
class Sink {
public:
    virtual ~Sink() = default;
    /// Room for a block of at most `size` bytes, zeros, in place of what it had; 0: none. False where there is none.
    virtual bool open(std::uint32_t block, std::size_t size) = 0;
    /// Takes a copy of bytes of a block that has room for them.
    virtual void push(std::uint32_t block, std::size_t offset, Bytes bytes) = 0;
};

/// A column that is written from its beginning to its end, a window at a time: to the arena's sink, or to where it stays where there is none.
template <class T>
class Outlet {
public:
    Outlet() = default;
    Outlet(const Column<T>& column, T* memory, Sink* sink) : column_(column), memory_(memory), sink_(sink) {}

    explicit operator bool() const { return column_.present(); }
    const Column<T>& column() const { return column_; }

    /// Memory for the next `count` scalars, until they are `put`.
    T* room(std::size_t count) {
        if (memory_) return memory_ + at_;
        if (window_.size() < count) window_.resize(count);
        return window_.data();
    }
    /// The next `count` scalars are in the memory that `room` gave.
    void put(std::size_t count) {
        if (!memory_) push({reinterpret_cast<const std::uint8_t*>(window_.data()), count * sizeof(T)});
        at_ += count;
    }
    /// The next scalars, from elsewhere, at any address.
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

/// Blocks of pieces. A piece never moves, so spans stay valid while the arena lives; a block's pieces lie one behind the other in the
/// ArrayBuffer that JavaScript copies them into, each at an offset that is a multiple of 8.
class Arena {
public:
    struct Release {
        void operator()(std::uint8_t* data) const { ::operator delete(data); }
    };
    struct Piece {
        std::uint32_t offset;
        std::uint32_t size;                           // in use
        std::uint32_t capacity;                       // the next small columns of the block go here
        std::unique_ptr<std::uint8_t, Release> data;  // nullptr: deferred, or in the sink where its block has no recipe
    };
    struct Block {
        std::uint32_t size = 0;  // of the ArrayBuffer, a multiple of 8
        Vector<Piece> pieces;
        Vector<std::uint8_t> recipe;  // of what is deferred
        bool isOpen = false;          // its outlets lead to the sink
    };

    Arena() = default;
    /// Columns that are only written go to `sink`, which outlives the arena.
    explicit Arena(Sink& sink) : sink_(&sink) {}

    /// A new block: the unit of transfer and of lifetime (a mesh, a clip, an image, a table).
    std::uint32_t addBlock() {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }

    /// `count` scalars, not initialised, in a block made by `addBlock`.
    template <class T>
    [[nodiscard]] Allocation<T> allocate(std::uint32_t block, std::uint64_t count) {
        std::uint32_t offset = 0;
        std::uint8_t* data = reserve(block, count, sizeof(T), offset);
        if (!data) return {};
        return {{block, offset, static_cast<std::uint32_t>(count)}, {reinterpret_cast<T*>(data), static_cast<std::size_t>(count)}, true};
    }

    /// A column whose values are made of the file and `recipe` when somebody wants them (Format::make): a piece of its own, without memory; a block
    /// has one at most. Absent where the budget has no room for it, and for the others that wait.
    Column<float> defer(std::uint32_t block, std::uint64_t count, Vector<std::uint8_t> recipe);

    /// A new block for outlets, of no more than `size` bytes.
    std::uint32_t addOpenBlock(std::uint64_t size);
    /// Takes back the last block, with all that is in it.
    void dropBlock();

    /// A column of `count` scalars in a block made by `addOpenBlock`, to be written at once; none where the budget has no room for it.
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

    /// A copy of `values`. Absent where the budget has no room for it.
    template <class T>
    Column<std::remove_const_t<T>> copy(std::uint32_t block, std::span<T> values) {
        auto made = allocate<std::remove_const_t<T>>(block, values.size());
        if (made && !values.empty()) std::memcpy(made.values.data(), values.data(), values.size_bytes());
        return made.column;
    }

    /// The memory of a column; empty where it is absent or deferred, or does not lie inside one piece.
    template <class T>
    std::span<T> values(const Column<T>& column) {
        std::uint8_t* data = find(column.block, column.offset, std::uint64_t{column.count} * sizeof(T), sizeof(T));
        return data ? std::span<T>{reinterpret_cast<T*>(data), column.count} : std::span<T>{};
    }
    template <class T>
    std::span<const T> values(const Column<T>& column) const {
        return const_cast<Arena*>(this)->values(column);
    }

    /// Whether a column did not fit, or anything else was refused: what is in the arena is not complete then.
    bool exhausted() const { return exhausted_ || Budget::exhausted(); }
    const Vector<Block>& blocks() const { return blocks_; }

private:
    std::uint8_t* reserve(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);
    std::uint8_t* find(std::uint32_t block, std::uint32_t offset, std::uint64_t bytes, std::size_t alignment);
    /// A place in the block for `count` elements that have no memory here.
    bool reserveOutside(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);

    Sink* sink_ = nullptr;
    bool exhausted_ = false;
    std::uint64_t outside_ = 0;  // bytes that are deferred or in the sink
    Vector<Block> blocks_;
};

}  // namespace rigcast
