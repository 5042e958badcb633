// Reads .mprt files, in which Legion lists the models that a map places (cast.md section 11). The
// models are Cast files.
#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/reader.hpp"
#include "core/text.hpp"
#include "formats/cast/cast.hpp"
#include "formats/space.hpp"
#include "scene/lower.hpp"

namespace rigcast {

namespace {

constexpr std::string_view magic = "mprt", extensions[] = {"mprt"}, path = "props";
constexpr std::size_t headerSize = 12;
/// Size of a record with an empty name.
constexpr std::size_t smallestRecord = 29;
constexpr double mostNumber = 1e30;  // remains finite as a float

/// A placed model, in the space of the file.
struct Prop {
    std::string_view name;
    Vec3 position, degrees;
    double scale = 1;
    std::uint64_t offset = 0;
};

Match sniff(Bytes head, std::uint64_t size) { return size >= headerSize && asText(head).starts_with(magic) ? Match::yes : Match::no; }

Role role(Pieces&) { return Role::scene; }

/// Calls `use` for every complete record. Reports a list that is shorter than its count, and bytes
/// after it.
template <class Use>
void readProps(Bytes bytes, Diagnostics& diagnostics, const Use& use) {
    Reader reader(bytes);
    reader.skip(magic.size() + 4);  // the second field is 3, or the number of records
    const auto count = reader.read<std::uint32_t>();
    if (reader.failed()) return diagnostics.add(Code::TRUNCATED, {.offset = 0, .path = "header"});
    for (std::uint32_t i = 0; i < count; ++i) {
        Prop prop;
        prop.offset = reader.offset();
        const std::string_view rest = asText(bytes.subspan(reader.position()));
        const std::size_t length = rest.find('\0');
        if (length == std::string_view::npos || rest.size() - length < smallestRecord)
            return diagnostics.add(Code::TRUNCATED, {.offset = prop.offset, .path = path}, {"{} of {} records", {i, count}});
        prop.name = rest.substr(0, length);
        reader.skip(length + 1);
        const auto vec3 = [&] {
            const auto x = reader.read<float>(), y = reader.read<float>(), z = reader.read<float>();
            return Vec3{x, y, z};
        };
        prop.position = vec3();
        prop.degrees = vec3();
        prop.scale = double{reader.read<float>()};
        if (!use(prop)) return;
    }
    if (reader.remaining() > 0) diagnostics.add(Code::TRAILING_BYTES, {.offset = reader.offset()}, {"{} bytes", {reader.remaining()}});
}

/// The instances of one model.
struct Set {
    StringId name = 0;
    Vector<PlacedFile> placed;
};

ReadResult read(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    if (scene.nodes.empty()) scene.nodes.emplace_back();
    FileSpace space;
    space.upAxis = 'z';
    for (const char* name : {"upAxis", "unit"})
        if (const Value* value = input.option("cast", name)) space.take(name, *value);
    space.applyTo(scene);
    scene.asset.properties.push_back({"sceneRoot", "_models"});
    Vector<Set> sets;  // sorted by their first instance
    StringTable names;
    readProps(input.bytes, diagnostics, [&](const Prop& prop) {
        if (!Budget::affords(sizeof(Set) + 4 * sizeof(PlacedFile) + 4 * prop.name.size() + 256)) return false;
        const Location where{.offset = prop.offset, .path = path};
        std::string name(prop.name);
        if (!isValidUtf8(prop.name)) {
            diagnostics.add(Code::NAME_DAMAGED, where, "not UTF-8, read as Windows-1252");
            name = fromWindows1252(prop.name);
        }
        if (name.empty()) {
            diagnostics.add(Code::INSTANCE_WITHOUT_FILE, where);
            return true;
        }
        PlacedFile placed;
        const auto isSound = [](const Vec3& v) { return isFinite(v) && length(v) < mostNumber; };
        if (!isSound(prop.position) || !isSound(prop.degrees) || !isSound({prop.scale, 0, 0})) {
            diagnostics.add(Code::NON_FINITE, where, name);
            return true;
        }
        const auto& [roll, pitch, yaw] = prop.degrees;
        placed.transform = {
            prop.position, rotationAbout(2, yaw) * rotationAbout(1, pitch) * rotationAbout(0, roll), {prop.scale, prop.scale, prop.scale}};
        placed.name = scene.strings.intern(name);
        const StringId set = names.intern(lowerAscii(name));
        if (set == sets.size()) sets.push_back({placed.name, {}});
        sets[set].placed.push_back(placed);
        return true;
    });
    for (const Set& set : sets) {
        const std::string& name = scene.strings[set.name];
        if (!addInstances(scene, arena, formatted("{}/{}_LOD0.cast", {name, name}), set.placed)) break;
    }
    if (sets.empty()) diagnostics.add(Code::MISSING_CHUNK, {.offset = 0, .path = path}, "no model is placed");
    return {!sets.empty(), {}};
}

OutlineResult outline(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    readProps(input.bytes, diagnostics, [&](const Prop& prop) {
        if (!Budget::affords(sizeof(OutlineNode) + sizeof(OutlineField) + prop.name.size() + 256)) return false;
        OutlineNode node;
        node.kind = "prop";
        node.name = repairUtf8(prop.name);
        node.isNamed = true;
        node.offset = prop.offset;
        node.size = prop.name.size() + smallestRecord;
        node.fields.push_back({"transform", "float", 7, prop.offset + prop.name.size() + 1, 28});
        outline.push_back(std::move(node));
        return true;
    });
    return {};
}

}  // namespace

const Format mprtFormat = {.id = "mprt",
                           .family = "cast",
                           .name = "MPRT",
                           .label = "Legion map list",
                           .extensions = extensions,
                           .sniff = sniff,
                           .role = role,
                           .keepsFileSpace = true};
const FormatReader mprtReader = {.read = read, .outline = outline};

}  // namespace rigcast
