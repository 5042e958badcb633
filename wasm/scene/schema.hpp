// The content of scene.def as data, for code that visits all fields of a scene.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "scene/scene.hpp"

namespace rigcast {

/// The list of the scene to which an index refers. `anything` marks numbers that are not indices.
enum class List : std::uint8_t { anything, nodes, meshes, renderers, skins, materials, textures, images, features, references, strings };

/// Rules of fields, as written in scene.def.
namespace schema {

/// How JavaScript receives a field (see the rules in scene.def). `internal` and later values mark
/// fields that are not in the description. The length of a `keyTimes` column is also the number of
/// keys.
enum class Presence : std::uint8_t { always, optional, keyTimes, internal, beside, announces, ownBlock };

/// How a column or number is validated.
enum class Promise : std::uint8_t { finite, rows, anyLength, anyBlock, keyed, index, string };

struct Rule {
    Presence presence = Presence::always;
    Promise promise = Promise::finite;
    std::uint8_t width = 1;      // scalars per row
    List list = List::anything;  // list to which the numbers refer
    const char* key = nullptr;   // name in JavaScript; nullptr: the name of the field
    const char* type = nullptr;  // TypeScript type; nullptr: derived from the C++ type
    bool isOneOf = false;        // exactly one of the columns with this key is present
    bool isDecoded = false;      // used only by JavaScript's decoder
};

inline constexpr Rule always;
inline constexpr Rule optional{.presence = Presence::optional};
inline constexpr Rule internal{.presence = Presence::internal};
inline constexpr Rule beside{.presence = Presence::beside};
inline constexpr Rule announces{.presence = Presence::announces};
inline constexpr Rule ownBlock{.presence = Presence::ownBlock};
inline constexpr Rule anyBlock{.presence = Presence::optional, .promise = Promise::anyBlock};
inline constexpr Rule stringId{.promise = Promise::string, .list = List::strings};
inline constexpr Rule stringRows{.promise = Promise::rows, .list = List::strings};
inline constexpr Rule column{.promise = Promise::anyLength};
inline constexpr Rule optionalColumn{.presence = Presence::optional, .promise = Promise::anyLength};
inline constexpr Rule keyTimes{.presence = Presence::keyTimes, .promise = Promise::keyed};
inline constexpr Rule keyed{.promise = Promise::keyed};
inline constexpr Rule optionalKeyed{.presence = Presence::optional, .promise = Promise::keyed};
constexpr Rule index(List list) { return {.promise = Promise::index, .list = list}; }
constexpr Rule optionalIndex(List list) { return {.presence = Presence::optional, .promise = Promise::index, .list = list}; }
constexpr Rule rows(std::uint8_t width, List list = List::anything) { return {.promise = Promise::rows, .width = width, .list = list}; }
constexpr Rule optionalRows(std::uint8_t width) { return {.presence = Presence::optional, .promise = Promise::rows, .width = width}; }
constexpr Rule oneOf(const char* key, Rule rule) {
    rule.presence = Presence::optional;
    rule.key = key;
    rule.isOneOf = true;
    return rule;
}
constexpr Rule as(const char* key, Rule rule) {
    rule.key = key;
    return rule;
}
constexpr Rule typed(const char* type, Rule rule) {
    rule.type = type;
    return rule;
}
constexpr Rule decoded(Rule rule) {
    rule.isDecoded = true;
    return rule;
}

}  // namespace schema

/// C++ type of a field. Kinds with plural names are Vectors; `structure` and `structures` are
/// structs in scene.def.
enum class FieldKind : std::uint8_t {
    text,
    boolean,
    byte,
    unsignedInteger,
    integer,
    number,
    bigNumber,
    numbers,
    bigNumbers,
    word,
    column,
    columns,
    indices,
    properties,
    structure,
    structures,
    strings,
    transform,
};

enum class StructId : std::uint8_t {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) type,
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
};

enum class WordsId : std::uint8_t {
#define WORDS(type, alias, documentation, ...) type,
#define STRUCT(type, documentation)
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
};

/// Number types of columns. Their names are the same in JavaScript.
enum class NumberType : std::uint8_t { u8, u16, u32, i32, f32 };
inline constexpr const char* numberTypeNames[] = {"u8", "u16", "u32", "i32", "f32"};

template <class T>
inline constexpr NumberType numberTypeOf = std::is_same_v<T, float>          ? NumberType::f32
                                           : std::is_same_v<T, std::int32_t> ? NumberType::i32
                                           : sizeof(T) == 4                  ? NumberType::u32
                                           : sizeof(T) == 2                  ? NumberType::u16
                                                                             : NumberType::u8;

/// Returns the number type of a number or enumeration that is written as a column of a table.
constexpr NumberType typeOf(FieldKind kind) {
    if (kind == FieldKind::number) return NumberType::f32;
    return kind == FieldKind::unsignedInteger ? NumberType::u32 : NumberType::u8;
}

/// Describes a field in eight bytes of wasm.
struct FieldInfo {
    const char* key;
    std::uint16_t offset;
    FieldKind kind : 5;
    schema::Presence presence : 3;
    // Meaning by kind: number of elements for numbers, WordsId for `word`, NumberType for `column`,
    // StructId for `structure` and `structures`.
    std::uint8_t detail;
};

struct StructInfo {
    std::span<const FieldInfo> fields;
    std::size_t size;
};

const StructInfo& infoOf(StructId id);

/// Returns the words of an enumeration, separated by commas: `opaque, mask, blend`.
std::string_view wordsOf(WordsId id);

/// Returns word `n` of a list of words, or an empty string if the list is shorter.
std::string_view wordAt(std::string_view words, std::size_t n);

}  // namespace rigcast
