// Access to a file outside the WebAssembly heap.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

// Number of records in a window. A window fits into the CPU caches. With the address sanitizer, it
// has only 8 records, so that small test files have many windows.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isUnderSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool isUnderSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool isUnderSanitizer = false;
#endif
inline constexpr std::size_t windowRecords = isUnderSanitizer ? 8 : 4096;

/// Copies parts of a file into the heap, either to their offset in a file-sized buffer or to a
/// small window that is reused.
class Source {
public:
    /// `memory`: an uninitialized buffer, or nullptr if only windows are read. `size`: size of the
    /// file and of the buffer in bytes.
    Source(std::uint8_t* memory, std::size_t size) : memory_(memory), size_(size) {}
    virtual ~Source() = default;

    std::size_t size() const { return size_; }

    /// Copies a range of the file to the same offset in the buffer.
    void load(std::size_t offset, std::size_t count);

    /// Announces that a range of the file is read next, possibly in several parts. A source that
    /// reads over a network requests the range as a whole.
    virtual void announce(std::size_t, std::size_t) {}

    /// Copies a range of the file to `to`.
    void copy(std::size_t offset, std::size_t count, std::uint8_t* to) {
        if (count) read(offset, count, to);
    }

    /// Copies a range of the file into a shared window. The result is valid until the next call.
    Bytes window(std::size_t offset, std::size_t count) { return window(offset, count, window_); }

    /// Copies a range of the file into `buffer`, which grows if necessary.
    Bytes window(std::size_t offset, std::size_t count, Vector<std::uint8_t>& buffer);

protected:
    virtual void read(std::size_t offset, std::size_t count, std::uint8_t* to) = 0;

private:
    std::uint8_t* memory_;
    std::size_t size_;
    Vector<std::uint8_t> window_;
};

}  // namespace rigcast
