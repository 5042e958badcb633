// Access to the raw bytes of a file.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>

#include "core/bytes.hpp"

namespace rigcast {

/// Cursor over untrusted bytes. After a failure every read returns zeros or an empty span, so a
/// caller can read a whole record and check `failed()` once. Offsets are relative to the start of
/// the file.
class Reader {
public:
    explicit Reader(Bytes bytes, std::uint64_t base = 0) : bytes_(bytes), base_(base) {}

    /// Returns the offset of the next byte in the file.
    std::uint64_t offset() const { return base_ + position_; }
    std::size_t position() const { return position_; }
    std::size_t size() const { return bytes_.size(); }
    std::size_t remaining() const { return bytes_.size() - position_; }
    bool failed() const { return failed_; }
    void fail() {
        failed_ = true;
        position_ = bytes_.size();
    }

    /// Reads a value. If fewer than sizeof(T) bytes are left, fails and returns T{}.
    template <class T>
    T read() {
        if (remaining() < sizeof(T)) {
            fail();
            return T{};
        }
        const T value = loadValue<T>(bytes_.data() + position_);
        position_ += sizeof(T);
        return value;
    }

    /// Reads `count` bytes. If fewer are left, fails and returns an empty span.
    Bytes bytes(std::uint64_t count) {
        if (count > remaining()) {
            fail();
            return {};
        }
        const Bytes taken = bytes_.subspan(position_, static_cast<std::size_t>(count));
        position_ += static_cast<std::size_t>(count);
        return taken;
    }

    /// Skips `count` bytes and returns a reader for them.
    Reader sub(std::uint64_t count) {
        const std::uint64_t start = offset();
        Reader inner(bytes(count), start);
        if (failed_) inner.fail();
        return inner;
    }

    /// Returns `wanted` if the remaining bytes suffice for `wanted` elements of `elementSize`
    /// bytes. Otherwise fails and returns 0. Call this function before allocating memory for
    /// elements.
    std::size_t count(std::uint64_t wanted, std::size_t elementSize) {
        assert(elementSize > 0);
        if (wanted > remaining() / elementSize) {
            fail();
            return 0;
        }
        return static_cast<std::size_t>(wanted);
    }

    void skip(std::uint64_t count) { bytes(count); }

    /// Moves to a position relative to the start of this reader.
    void seek(std::uint64_t position) {
        if (position > bytes_.size())
            fail();
        else if (!failed_)
            position_ = static_cast<std::size_t>(position);
    }

    /// Returns all bytes of this reader, including those before the cursor.
    Bytes all() const { return bytes_; }

private:
    Bytes bytes_;
    std::uint64_t base_ = 0;
    std::size_t position_ = 0;
    bool failed_ = false;
};

/// An array of records of a fixed size. The constructor checks that the bytes exist, so reading a
/// field is a single load.
class Records {
public:
    Records() = default;
    /// Creates an array of the complete records in `bytes`. It is empty if the stride is 0.
    /// `offset`: file offset of `bytes`.
    Records(Bytes bytes, std::size_t stride, std::uint64_t offset = 0)
        : data_(bytes.data()), stride_(stride), count_(stride ? bytes.size() / stride : 0), offset_(offset) {}

    std::size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    std::size_t stride() const { return stride_; }
    /// Returns the offset of a record in the file.
    std::uint64_t offsetOf(std::size_t record) const { return offset_ + static_cast<std::uint64_t>(record) * stride_; }

    /// Reads a field. Requires record < size() and field + sizeof(T) <= stride().
    template <class T>
    T get(std::size_t record, std::size_t field) const {
        assert(record < count_ && field + sizeof(T) <= stride_);
        return loadValue<T>(data_ + record * stride_ + field);
    }

    Records slice(std::size_t first, std::size_t count) const {
        assert(count <= count_ && first <= count_ - count);
        return {{data_ + first * stride_, count * stride_}, stride_, offsetOf(first)};
    }

    Bytes bytes() const { return {data_, count_ * stride_}; }

    Bytes bytes(std::size_t record, std::size_t field, std::size_t length) const {
        assert(record < count_ && field + length <= stride_);
        return {data_ + record * stride_ + field, length};
    }

private:
    const std::uint8_t* data_ = nullptr;
    std::size_t stride_ = 0;
    std::size_t count_ = 0;
    std::uint64_t offset_ = 0;
};

}  // namespace rigcast
