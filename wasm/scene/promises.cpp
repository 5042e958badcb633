#include "scene/promises.hpp"

#include "core/text.hpp"

namespace rigcast {

namespace {

using namespace schema;  // NOLINT: the rules have the same names as in scene.def

struct FieldPromise {
    const char* name;
    Rule rule;
};

template <class Struct>
struct PromisesOf;

#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) \
    template <>                     \
    struct PromisesOf<type> {       \
        static constexpr FieldPromise list[] = {
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...) {#name, rule},
#define END \
    }       \
    ;       \
    }       \
    ;
#include "scene/scene.def"

/// The rules of all fields, per struct.
constexpr const FieldPromise* promises[] = {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) PromisesOf<type>::list,
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
};

/// Returns the number of rows that the columns of a struct must have. If the struct does not
/// declare it, returns `ofOwner`, the number of rows of its owner.
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation)                                                    \
    std::uint64_t rowsOf([[maybe_unused]] const type& object, std::uint64_t ofOwner) { \
        std::uint64_t count = ofOwner;
#define ROWS(field) count = object.field;
#define FIELD(type, name, rule, documentation, ...)
#define END       \
    return count; \
    }
#include "scene/scene.def"

std::uint64_t rowsOf(StructId id, const void* object, std::uint64_t ofOwner) {
    switch (id) {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) \
    case StructId::type:            \
        return rowsOf(*static_cast<const type*>(object), ofOwner);
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
    }
    return ofOwner;
}

template <class T>
const T& as(const void* memory) {
    return *static_cast<const T*>(memory);
}

/// Returns a non-zero value if a float is infinite or NaN. Tests the bits, so that compilers can
/// vectorise loops.
std::uint32_t notFinite(float value) { return (bitCast<std::uint32_t>(value) & 0x7F800000u) == 0x7F800000u; }

constexpr int deepest = 64;  // maximum nesting depth of properties

}  // namespace

std::string PathPart::text() const {
    std::string out = owner ? owner->text() + "." : std::string();
    out += list;
    if (index != none) out += "[" + std::to_string(index) + "]";
    return out;
}

void Promises::report(std::string_view member, std::string_view what) {
    if (full()) return;
    std::string line = at_ ? at_->text() : std::string();
    if (!member.empty()) line.append(line.empty() ? "" : ".").append(member);
    broken_.push_back(line.append(": ").append(what));
}

void Promises::check(StructId id, const void* object) {
    const std::uint64_t rows = rows_;
    const std::uint32_t block = block_;
    rows_ = rowsOf(id, object, rows);
    const FieldPromise* promise = promises[static_cast<std::size_t>(id)];
    for (const FieldInfo& info : infoOf(id).fields) {
        field(info, promise->name, promise->rule, static_cast<const std::byte*>(object) + info.offset);
        ++promise;
    }
    relations(id, object);
    rows_ = rows;
    block_ = block;
}

void Promises::field(const FieldInfo& info, const char* name, const Rule& rule, const void* value) {
    switch (info.kind) {
        case FieldKind::text:
            return text(name, as<std::string>(value));
        case FieldKind::unsignedInteger: {
            const std::uint32_t number = as<std::uint32_t>(value);
            if (rule.presence == Presence::ownBlock) block_ = number;
            const bool isLeftOut = rule.presence == Presence::optional && number == none;
            if (rule.list != List::anything && !isLeftOut) index(name, number, sizeOf(rule.list));
            return;
        }
        case FieldKind::number:
            return finite(name, as<float>(value));
        case FieldKind::bigNumber:  // not checked as a float, because a radius may be larger
            if (!std::isfinite(as<double>(value))) report(name, "is not finite");
            return;
        case FieldKind::numbers:
            for (const float number : std::span(static_cast<const float*>(value), info.detail))
                if (!isSmall(number)) return finite(name, number);
            return;
        case FieldKind::bigNumbers:
            for (const double number : std::span(static_cast<const double*>(value), info.detail))
                if (!isSmall(number)) return finite(name, number);
            return;
        case FieldKind::word:
            if (wordAt(wordsOf(static_cast<WordsId>(info.detail)), as<std::uint8_t>(value)).empty()) report(name, "is not a known value");
            return;
        case FieldKind::column:
            switch (static_cast<NumberType>(info.detail)) {
                case NumberType::u8:
                    return columnField(name, rule, as<Column<std::uint8_t>>(value));
                case NumberType::u16:
                    return columnField(name, rule, as<Column<std::uint16_t>>(value));
                case NumberType::f32:
                    return columnField(name, rule, as<Column<float>>(value));
                case NumberType::u32:
                case NumberType::i32:
                    return columnField(name, rule, as<Column<std::uint32_t>>(value));
            }
            return;
        case FieldKind::columns:
            return each(name, as<Vector<Column<float>>>(value), [&](const Column<float>& data) { columnField("", rule, data); });
        case FieldKind::indices:
            return each(name, as<Vector<std::uint32_t>>(value), [&](std::uint32_t number) {
                if (number != none) index("", number, sizeOf(rule.list));
            });
        case FieldKind::properties:
            return properties(name, as<Properties>(value), 0);
        case FieldKind::strings:
            return each(name, as<StringTable>(value).list(), [&](const std::string& string) { text("", string); });
        case FieldKind::structure:
            return inside({at_, name}, [&] { check(static_cast<StructId>(info.detail), value); });
        case FieldKind::structures:
            return structs(name, static_cast<StructId>(info.detail), value);
        case FieldKind::boolean:
        case FieldKind::byte:
        case FieldKind::integer:
        case FieldKind::transform:  // checked together with its node
            return;
    }
}

