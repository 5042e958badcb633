// Returns property values as a requested type, and converts between number types. Properties of any
// other type are treated as absent; checkSchema reports them.
#pragma once

#include <optional>
#include <string>

#include "core/math.hpp"
#include "core/value.hpp"
#include "formats/cast/document.hpp"

namespace rigcast {

/// The integers of a property, with any stored width. Floats are rounded; writers used them for
/// notification keys before 2023-10.
class CastIntegers {
public:
    CastIntegers() = default;
    explicit CastIntegers(const CastProperty& property);

    std::uint32_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    CastType type() const { return type_; }
    Bytes payload() const { return payload_; }
    /// Returns an integer, clamped to 32 bits.
    std::uint32_t operator[](std::uint32_t i) const;
    /// Returns a number, clamped to the range of 32-bit integers but not rounded.
    double unrounded(std::uint32_t i) const;
    bool areFloats() const { return type_ == CastType::f32 || type_ == CastType::f64; }

private:
    Bytes payload_;
    std::uint32_t count_ = 0;
    CastType type_ = CastType::u8;
};

/// Reads the values of properties. Returns nullopt, an empty value or `fallback` if a property is
/// absent, empty or of another type.
struct CastValues {
    const CastDocument& document;

    /// Returns the first string as valid UTF-8.
    std::string text(std::uint32_t node, CastName name, std::string_view fallback = {}) const;
    std::optional<double> number(std::uint32_t node, CastName name) const;
    /// Returns true if the number in the property is at least 1, as in the reference reader.
    bool flag(std::uint32_t node, CastName name, bool fallback) const;
    std::optional<std::uint64_t> hash(std::uint32_t node, CastName name) const;
    std::optional<Vec3> vec3(std::uint32_t node, CastName name) const;
    /// Returns a quaternion as stored, without normalizing it.
    std::optional<Quat> vec4(std::uint32_t node, CastName name) const;
    CastIntegers integers(std::uint32_t node, CastName name) const { return CastIntegers(document.find(node, name)); }
    /// Returns the bytes of a property with this type, or an empty span if it has another type.
    /// Sets `count` to the number of elements.
    Bytes floats(std::uint32_t node, CastName name, CastType type, std::uint32_t& count) const;
};

/// Returns the first string of a property as valid UTF-8.
std::string castText(const CastProperty& property);
/// Returns the number with index `i` of a property. `i` must be below count * width, and the type
/// must not be text.
double castNumber(const CastProperty& property, std::uint32_t i);
/// Returns the first number of a property, or nullopt if the property does not contain numbers.
std::optional<double> castNumberOf(const CastProperty& property);
/// Returns the value of a property, or null if the value is large. Converts hashes to texts that
/// consist of "0x" and 16 digits.
Value castValue(const CastProperty& property);
std::string castHash(std::uint64_t hash);

}  // namespace rigcast
