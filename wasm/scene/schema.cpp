#include "scene/schema.hpp"

namespace rigcast {

namespace {

using namespace schema;  // NOLINT: the rules have the same names as in scene.def

/// Field kind and `detail` (FieldInfo) of the C++ type T.
struct Shape {
    FieldKind kind;
    std::uint8_t detail = 0;
};

template <class T>
inline constexpr Shape shapeOf{FieldKind::transform};
template <>
inline constexpr Shape shapeOf<std::string>{FieldKind::text};
template <>
inline constexpr Shape shapeOf<bool>{FieldKind::boolean};
template <>
inline constexpr Shape shapeOf<std::uint8_t>{FieldKind::byte};
template <>
inline constexpr Shape shapeOf<std::uint32_t>{FieldKind::unsignedInteger};
template <>
inline constexpr Shape shapeOf<std::int32_t>{FieldKind::integer};
template <>
inline constexpr Shape shapeOf<float>{FieldKind::number};
template <>
inline constexpr Shape shapeOf<double>{FieldKind::bigNumber};
template <std::size_t n>
inline constexpr Shape shapeOf<float[n]>{FieldKind::numbers, n};
template <std::size_t n>
inline constexpr Shape shapeOf<double[n]>{FieldKind::bigNumbers, n};
template <class T>
inline constexpr Shape shapeOf<Column<T>>{FieldKind::column, static_cast<std::uint8_t>(numberTypeOf<T>)};
template <>
inline constexpr Shape shapeOf<Vector<Column<float>>>{FieldKind::columns};
template <>
inline constexpr Shape shapeOf<Vector<std::uint32_t>>{FieldKind::indices};
template <>
inline constexpr Shape shapeOf<Properties>{FieldKind::properties};
template <>
inline constexpr Shape shapeOf<StringTable>{FieldKind::strings};

#define WORDS(type, alias, documentation, ...) \
    template <>                                \
    inline constexpr Shape shapeOf<type>{FieldKind::word, static_cast<std::uint8_t>(WordsId::type)};
#define STRUCT(type, documentation)                                                                        \
    template <>                                                                                            \
    inline constexpr Shape shapeOf<type>{FieldKind::structure, static_cast<std::uint8_t>(StructId::type)}; \
    template <>                                                                                            \
    inline constexpr Shape shapeOf<Vector<type>>{FieldKind::structures, static_cast<std::uint8_t>(StructId::type)};
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"

constexpr FieldInfo describeField(const char* name, std::size_t offset, Shape shape, const Rule& rule) {
    FieldInfo info{};
    info.key = rule.key ? rule.key : name;
    info.offset = static_cast<std::uint16_t>(offset);
    info.kind = shape.kind;
    info.presence = rule.presence;
    info.detail = shape.detail;
    return info;
}

template <class Struct>
struct Fields;

#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) \
    template <>                     \
    struct Fields<type> {           \
        using Struct = type;        \
        static constexpr FieldInfo list[] = {
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...) describeField(#name, offsetof(Struct, name), shapeOf<type>, rule),
#define END \
    }       \
    ;       \
    }       \
    ;
#include "scene/scene.def"

constexpr StructInfo structs[] = {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) {Fields<type>::list, sizeof(type)},
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
};

constexpr const char* words[] = {
#define WORDS(type, alias, documentation, ...) #__VA_ARGS__,
#define STRUCT(type, documentation)
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
};

}  // namespace

const StructInfo& infoOf(StructId id) { return structs[static_cast<std::size_t>(id)]; }

std::string_view wordsOf(WordsId id) { return words[static_cast<std::size_t>(id)]; }

std::string_view wordAt(std::string_view words, std::size_t n) {
    for (;; --n) {
        const std::size_t comma = words.find(',');
        if (n == 0) return words.substr(0, comma);
        if (comma == std::string_view::npos) return {};
        words.remove_prefix(comma + 2);
    }
}

}  // namespace rigcast
