#include "scene/describe.hpp"

#include <rapidjson/writer.h>

#include <cmath>
#include <cstring>

#include "core/number.hpp"
#include "core/vector.hpp"

namespace rigcast {

namespace {

/// What RapidJSON writes to: text that is handed out as it is.
struct Buffer {
    using Ch = char;
    std::string text;
    void Put(char unit) { text.push_back(unit); }
    void Flush() {}
};
using JsonWriter = rapidjson::Writer<Buffer, rapidjson::UTF8<>, rapidjson::UTF8<>, rapidjson::CrtAllocator, rapidjson::kWriteNanAndInfFlag>;

/// Writes members with commas and quotes left to RapidJSON. Non-finite numbers become null: JSON has none.
class Json {
public:
    explicit Json(Buffer& buffer) : writer_(buffer) {}

    void beginObject() { writer_.StartObject(); }
    void endObject() { writer_.EndObject(); }
    void beginArray() { writer_.StartArray(); }
    void endArray() { writer_.EndArray(); }
    // Names of members are plain C strings: a pointer is a third of the code of a string_view, two hundred times.
    void key(const char* name) { writer_.Key(name, static_cast<rapidjson::SizeType>(std::strlen(name))); }
    void key(const std::string& name) { writer_.Key(name.data(), static_cast<rapidjson::SizeType>(name.size())); }
    void null() { writer_.Null(); }
    void put(std::string_view text) { writer_.String(text.data(), static_cast<rapidjson::SizeType>(text.size())); }
    void put(const std::string& text) { put(std::string_view(text)); }
    void put(const char* text) { put(std::string_view(text)); }
    void put(bool value) { writer_.Bool(value); }
    /// Counts and sizes are below 2^53.
    template <class Number>
    requires std::is_arithmetic_v<Number>
    void put(Number value) { put(static_cast<double>(value)); }
    void put(double value) {
        if (!std::isfinite(value)) return null();
        const NumberText number(value);
        writer_.RawValue(number.view().data(), number.view().size(), rapidjson::kNumberType);
    }

    template <class T>
    void member(const char* name, const T& value) {
        key(name);
        put(value);
    }
    void text(const char* name, const std::string& value) {
        if (!value.empty()) member(name, value);
    }
    void index(const char* name, std::uint32_t value) {
        if (value != none) member(name, value);
    }
    template <class T>
    void numbers(const char* name, const T* values, std::size_t count) {
        key(name);
        beginArray();
        for (std::size_t i = 0; i < count; ++i) put(values[i]);
        endArray();
    }
    template <class T>
    void column(const char* name, const Column<T>& column, const char* type) {
        if (!column.present()) return;
        key(name);
        put(column, type);
    }
    template <class T>
    void put(const Column<T>& column, const char* type) {
        beginArray();
        put(column.block);
        put(type);
        put(column.offset);
        put(column.count);
        endArray();
    }
    void value(const Value& value) {
        switch (value.kind()) {
            case Value::Kind::null:
                return null();
            case Value::Kind::boolean:
                return put(value.asBool(false));
            case Value::Kind::number:
                return put(value.asNumber(0));
            case Value::Kind::text:
                return put(value.as<std::string>());
            case Value::Kind::list:
                beginArray();
                for (const Value& entry : value.as<Vector<Value>>()) this->value(entry);
                return endArray();
            case Value::Kind::object:
                return bag(value.as<Properties>());
        }
    }
    void properties(const char* name, const Properties& properties) {
        if (properties.empty()) return;
        key(name);
        bag(properties);
    }

private:
    void bag(const Properties& members) {
        beginObject();
        for (const Property& member : members) {
            key(member.name);
            value(member.value);
        }
        endObject();
    }

