// A file whose bytes stay outside of the heap.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

// Records that are read and written at a time, so that they stay in the CPU caches. With the
// address sanitizer there are only 8, so that small files have many windows whose bounds it checks.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isUnderSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool isUnderSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool isUnderSanitizer = false;
#endif
inline constexpr std::size_t windowRecords = isUnderSanitizer ? 8 : 4096;

/// Copies parts of a file into memory on request: to their position in `home`, or into a small
/// window that is reused.
class Source {
public:
    /// `home` has room for the whole file and is still empty.
    Source(std::uint8_t* home, std::size_t size) : home_(home), size_(size) {}
    virtual ~Source() = default;

    std::size_t size() const { return size_; }

    /// Copies bytes of the file to their position in `home`.
    void bring(std::size_t offset, std::size_t count);

    /// Copies bytes of the file to `to`.
    void copy(std::size_t offset, std::size_t count, std::uint8_t* to) {
        if (count) pull(offset, count, to);
    }

    /// Copies bytes of the file into the window. Valid until the next call.
    Bytes window(std::size_t offset, std::size_t count) { return window(offset, count, window_); }

    /// Same, into `buffer`. Valid until `buffer` is used again.
    Bytes window(std::size_t offset, std::size_t count, Vector<std::uint8_t>& buffer);

protected:
    virtual void pull(std::size_t offset, std::size_t count, std::uint8_t* to) = 0;

private:
    std::uint8_t* home_;
    std::size_t size_;
    Vector<std::uint8_t> window_;
};

}  // namespace rigcast
