// Schema of the Cast format: kinds of nodes, types of properties, and the properties of each kind
// of node (cast.md section 2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace rigcast {

struct CastDocument;
class CastFindings;

enum class CastType : std::uint8_t { u8, u16, u32, u64, f32, f64, text, vec2, vec3, vec4 };
inline constexpr std::size_t castTypeCount = 10;

struct CastTypeInfo {
    std::uint16_t code;         // code of the type as stored, in little-endian order
    std::string_view spelling;  // name in the specification
    std::uint8_t size;          // bytes per element; 0 for strings
    std::uint8_t width;         // numbers per element; 0 for strings
};

inline constexpr CastTypeInfo castTypes[castTypeCount] = {
    {'b', "b", 1, 1}, {'h', "h", 2, 1}, {'i', "i", 4, 1},     {'l', "l", 8, 1},      {'f', "f", 4, 1},
    {'d', "d", 8, 1}, {'s', "s", 0, 0}, {0x7632, "v2", 8, 2}, {0x7633, "v3", 12, 3}, {0x7634, "v4", 16, 4},
};
constexpr const CastTypeInfo& infoOf(CastType type) { return castTypes[static_cast<std::size_t>(type)]; }
/// Returns the type with this code. For an unknown code, returns an arbitrary type; the caller must
/// compare the code in its `infoOf`. Must be fast, because it is called several times per property.
constexpr CastType castTypeOf(std::uint16_t code) {
    switch (code) {
        case 'b':
            return CastType::u8;
        case 'h':
            return CastType::u16;
        case 'i':
            return CastType::u32;
        case 'l':
            return CastType::u64;
        case 'f':
            return CastType::f32;
        case 'd':
            return CastType::f64;
        case 0x7632:
            return CastType::vec2;
        case 0x7633:
            return CastType::vec3;
        case 0x7634:
            return CastType::vec4;
        default:
            return CastType::text;
    }
}

constexpr std::uint32_t castId(const char (&text)[5]) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[0])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[1])) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[2])) << 16 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(text[3])) << 24;
}

namespace castIds {
inline constexpr std::uint32_t root = castId("root"), model = castId("modl"), mesh = castId("mesh"), hair = castId("hair"),
                               blendShape = castId("blsh"), skeleton = castId("skel"), bone = castId("bone"), ikHandle = castId("ikhd"),
                               constraint = castId("cnst"), animation = castId("anim"), curve = castId("curv"),
                               modeOverride = castId("CMOV"), notification = castId("ntif"), material = castId("matl"),
                               file = castId("file"), color = castId("colr"), instance = castId("inst"), metadata = castId("meta");
}

/// Returns the bit that represents a type in a set of types.
constexpr std::uint16_t castMask(CastType type) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(type)); }
inline constexpr std::uint16_t castIntegers = castMask(CastType::u8) | castMask(CastType::u16) | castMask(CastType::u32);

/// Name of a property, stored as a number that contains the length and the first four letters.
/// These identify every property of the format.
class CastName {
public:
    CastName() = default;  // creates an empty name
    constexpr CastName(std::string_view text) : value_(std::uint64_t{text.size()} << 32) {
        for (std::size_t i = 0; i < text.size() && i < most; ++i) value_ |= std::uint64_t{static_cast<unsigned char>(text[i])} << 8 * i;
    }
    template <std::size_t n>
    consteval CastName(const char (&text)[n]) : CastName(std::string_view(text, n - 1)) {
        static_assert(n - 1 <= most);
    }
    bool operator==(const CastName&) const = default;
    /// Returns a view into this object. The text is complete only for names of up to four letters.
    std::string_view text() const { return {reinterpret_cast<const char*>(&value_), static_cast<std::size_t>(value_ >> 32)}; }

private:
    static constexpr std::size_t most = 4;
    std::uint64_t value_;
};

struct CastPropertyRule {
    CastName name;
    std::uint16_t types;  // set of `castMask` bits; 0: any type, checked when the property is used
    bool isRequired = false;
};

struct CastNodeRule {
    std::uint32_t id;
    std::string_view kind;
    std::span<const std::uint32_t> parents;
    std::span<const CastPropertyRule> properties;
};

/// Returns the rule of a node kind, or nullptr for an unknown id.
const CastNodeRule* castRule(std::uint32_t id);

/// Returns true if `name` is the name of a mesh layer, such as `c0` or `u12`. Sets `layer` to the
/// number in the name.
bool isLayerName(std::string_view name, char letter, std::uint32_t& layer);

/// Reports unexpected parents and types, and unknown or missing properties (C020 to C023).
void checkSchema(const CastDocument& document, CastFindings& findings);

}  // namespace rigcast