    JsonWriter writer_;
};

constexpr const char* topologyNames[] = {"triangles", "strands"};
constexpr const char* skinningNames[] = {"linear", "dualQuaternion"};
constexpr const char* alphaNames[] = {"opaque", "mask", "blend", "add", "multiply"};
constexpr const char* sideNames[] = {"front", "back", "both"};
constexpr const char* wrapNames[] = {"repeat", "clamp", "mirror"};
constexpr const char* filterNames[] = {"nearest", "linear", "trilinear"};
constexpr const char* modeNames[] = {"absolute", "relative", "additive", "delta"};
constexpr const char* lightNames[] = {"directional", "point", "spot", "rectangle", "disc"};
constexpr const char* scaleInheritanceNames[] = {"matrix", "axes"};

template <class Enum, std::size_t n>
const char* nameIn(const char* const (&names)[n], Enum value) {
    return names[static_cast<std::size_t>(value)];
}

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

/// Columns of a list of structs, made of what lies at the same place in each: `first` is the one of the first entry. One loop a kind
/// instead of one a member. Absent where the arena's budget is spent.
class Table {
public:
    template <class Row>
    Table(Json& json, Arena& arena, std::uint32_t block, const Vector<Row>& rows)
        : json_(json), arena_(arena), block_(block), count_(rows.size()), stride_(sizeof(Row)) {}

    /// Numbers and enumerations of one or four bytes.
    template <class T>
    void column(const char* name, const T& first) {
        static_assert(sizeof(T) == 1 || sizeof(T) == 4);
        const bool isFloat = std::is_same_v<T, float>, isSigned = std::is_same_v<T, std::int32_t>;
        copy(name, sizeof(T) == 1 ? "u8" : isFloat ? "f32" : isSigned ? "i32" : "u32", &first, sizeof(T));
    }
    /// `components` doubles, as floats.
    void floats(const char* name, const double& first, std::size_t components) {
        const auto made = arena_.allocate<float>(block_, count_ * components);
        for (std::size_t i = 0; i < made.values.size(); ++i)
            made.values[i] = static_cast<float>(*at<double>(&first + i % components, i / components));
        json_.column(name, made.column, "f32");
    }
    /// Where columns lie in their block, `none` for those absent.
    template <class T>
    void offsets(const char* name, const Column<T>& first) {
        const auto made = arena_.allocate<std::uint32_t>(block_, count_);
        for (std::size_t i = 0; i < made.values.size(); ++i) {
            const auto* column = at<Column<T>>(&first, i);
            made.values[i] = column->present() ? column->offset : none;
        }
        json_.column(name, made.column, "u32");
    }

private:
    template <class T>
    const T* at(const void* first, std::size_t row) const {
        return reinterpret_cast<const T*>(static_cast<const std::byte*>(first) + row * stride_);
    }
    void copy(const char* name, const char* type, const void* first, std::size_t size) {
        auto made = arena_.allocate<std::uint8_t>(block_, count_ * size);  // every column begins at a multiple of 8
        if (!made) return;
        made.column.count = static_cast<std::uint32_t>(count_);
        for (std::size_t i = 0; i < count_; ++i) {
            if (size == 1)
                made.values[i] = *at<std::uint8_t>(first, i);
            else
                std::memcpy(&made.values[i * 4], at<std::byte>(first, i), 4);
        }
        json_.column(name, made.column, type);
    }

