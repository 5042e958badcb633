// Memory for the arrays of a scene, in blocks. JavaScript receives each block as one ArrayBuffer.
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

/// The value of an index that is not set. The block index of an absent column has this value.
inline constexpr std::uint32_t none = 0xFFFFFFFF;

/// An array of `count` scalars in a memory block of the arena. For example, the positions of n
/// vertices are a Column<float> with a count of 3n. A default-constructed column represents an
/// absent array.
template <class T>
struct Column {
    std::uint32_t block = none;
    std::uint32_t offset = 0;  // bytes from the start of the block, aligned to sizeof(T)
    std::uint32_t count = 0;   // scalars
    bool present() const { return block != none; }
    /// Returns a column for the `length` scalars that start at scalar `first` of this column. The
    /// tracks of a clip are slices of one column.
    Column slice(std::uint32_t first, std::uint32_t length) const {
        return {block, offset + first * static_cast<std::uint32_t>(sizeof(T)), length};
    }
};

/// A new column and its memory. Converts to false if the allocation exceeded the budget: the reader
/// must then stop, and the registry reports OUT_OF_MEMORY.
template <class T>
struct Allocation {
    Column<T> column;
    std::span<T> values;
    bool ok = false;
    explicit operator bool() const { return ok; }
};

/// Buffers outside the heap, one per block, for columns that are written once and never read again.
class ExternalBuffers {
public:
    virtual ~ExternalBuffers() = default;
    /// Allocates a zeroed buffer of `size` bytes for a block and frees the previous buffer of the
    /// block. If `size` is 0, only frees the buffer. Returns false if the allocation fails.
    virtual bool allocate(std::uint32_t block, std::size_t size) = 0;
    /// Copies bytes to an offset in the buffer of a block.
    virtual void write(std::uint32_t block, std::size_t offset, Bytes bytes) = 0;
};

