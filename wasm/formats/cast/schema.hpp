// The vocabulary of the format: node kinds, property types, which property belongs to which node (cast.md section 2).
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
    std::uint16_t code;         // as stored, little-endian
    std::string_view spelling;  // as the specification writes it
    std::uint8_t size;          // bytes of an element; 0 for strings
    std::uint8_t width;         // numbers of an element; 0 for strings
};

const CastTypeInfo& infoOf(CastType type);
/// False where the code is none of the format's.
bool castTypeOf(std::uint16_t code, CastType& type);

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

/// Sets of types as bits.
constexpr std::uint16_t castMask(CastType type) { return static_cast<std::uint16_t>(1u << static_cast<unsigned>(type)); }
inline constexpr std::uint16_t castIntegers = castMask(CastType::u8) | castMask(CastType::u16) | castMask(CastType::u32);

struct CastPropertyRule {
    std::string_view name;
    std::uint16_t types;  // bits; 0: any, judged where it is used
    bool isRequired = false;
};

struct CastNodeRule {
    std::uint32_t id;
    std::string_view kind;
    std::span<const std::uint32_t> parents;
    std::span<const CastPropertyRule> properties;
};

/// nullptr for an unknown id.
const CastNodeRule* castRule(std::uint32_t id);

/// `a == b` for names of properties, nearly all of which have one or two letters.
inline bool isSameName(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    if (a.size() > 2) return a == b;
    return a.empty() || (a.front() == b.front() && a.back() == b.back());
}

/// Whether a material's or a mesh's property is one of an open family: a slot, or a layer (`c0`, `u12`) whose number goes to `layer`.
bool isLayerName(std::string_view name, char letter, std::uint32_t& layer);

/// Unexpected parents, types and unknown or missing properties of every node (C020 to C023).
void checkSchema(const CastDocument& document, CastFindings& findings);

}  // namespace rigcast
