#include "scene/describe.hpp"

#include <cstring>

#include "core/number.hpp"
#include "core/vector.hpp"
#include "scene/descriptionText.hpp"
#include "scene/schema.hpp"

namespace rigcast {

namespace {

void writeReport(Json& json, const Diagnostics& diagnostics) {
    json.key("report");
    json.beginObject();
    json.member("errors", diagnostics.total(Severity::error));
    json.member("warnings", diagnostics.total(Severity::warning));
    json.member("infos", diagnostics.total(Severity::info));
    json.member("truncated", diagnostics.truncated());
    json.key("items");
    json.beginArray();
    for (const Finding& finding : diagnostics.findings()) {
        json.beginObject();
        json.member("code", infoOf(finding.code).name);
        json.member("severity", nameOf(finding.severity));
        json.key("offset");
        if (finding.offset)
            json.put(*finding.offset);
        else
            json.null();
        json.member("path", finding.path);
        json.member("detail", finding.detail);
        json.member("count", finding.count);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

template <class Entries, class Write>
void writeList(Json& json, const char* name, const Entries& list, Write write) {
    json.key(name);
    json.beginArray();
    for (const auto& entry : list) write(entry);
    json.endArray();
}

template <class T>
const T& as(const void* memory) {
    return *static_cast<const T*>(memory);
}

/// Writes a list of structs as a table with one column per field. `first`, a parameter of its
/// functions, is the field in the first struct. Omits columns that exceed the budget.
class Table {
public:
    template <class Row>
    Table(Json& json, Arena& arena, std::uint32_t block, const Vector<Row>& rows)
        : json_(json), arena_(arena), block_(block), count_(rows.size()), stride_(sizeof(Row)) {}

    /// Writes the column of a field with a size of one or four bytes: an integer, a float or an
    /// enumeration.
    void column(const char* name, NumberType type, const void* first) {
        const std::size_t size = type == NumberType::u8 ? 1 : 4;
        // Columns start at offsets that are multiples of 8.
        auto made = arena_.allocate<std::uint8_t>(block_, count_ * size);
        if (!made) return;
        made.column.count = static_cast<std::uint32_t>(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (size == 1)
                made.values[i] = as<std::uint8_t>(at(first, i));
            else
                std::memcpy(&made.values[i * 4], at(first, i), 4);
        }
        json_.column(name, positionOf(&made.column), type);
    }
    template <class T>
    void column(const char* name, const T& first) {
        column(name, numberTypeOf<T>, &first);
    }
    /// Writes a field of `components` doubles as floats.
    void floats(const char* name, const double& first, std::size_t components) {
        const auto made = arena_.allocate<float>(block_, count_ * components);
        for (std::size_t i = 0; i < made.values.size(); ++i)
            made.values[i] = static_cast<float>(as<double>(at(&first + i % components, i / components)));
        json_.column(name, made.column);
    }
    /// Writes the offset of a column in its block, or `none` if the column is absent.
    void offsets(const char* name, const void* first) {
        const auto made = arena_.allocate<std::uint32_t>(block_, count_);
        for (std::size_t i = 0; i < made.values.size(); ++i) {
            const ColumnPosition position = positionOf(at(first, i));
            made.values[i] = position.block == none ? none : position.offset;
        }
        json_.column(name, made.column);
    }

private:
    const void* at(const void* first, std::size_t row) const { return static_cast<const std::byte*>(first) + row * stride_; }

    Json& json_;
    Arena& arena_;
    std::uint32_t block_;
    std::size_t count_, stride_;
};

enum NodeFlag : std::uint8_t { isVisible = 1, compensatesScale = 2 };

void writeNodes(Json& json, const Vector<Node>& nodes, Arena& arena) {
    const std::size_t count = nodes.size();
    const std::uint32_t block = arena.addBlock();
    json.beginObject();
    json.member("count", static_cast<std::uint32_t>(count));
    Table table(json, arena, block, nodes);
    const Node unused;
    const Node& first = count ? nodes[0] : unused;
    table.column("names", first.name);
    table.column("parents", first.parent);
    table.floats("translations", first.local.translation.x, 3);
    table.floats("rotations", first.local.rotation.x, 4);
    table.floats("scales", first.local.scale.x, 3);
    table.column("bones", first.bone);
    const auto flags = arena.allocate<std::uint8_t>(block, count);
    for (std::size_t i = 0; i < flags.values.size(); ++i)
        flags.values[i] = (nodes[i].visible ? isVisible : 0) | (nodes[i].segmentScaleCompensate ? compensatesScale : 0);
    json.column("flags", flags.column);
    json.key("properties");
    json.beginObject();
    for (std::size_t i = 0; i < count; ++i)
        if (!nodes[i].properties.empty()) json.properties(formatted("{}", {i}).c_str(), nodes[i].properties);
    json.endObject();
    json.endObject();
}

/// Writes a table with one row per track to the block of the clip. The table contains times and
/// values as byte offsets in that block.
void writeTracks(Json& json, const Vector<Track>& tracks, std::uint32_t block, Arena& arena) {
    json.beginObject();
    json.member("count", static_cast<std::uint32_t>(tracks.size()));
    if (!tracks.empty()) {
        json.member("block", block);
        Table table(json, arena, block, tracks);
        for (const FieldInfo& field : infoOf(StructId::Track).fields) {
            const void* first = reinterpret_cast<const std::byte*>(tracks.data()) + field.offset;
            if (field.presence == schema::Presence::keyTimes) table.column("keyCounts", tracks[0].times.count);
            if (field.kind == FieldKind::column)
                table.offsets(field.key, first);
            else
                table.column(field.key, typeOf(field.kind), first);
        }
    }
    json.endObject();
}

/// Writes the structs of a scene as JSON, as declared in scene.def.
class SceneWriter {
public:
    SceneWriter(Json& json, Arena& arena) : json_(json), arena_(arena) {}

    void write(StructId id, const void* object) {
        bool isThere = true;
        json_.beginObject();
        for (const FieldInfo& field : infoOf(id).fields) {
            const void* value = static_cast<const std::byte*>(object) + field.offset;
            if (field.presence == schema::Presence::ownBlock) block_ = as<std::uint32_t>(value);
            if (field.presence <= schema::Presence::keyTimes && isThere) write(field, value);
            isThere = field.presence != schema::Presence::announces || as<bool>(value);
        }
        json_.endObject();
    }

private:
    void write(const FieldInfo& field, const void* value) {
        const char* name = field.key;
        const bool isOptional = field.presence == schema::Presence::optional;
        switch (field.kind) {
            case FieldKind::text:
                if (!isOptional || !as<std::string>(value).empty()) json_.member(name, as<std::string>(value));
                break;
            case FieldKind::boolean:
                if (!isOptional || as<bool>(value)) json_.member(name, as<bool>(value));
                break;
            case FieldKind::byte:
                json_.member(name, as<std::uint8_t>(value));
                break;
            case FieldKind::unsignedInteger:
                if (!isOptional || as<std::uint32_t>(value) != none) json_.member(name, as<std::uint32_t>(value));
                break;
            case FieldKind::integer:
                json_.member(name, as<std::int32_t>(value));
                break;
            case FieldKind::number:
                json_.member(name, as<float>(value));
                break;
            case FieldKind::bigNumber:
                json_.member(name, as<double>(value));
                break;
            case FieldKind::numbers:
                json_.numbers(name, static_cast<const float*>(value), field.detail);
                break;
            case FieldKind::bigNumbers:
                json_.numbers(name, static_cast<const double*>(value), field.detail);
                break;
            case FieldKind::word:
                json_.member(name, wordAt(wordsOf(static_cast<WordsId>(field.detail)), as<std::uint8_t>(value)));
                break;
            case FieldKind::column:
                json_.column(name, positionOf(value), static_cast<NumberType>(field.detail));
                break;
            case FieldKind::columns:
                writeList(json_, name, as<Vector<Column<float>>>(value),
                          [&](const Column<float>& column) { json_.put(positionOf(&column), NumberType::f32); });
                break;
            case FieldKind::indices:  // -1: no index
                if (as<Vector<std::uint32_t>>(value).empty()) break;
                writeList(json_, name, as<Vector<std::uint32_t>>(value),
                          [&](std::uint32_t index) { json_.put(static_cast<std::int32_t>(index)); });
                break;
            case FieldKind::properties:
                json_.properties(name, as<Properties>(value));
                break;
            case FieldKind::strings:
                writeList(json_, name, as<StringTable>(value).list(), [&](const std::string& text) { json_.put(text); });
                break;
            case FieldKind::structure:
                json_.key(name);
                write(static_cast<StructId>(field.detail), value);
                break;
            case FieldKind::structures:
                writeStructs(name, static_cast<StructId>(field.detail), value);
                break;
            case FieldKind::transform:
                break;
        }
    }

    void writeStructs(const char* name, StructId id, const void* list) {
        if (id == StructId::Event) return writeEvents(as<Vector<Event>>(list));
        json_.key(name);
        if (id == StructId::Node) return writeNodes(json_, as<Vector<Node>>(list), arena_);
        if (id == StructId::Track) return writeTracks(json_, as<Vector<Track>>(list), block_, arena_);
        json_.beginArray();
        const std::span<const std::byte> bytes = as<VectorMemory>(list).bytes();
        for (std::size_t i = 0; i < bytes.size(); i += infoOf(id).size) write(id, &bytes[i]);
        json_.endArray();
    }

    void writeEvents(const Vector<Event>& events) {
        if (events.empty()) return;
        Table table(json_, arena_, block_, events);
        table.column("eventTimes", events[0].time);
        table.column("eventNames", events[0].name);
    }

    Json& json_;
    Arena& arena_;
    std::uint32_t block_ = none;  // block of the current clip
};

void writeReferences(Json& json, std::span<const Reference> references, Arena& arena) {
    writeList(json, "references", references,
              [&](const Reference& reference) { SceneWriter(json, arena).write(StructId::Reference, &reference); });
}

void writeOutlineNode(Json& json, const OutlineNode& node, Arena& arena) {
    json.beginObject();
    json.member("kind", node.kind);
    if (node.isNamed || !node.name.empty()) json.member("name", node.name);
    json.text("id", node.id);
    json.text("hash", node.hash);
    json.member("offset", node.offset);
    json.member("size", node.size);
    writeList(json, "fields", node.fields, [&](const OutlineField& field) {
        json.beginObject();
        json.member("name", field.name);
        json.member("type", field.type);
        json.member("count", field.count);
        json.member("offset", field.offset);
        json.member("byteLength", field.byteLength);
        if (!field.value.isNull()) {
            json.key("value");
            json.value(field.value);
        }
        if (field.expanded) json.column("expanded", arena.copy(arena.addBlock(), std::span<const std::uint8_t>(*field.expanded)));
        json.endObject();
    });
    writeList(json, "children", node.children, [&](const OutlineNode& child) { writeOutlineNode(json, child, arena); });
    json.endObject();
}

}  // namespace

std::string describe(const Scene* scene, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                     std::string_view format, std::string_view version) {
    TextSink buffer;
    Json json(buffer);
    json.beginObject();
    json.member("format", format);
    json.member("version", version);
    json.key("scene");
    if (scene)
        SceneWriter(json, arena).write(StructId::Scene, scene);
    else
        json.null();
    writeReferences(json, references, arena);
    writeReport(json, diagnostics);
    json.endObject();
    return std::move(buffer.text);
}

std::string describeOutline(const Outline& outline, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                            std::string_view format, std::string_view version) {
    TextSink buffer;
    Json json(buffer);
    json.beginObject();
    json.member("format", format);
    json.member("version", version);
    writeList(json, "outline", outline, [&](const OutlineNode& node) { writeOutlineNode(json, node, arena); });
    writeReferences(json, references, arena);
    writeReport(json, diagnostics);
    json.endObject();
    return std::move(buffer.text);
}

}  // namespace rigcast