/// Returns the number of bytes that a column of `bytes` bytes takes in a block: each column starts at
/// a multiple of 8.
constexpr std::uint64_t paddedSize(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

/// Writes a column from start to end, one window at a time. The column is in an external buffer or,
/// if the arena has none, in the heap.
template <class T>
class StreamingColumn {
public:
    StreamingColumn() = default;
    StreamingColumn(const Column<T>& column, T* memory, ExternalBuffers* external)
        : column_(column), memory_(memory), external_(external) {}

    explicit operator bool() const { return column_.present(); }
    const Column<T>& column() const { return column_; }

    /// Returns memory for the next `count` scalars, which is valid until `commit` is called.
    T* next(std::size_t count) {
        if (memory_) return memory_ + at_;
        if (window_.size() < count) window_.resize(count);
        return window_.data();
    }
    /// Appends the `count` scalars that the caller has stored in the memory that `next` returned.
    void commit(std::size_t count) {
        if (!memory_) write({reinterpret_cast<const std::uint8_t*>(window_.data()), count * sizeof(T)});
        at_ += count;
    }
    /// Appends scalars from unaligned memory.
    void append(Bytes values) {
        if (!memory_)
            write(values);
        else if (!values.empty())
            std::memcpy(memory_ + at_, values.data(), values.size());
        at_ += values.size() / sizeof(T);
    }

private:
    void write(Bytes bytes) { external_->write(column_.block, column_.offset + at_ * sizeof(T), bytes); }

    Column<T> column_;
    T* memory_ = nullptr;
    ExternalBuffers* external_ = nullptr;
    std::size_t at_ = 0;  // scalars
    Vector<T> window_;
};

/// Allocates columns in blocks. A block consists of pieces of memory that never move, so spans
/// remain valid as long as the arena exists. JavaScript copies all pieces of a block into one
/// ArrayBuffer, each at an offset that is a multiple of 8 bytes.
class Arena {
public:
    struct Release {
        void operator()(std::uint8_t* data) const { ::operator delete(data); }
    };
    struct Piece {
        std::uint32_t offset;
        std::uint32_t size;      // bytes in use
        std::uint32_t capacity;  // size in bytes; the unused end is for small columns
        // nullptr: deferred if the block has decode parameters, otherwise in an external buffer
        std::unique_ptr<std::uint8_t, Release> data;
    };
    struct Block {
        std::uint32_t size = 0;  // bytes of the ArrayBuffer, a multiple of 8
        Vector<Piece> pieces;
        Vector<std::uint8_t> parameters;  // decode parameters of the deferred column
        bool isExternal = false;          // true: the block has an external buffer
    };

    Arena() = default;
    /// `external` must outlive the arena.
    explicit Arena(ExternalBuffers& external) : external_(&external) {}

    /// Adds a block. JavaScript receives each block as one ArrayBuffer: a mesh, a clip, an image or a
    /// table.
    std::uint32_t addBlock() {
        blocks_.emplace_back();
        return static_cast<std::uint32_t>(blocks_.size() - 1);
    }

    /// Allocates `count` uninitialized scalars in a block that `addBlock` created.
    template <class T>
    [[nodiscard]] Allocation<T> allocate(std::uint32_t block, std::uint64_t count) {
        std::uint32_t offset = 0;
        std::uint8_t* data = reserve(block, count, sizeof(T), offset);
        if (!data) return {};
        return {{block, offset, static_cast<std::uint32_t>(count)}, {reinterpret_cast<T*>(data), static_cast<std::size_t>(count)}, true};
    }

    /// Adds a deferred column, for which no memory is allocated. `FormatReader::decode` computes
    /// its values from the file and `parameters` when they are requested. A block can have only one
    /// deferred column. Returns an absent column if the budget is exceeded.
    Column<float> defer(std::uint32_t block, std::uint64_t count, Vector<std::uint8_t> parameters);

    /// Adds a block for streaming columns. `size`: maximum total size of the columns in bytes, each
    /// rounded up by `paddedSize`. If the columns are smaller, JavaScript copies the block.
    std::uint32_t addExternalBlock(std::uint64_t size);
    /// Removes the most recently added block.
    void dropBlock();

    /// Adds a column of `count` scalars to a block that `addExternalBlock` created. The caller must
    /// write every scalar. Returns an absent column if the budget is exceeded.
    template <class T>
    StreamingColumn<T> streamColumn(std::uint32_t block, std::uint64_t count) {
        if (!blocks_[block].isExternal) {
            const auto inHeap = allocate<T>(block, count);
            return {inHeap.column, inHeap.values.data(), nullptr};
        }
        std::uint32_t offset = 0;
        if (!reserveExternal(block, count, sizeof(T), offset)) return {};
        return {{block, offset, static_cast<std::uint32_t>(count)}, nullptr, external_};
    }

    /// Copies `values` into a new column. Returns an absent column if the budget is exceeded.
    template <class T>
    Column<std::remove_const_t<T>> copy(std::uint32_t block, std::span<T> values) {
        auto copied = allocate<std::remove_const_t<T>>(block, values.size());
        if (copied && !values.empty()) std::memcpy(copied.values.data(), values.data(), values.size_bytes());
        return copied.column;
    }

    /// Returns the memory of a column, or an empty span if the column is absent, deferred or not
    /// contiguous.
    template <class T>
    std::span<T> values(const Column<T>& column) {
        std::uint8_t* data = find(column.block, column.offset, std::uint64_t{column.count} * sizeof(T), sizeof(T));
        return data ? std::span<T>{reinterpret_cast<T*>(data), column.count} : std::span<T>{};
    }
    template <class T>
    std::span<const T> values(const Column<T>& column) const {
        return const_cast<Arena*>(this)->values(column);
    }

    /// Returns true if an allocation failed. The content of the arena is then incomplete.
    bool exhausted() const { return exhausted_ || Budget::exhausted(); }
    const Vector<Block>& blocks() const { return blocks_; }

private:
    std::uint8_t* reserve(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);
    std::uint8_t* find(std::uint32_t block, std::uint32_t offset, std::uint64_t bytes, std::size_t alignment);
    /// Extends the block by `count` elements of `size` bytes without allocating memory in the heap.
    bool reserveExternal(std::uint32_t block, std::uint64_t count, std::size_t size, std::uint32_t& offset);

    ExternalBuffers* external_ = nullptr;
    bool exhausted_ = false;
    std::uint64_t externalBytes_ = 0;  // total size of deferred columns and external buffers
    Vector<Block> blocks_;
};

}  // namespace rigcast