    Json& json_;
    Arena& arena_;
    std::uint32_t block_;
    std::size_t count_, stride_;
};

enum NodeFlag : std::uint8_t { isVisible = 1, compensatesScale = 2 };

void writeNodes(Json& json, const Scene& scene, Arena& arena) {
    const auto& nodes = scene.nodes;
    const std::size_t count = nodes.size();
    const std::uint32_t block = arena.addBlock();
    json.key("nodes");
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
    json.column("flags", flags.column, "u8");
    json.key("properties");
    json.beginObject();
    for (std::size_t i = 0; i < count; ++i)
        if (!nodes[i].properties.empty()) json.properties(formatted("{}", {i}).c_str(), nodes[i].properties);
    json.endObject();
    json.endObject();
}

void writeMesh(Json& json, const Mesh& mesh) {
    json.beginObject();
    json.member("name", mesh.name);
    json.member("topology", nameIn(topologyNames, mesh.topology));
    json.member("vertexCount", mesh.vertexCount);
    json.column("positions", mesh.positions, "f32");
    json.column("normals", mesh.normals, "f32");
    json.column("tangents", mesh.tangents, "f32");
    json.key("uvs");
    json.beginArray();
    for (const auto& uv : mesh.uvs) json.put(uv, "f32");
    json.endArray();
    json.key("colors");
    json.beginArray();
    for (const ColorLayer& layer : mesh.colors) {
        json.beginObject();
        json.text("name", layer.name);
        json.column("values", layer.bytes, "u8");
        json.column("values", layer.floats, "f32");
        json.endObject();
    }
    json.endArray();
    json.member("colorsAreMaterial", mesh.colorsAreMaterial);
    json.column("joints", mesh.joints, "u16");
    json.column("weights", mesh.weights, "f32");
    json.column("influenceOffsets", mesh.influenceOffsets, "u32");
    json.column("influenceJoints", mesh.influenceJoints, "u16");
    json.column("influenceWeights", mesh.influenceWeights, "f32");
    json.member("maxInfluences", mesh.maxInfluences);
    json.member("skinning", nameIn(skinningNames, mesh.skinning));
    json.column("indices", mesh.indices16, "u16");
    json.column("indices", mesh.indices32, "u32");
    json.column("strandOffsets", mesh.strandOffsets, "u32");
    json.column("sourceVertices", mesh.sourceVertices, "u32");
    json.member("sourceVertexCount", mesh.sourceVertexCount);
    json.key("groups");
    json.beginArray();
    for (const Group& group : mesh.groups) {
        json.beginObject();
        json.member("start", group.start);
        json.member("count", group.count);
        json.index("material", group.material);
        json.endObject();
    }
    json.endArray();
    json.key("morphs");
    json.beginArray();
    for (const MorphTarget& morph : mesh.morphs) {
        json.beginObject();
        json.member("name", morph.name);
        json.column("vertices", morph.vertices, "u32");
        json.column("positions", morph.positions, "f32");
        json.column("normals", morph.normals, "f32");
        json.member("maximum", morph.maximum);
        json.properties("properties", morph.properties);
        json.endObject();
    }
    json.endArray();
    json.numbers("min", mesh.min, 3);
    json.numbers("max", mesh.max, 3);
    json.numbers("center", mesh.center, 3);
    json.member("radius", mesh.radius);
    json.properties("properties", mesh.properties);
    json.endObject();
}

void writeMaterial(Json& json, const Material& material) {
    json.beginObject();
    json.member("name", material.name);
    json.member("model", material.model);
    json.numbers("color", material.color, 4);
    json.numbers("emissive", material.emissive, 3);
    json.member("metalness", material.metalness);
    json.member("roughness", material.roughness);
    json.member("alphaMode", nameIn(alphaNames, material.alphaMode));
    json.member("alphaCutoff", material.alphaCutoff);
    if (material.depthWrite) json.member("depthWrite", true);
    json.member("side", nameIn(sideNames, material.side));
    json.member("visible", material.visible);
    json.member("renderOrder", material.renderOrder);
    json.key("slots");
    json.beginArray();
    for (const MaterialSlot& slot : material.slots) {
        json.beginObject();
        json.member("slot", slot.slot);
        json.member("source", slot.source);
        json.index("texture", slot.texture);
        if (slot.hasColor) json.numbers("color", slot.color, 4);
        json.endObject();
    }
    json.endArray();
    json.properties("properties", material.properties);
    json.endObject();
}

/// The tracks of a clip as a table in the clip's own block: one row a track; times, values ... are byte offsets in that block.
void writeTracks(Json& json, const Clip& clip, Arena& arena) {
    json.key("tracks");
    json.beginObject();
    json.member("count", static_cast<std::uint32_t>(clip.tracks.size()));
    if (!clip.tracks.empty()) {
        json.member("block", clip.block);
        Table table(json, arena, clip.block, clip.tracks);
        const Track& first = clip.tracks[0];
        table.column("targets", first.target);
        table.column("properties", first.property);
        table.column("occurrences", first.occurrence);
        table.column("nodes", first.node);
        table.column("keyCounts", first.times.count);
        table.offsets("times", first.times);
        table.offsets("values", first.values);
        table.offsets("kinds", first.kinds);
        table.offsets("tangents", first.tangents);
        table.offsets("weights", first.weights);
        table.column("blendWeights", first.blendWeight);
        table.column("paths", first.path);
        table.column("components", first.component);
        table.column("interpolations", first.interpolation);
        table.column("modes", first.mode);
        table.column("befores", first.before);
        table.column("afters", first.after);
    }
    json.endObject();
}

void writeClip(Json& json, const Clip& clip, Arena& arena) {
    json.beginObject();
    json.member("name", clip.name);
    json.member("start", clip.start);
    json.member("duration", clip.duration);
    json.member("frameRate", clip.frameRate);
    json.member("frameCount", clip.frameCount);
    json.member("loop", clip.loop);
    writeTracks(json, clip, arena);
    if (!clip.events.empty()) {
        Table table(json, arena, clip.block, clip.events);
        table.column("eventTimes", clip.events[0].time);
        table.column("eventNames", clip.events[0].name);
    }
    json.key("overrides");
    json.beginArray();
    for (const ModeOverride& entry : clip.overrides) {
        json.beginObject();
        json.member("node", entry.node);
        json.member("mode", nameIn(modeNames, entry.mode));
        json.member("translation", entry.translation);
        json.member("rotation", entry.rotation);
        json.member("scale", entry.scale);
        json.member("includesNode", entry.includesNode);
        json.endObject();
    }
    json.endArray();
    json.properties("properties", clip.properties);
    json.endObject();
}

template <class List, class Write>
void writeList(Json& json, const char* name, const List& list, Write write) {
    json.key(name);
    json.beginArray();
    for (const auto& entry : list) write(entry);
    json.endArray();
}

void writeScene(Json& json, const Scene& scene, Arena& arena) {
    json.beginObject();
    json.key("asset");
    json.beginObject();
    json.member("name", scene.asset.name);
    json.text("generator", scene.asset.generator);
    json.text("author", scene.asset.author);
    json.text("copyright", scene.asset.copyright);
    json.text("upAxis", scene.asset.upAxis);
    json.member("metresPerUnit", scene.asset.metresPerUnit);
    json.properties("properties", scene.asset.properties);
    json.endObject();
    json.key("hints");
    json.beginObject();
    if (scene.hints.namedMaterials) json.member("namedMaterials", true);
    if (scene.hints.directXNormals) json.member("directXNormals", true);
    if (scene.hints.morphNormals) json.member("morphNormals", true);
    if (scene.hints.dualQuaternionScale) json.member("dualQuaternionScale", true);
    json.endObject();
    json.member("scaleInheritance", nameIn(scaleInheritanceNames, scene.scaleInheritance));
    writeList(json, "strings", scene.strings.list(), [&](const std::string& text) { json.put(text); });
    writeNodes(json, scene, arena);
    writeList(json, "meshes", scene.meshes, [&](const Mesh& mesh) { writeMesh(json, mesh); });
    writeList(json, "renderers", scene.renderers, [&](const Renderer& renderer) {
        json.beginObject();
        json.member("name", renderer.name);
        json.member("node", renderer.node);
        json.member("mesh", renderer.mesh);
        json.index("skin", renderer.skin);
        if (!renderer.materials.empty()) {
            json.key("materials");
            json.beginArray();
            for (const std::uint32_t material : renderer.materials)
                json.put(material == none ? std::int32_t{-1} : static_cast<std::int32_t>(material));
            json.endArray();
        }
        json.member("visible", renderer.visible);
        json.properties("properties", renderer.properties);
        json.endObject();
    });
    writeList(json, "skins", scene.skins, [&](const Skin& skin) {
        json.beginObject();
        json.member("name", skin.name);
        json.column("joints", skin.joints, "u32");
        json.column("inverseBindMatrices", skin.inverseBindMatrices, "f32");
        json.column("jointBoxes", skin.jointBoxes, "f32");
        json.index("skeletonRoot", skin.skeletonRoot);
        json.endObject();
    });
    writeList(json, "materials", scene.materials, [&](const Material& material) { writeMaterial(json, material); });
    writeList(json, "textures", scene.textures, [&](const Texture& texture) {
        json.beginObject();
        json.member("name", texture.name);
        json.index("image", texture.image);
        json.member("wrapU", nameIn(wrapNames, texture.wrapU));
        json.member("wrapV", nameIn(wrapNames, texture.wrapV));
        json.member("filter", nameIn(filterNames, texture.filter));
        json.numbers("offset", texture.offset, 2);
        json.numbers("scale", texture.scale, 2);
        json.member("uvSet", texture.uvSet);
        json.member("srgb", texture.srgb);
        json.properties("properties", texture.properties);
        json.endObject();
    });
    writeList(json, "images", scene.images, [&](const Image& image) {
        json.beginObject();
        json.member("name", image.name);
        json.text("mimeType", image.mimeType);
        json.column("bytes", image.bytes, "u8");
        json.text("path", image.path);
        json.endObject();
    });
    writeList(json, "clips", scene.clips, [&](const Clip& clip) { writeClip(json, clip, arena); });
    writeList(json, "lights", scene.lights, [&](const Light& light) {
        json.beginObject();
        json.member("name", light.name);
        json.member("node", light.node);
        json.member("type", nameIn(lightNames, light.type));
        json.numbers("color", light.color, 3);
        json.member("intensity", light.intensity);
        json.member("range", light.range);
        json.member("innerAngle", light.innerAngle);
        json.member("outerAngle", light.outerAngle);
        json.numbers("size", light.size, 2);
        json.member("castShadow", light.castShadow);
        json.member("enabled", light.enabled);
        json.properties("properties", light.properties);
        json.endObject();
    });
    writeList(json, "cameras", scene.cameras, [&](const Camera& camera) {
        json.beginObject();
        json.member("name", camera.name);
        json.member("node", camera.node);
        json.member("verticalFov", camera.verticalFov);
        json.member("aspect", camera.aspect);
        json.member("near", camera.near);
        json.member("far", camera.far);
        json.properties("properties", camera.properties);
        json.endObject();
    });
    writeList(json, "instances", scene.instances, [&](const InstanceSet& set) {
        json.beginObject();
        json.index("reference", set.reference);
        json.member("node", set.node);
        json.column("transforms", set.transforms, "f32");
        json.column("names", set.names, "u32");
        json.endObject();
    });
    writeList(json, "features", scene.features, [&](const Feature& feature) {
        json.beginObject();
        json.member("kind", feature.kind);
        json.text("name", feature.name);
        json.index("node", feature.node);
        json.properties("properties", feature.properties);
        json.index("same", feature.same);
        json.endObject();
    });
    writeList(json, "expressions", scene.expressions, [&](const Expression& expression) {
        json.beginObject();
        json.member("name", expression.name);
        json.text("preset", expression.preset);
        writeList(json, "bindings", expression.bindings, [&](const ExpressionBinding& binding) {
            json.beginObject();
            json.member("renderer", binding.renderer);
            json.member("morph", binding.morph);
            json.member("weight", binding.weight);
            json.endObject();
        });
        json.endObject();
    });
    json.endObject();
}

void writeReferences(Json& json, std::span<const Reference> references) {
    writeList(json, "references", references, [&](const Reference& reference) {
        json.beginObject();
        json.member("kind", reference.kind);
        json.member("name", reference.name);
        json.member("required", reference.required);
        json.member("supplied", reference.supplied);
        json.properties("properties", reference.properties);
        json.endObject();
    });
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
        if (field.expanded) json.column("expanded", arena.copy(arena.addBlock(), std::span<const std::uint8_t>(*field.expanded)), "u8");
        json.endObject();
    });
    writeList(json, "children", node.children, [&](const OutlineNode& child) { writeOutlineNode(json, child, arena); });
    json.endObject();
}

}  // namespace

std::string describe(const Scene* scene, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                     std::string_view format, std::string_view version) {
    Buffer buffer;
    Json json(buffer);
    json.beginObject();
    json.member("format", format);
    json.member("version", version);
    json.key("scene");
    if (scene)
        writeScene(json, *scene, arena);
    else
        json.null();
    writeReferences(json, references);
    writeReport(json, diagnostics);
    json.endObject();
    return std::move(buffer.text);
}

std::string describeOutline(const Outline& outline, std::span<const Reference> references, Arena& arena, const Diagnostics& diagnostics,
                            std::string_view format, std::string_view version) {
    Buffer buffer;
    Json json(buffer);
    json.beginObject();
    json.member("format", format);
    json.member("version", version);
    writeList(json, "outline", outline, [&](const OutlineNode& node) { writeOutlineNode(json, node, arena); });
    writeReferences(json, references);
    writeReport(json, diagnostics);
    json.endObject();
    return std::move(buffer.text);
}

}  // namespace rigcast
