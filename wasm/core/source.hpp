// A file whose bytes stay in the memory of whoever opens it.
#pragma once

#include <cstdint>

#include "core/bytes.hpp"
#include "core/vector.hpp"

namespace rigcast {

// Of what is long, some is read and written at a time, so that it stays in the fast caches: records of some bytes each. Few under the address sanitizer, so that small
// files have many windows, whose ends it watches.
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool isUnderSanitizer = true;
#elif defined(__has_feature)
inline constexpr bool isUnderSanitizer = __has_feature(address_sanitizer);
#else
inline constexpr bool isUnderSanitizer = false;
#endif
inline constexpr std::size_t windowRecords = isUnderSanitizer ? 8 : 4096;

/// Brings bytes of a file into memory as they are asked for: what is read once and forgotten through a small window, all else to its place.
class Source {
public:
    /// `home` has room for the whole file. Nothing is in it yet.
    Source(std::uint8_t* home, std::size_t size) : home_(home), size_(size) {}
    virtual ~Source() = default;

    std::size_t size() const { return size_; }

    /// Copies bytes that lie in the file to their place in `home`.
    void bring(std::size_t offset, std::size_t count);

    /// Copies them to elsewhere.
    void copy(std::size_t offset, std::size_t count, std::uint8_t* to) {
        if (count) pull(offset, count, to);
    }

    /// A copy of bytes that lie in the file, until the next call.
    Bytes window(std::size_t offset, std::size_t count) { return window(offset, count, window_); }

    /// The same in `buffer`, until that is used again.
    Bytes window(std::size_t offset, std::size_t count, Vector<std::uint8_t>& buffer);

protected:
    virtual void pull(std::size_t offset, std::size_t count, std::uint8_t* to) = 0;

private:
    std::uint8_t* home_;
    std::size_t size_;
    Vector<std::uint8_t> window_;
};

}  // namespace rigcast
