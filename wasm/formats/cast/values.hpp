// Typed values of properties: converted between number types, anything else is as if it were not there (checkSchema has told).
#pragma once

#include <optional>
#include <string>

#include "core/math.hpp"
#include "core/value.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// The integers of a property, of any width. Floats (notification keys before 2023-10) are rounded.
class CastIntegers {
public:
    CastIntegers() = default;
    explicit CastIntegers(const CastProperty& property);

    std::uint32_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    CastType type() const { return type_; }
    Bytes payload() const { return payload_; }
    /// Clamped to 32 bits.
    std::uint32_t operator[](std::uint32_t i) const;
    /// Within the same range, and not rounded.
    double unrounded(std::uint32_t i) const;
    bool areFloats() const { return type_ == CastType::f32 || type_ == CastType::f64; }

private:
    Bytes payload_;
    std::uint32_t count_ = 0;
    CastType type_ = CastType::u8;
};

/// How the values of one property are read. All give nothing (or the fallback) for a property that is absent, empty or of another kind.
struct CastValues {
    const CastDocument& document;

    /// Valid UTF-8, the first string.
    std::string text(std::uint32_t node, CastName name, std::string_view fallback = {}) const;
    std::optional<double> number(std::uint32_t node, CastName name) const;
    /// The reference's test of a boolean is value >= 1.
    bool flag(std::uint32_t node, CastName name, bool fallback) const;
    std::optional<std::uint64_t> hash(std::uint32_t node, CastName name) const;
    std::optional<Vec3> vec3(std::uint32_t node, CastName name) const;
    /// As stored, not normalised.
    std::optional<Quat> vec4(std::uint32_t node, CastName name) const;
    CastIntegers integers(std::uint32_t node, CastName name) const { return CastIntegers(document.find(node, name)); }
    /// The elements of a vector (or float) property as raw floats; empty where the type is another.
    Bytes floats(std::uint32_t node, CastName name, CastType type, std::uint32_t& count) const;
};

/// The first string of a text property, repaired.
std::string castText(const CastProperty& property);
/// A number of a property as double. `i` < count * width, and the property is no text.
double castNumber(const CastProperty& property, std::uint32_t i);
/// The first one; nothing where the property is no number.
std::optional<double> castNumberOf(const CastProperty& property);
/// What a property says, where it is small; null else. Hashes are "0x" and 16 digits.
Value castValue(const CastProperty& property);
std::string castHash(std::uint64_t hash);

}  // namespace rigcast
