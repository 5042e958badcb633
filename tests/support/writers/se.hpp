// Writes SE documents for tests, fixtures and demos.
#pragma once

#include <string>

#include "core/vector.hpp"
#include "formats/se/document.hpp"

namespace rigcast {

/// Returns the file for a document. A document that was read from an undamaged file is reproduced
/// byte for byte.
Vector<std::uint8_t> writeSeModel(const SeModel& model);
Vector<std::uint8_t> writeSeAnim(const SeAnim& anim);

/// Appends little-endian numbers and strings.
class SeWriter {
public:
    template <class T>
    SeWriter& put(T value) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
        bytes_.insert(bytes_.end(), at, at + sizeof value);
        return *this;
    }
    SeWriter& put(Bytes bytes) {
        bytes_.insert(bytes_.end(), bytes.data(), bytes.data() + bytes.size());
        return *this;
    }
    /// Appends an integer of 1, 2 or 4 bytes.
    SeWriter& index(std::uint32_t value, std::size_t width) {
        for (std::size_t i = 0; i < width; ++i) put(static_cast<std::uint8_t>(value >> 8 * i));
        return *this;
    }
    SeWriter& magic(std::string_view text) { return put(Bytes{reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}); }
    SeWriter& text(std::string_view text) { return magic(text).put(std::uint8_t{0}); }
    SeWriter& floats(std::initializer_list<float> values) {
        for (const float value : values) put(value);
        return *this;
    }
    Vector<std::uint8_t> finish() { return std::move(bytes_); }

private:
    Vector<std::uint8_t> bytes_;
};

}  // namespace rigcast
