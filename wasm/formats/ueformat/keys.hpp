// Converts sparse keys to keys that can be interpolated (docs/formats/ueformat.md section 4.2).
#pragma once

#include <cstdint>
#include <span>

#include "core/reader.hpp"
#include "core/vector.hpp"

namespace rigcast::ueformat {

/// Values of a key: a position, a rotation, a scale, or a number of a curve.
enum class KeyKind : std::uint8_t { position, rotation, scale, number };

constexpr std::size_t widthOf(KeyKind kind) { return kind == KeyKind::rotation ? 4 : kind == KeyKind::number ? 1 : 3; }
/// Returns the size of a stored key in bytes: a frame and its value.
constexpr std::size_t sizeOf(KeyKind kind) { return 4 + 4 * widthOf(kind); }

/// Counts keys with damaged values. Stores the file offset of the first key of each type of damage.
struct KeyDamage {
    std::uint64_t nonFinite = 0, notUnit = 0;
    std::uint64_t firstNonFinite = 0, firstNotUnit = 0;
};

/// The keys of one channel in the order of their frames. A channel that holds its values has
/// another key before each change after a pause.
class Keys {
public:
    /// Finds the keys to write. `holds`: true if a value remains until one frame before the next
    /// key. If several keys have the same frame, the last one is used. Returns false if the memory
    /// budget is exceeded.
    bool plan(const Records& records, bool holds);

    const Vector<std::int32_t>& frames() const { return frames_; }
    /// Number of keys whose frame is lower than the frame before it.
    std::uint64_t misplaced() const { return misplaced_; }
    /// Number of keys with the same frame as the key before it.
    std::uint64_t repeated() const { return repeated_; }

    /// Writes the values in scene space. `isMirrored`: true if the file mirrors the space of the
    /// engine. Damaged values become zero, scales one, and rotations the identity.
    void write(const Records& records, KeyKind kind, bool isMirrored, std::span<float> to, KeyDamage& damage) const;

private:
    void add(std::int32_t frame, std::uint32_t record, bool holds);

    Vector<std::int32_t> frames_;    // frame of each written key
    Vector<std::uint32_t> records_;  // record with its value
    std::uint64_t misplaced_ = 0, repeated_ = 0;
};

}  // namespace rigcast::ueformat