void Promises::structs(const char* name, StructId id, const void* list) {
    const std::span<const std::byte> bytes = as<VectorMemory>(list).bytes();
    const std::size_t size = infoOf(id).size;
    for (std::size_t i = 0; i < bytes.size() / size && !full(); ++i) inside({at_, name, i}, [&] { check(id, &bytes[i * size]); });
}

template <class T>
void Promises::columnField(const char* name, const Rule& rule, const Column<T>& data) {
    if (rule.promise == Promise::keyed) return;  // checked together with its track
    if (rule.presence == Presence::optional && !data.present()) return;
    std::span<const T> values;
    if (!column(name, data, rule.promise == Promise::anyBlock ? data.block : block_, values)) return;
    if (rule.promise == Promise::rows && !areAsMany(name, values.size(), rows_ * rule.width)) return;
    if constexpr (std::is_same_v<T, float>)
        allFinite(name, values);
    else if (rule.list != List::anything)
        allBelow(name, values, sizeOf(rule.list));
}

void Promises::text(std::string_view member, std::string_view value) {
    if (!isValidUtf8(value)) report(member, "text is not valid UTF-8");
}

void Promises::finite(std::string_view member, double value) {
    if (!isSmall(value)) report(member, "is not finite as a float");
}

void Promises::properties(std::string_view member, const Properties& bag, int depth) {
    if (depth > deepest) return report(member, "nested deeper than 64");
    for (const Property& each : bag) {
        if (full()) return;
        text(member, each.name);
        property(member, each.value, depth + 1);
    }
}

void Promises::property(std::string_view member, const Value& value, int depth) {
    if (const auto* string = value.get<std::string>()) {
        text(member, *string);
    } else if (const auto* bag = value.get<Properties>()) {
        properties(member, *bag, depth);
    } else if (const auto* entries = value.get<Vector<Value>>()) {
        if (depth > deepest) return report(member, "nested deeper than 64");
        for (const Value& entry : *entries) {
            if (full()) return;
            property(member, entry, depth + 1);
        }
    }
}

void Promises::index(std::string_view member, std::uint64_t value, std::size_t size) {
    if (value >= size) report(member, "names entry " + std::to_string(value) + " of " + std::to_string(size));
}

bool Promises::areAsMany(std::string_view member, std::uint64_t count, std::uint64_t expected) {
    if (count == expected) return true;
    report(member, "has " + std::to_string(count) + " entries instead of " + std::to_string(expected));
    return false;
}

bool Promises::allFinite(std::string_view member, std::span<const float> values) {
    std::uint32_t bad = 0;
    for (const float value : values) bad |= notFinite(value);
    if (!bad) return true;
    std::size_t first = 0;
    while (!notFinite(values[first])) ++first;
    report(member, "entry " + std::to_string(first) + " is not finite");
    return false;
}

std::size_t Promises::sizeOf(List list) const {
    switch (list) {
        case List::nodes:
            return scene_.nodes.size();
        case List::meshes:
            return scene_.meshes.size();
        case List::renderers:
            return scene_.renderers.size();
        case List::skins:
            return scene_.skins.size();
        case List::materials:
            return scene_.materials.size();
        case List::textures:
            return scene_.textures.size();
        case List::images:
            return scene_.images.size();
        case List::features:
            return scene_.features.size();
        case List::references:
            return scene_.references.size();
        case List::strings:
            return scene_.strings.size();
        case List::anything:
            break;
    }
    return std::numeric_limits<std::size_t>::max();
}

}  // namespace rigcast
