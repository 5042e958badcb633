#include "formats/ueformat/world.hpp"

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/ueformat/outline.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::string_view worldNames[] = {"MESHES", "ACTORS"};
/// Estimated memory for the outline of an embedded model or an actor, in bytes.
constexpr std::uint64_t nodeBytes = 4000;

/// A file in a world. Actors refer to it by its hash.
struct Embedded {
    std::int32_t hash = 0;
    std::uint64_t offset = 0;
    Bytes bytes;
};

/// A placed model, in the space of the file.
struct Actor {
    std::int32_t hash = 0;
    std::string_view name;
    Vec3 position;
    Vec3 degrees;  // pitch, yaw, roll
    Vec3 scale;
};

/// Reads the next embedded file. Returns false if there is none, or if it is damaged.
bool readEmbeddedFile(Items& items, Embedded& file) {
    if (!items.next()) return false;
    file.hash = items.number<std::int32_t>();
    const std::size_t size = items.count(1);
    file.offset = items.offset();
    file.bytes = items.bytes(size);
    return items.isComplete();
}

/// Reads the next actor. Returns false if there is none, or if it is damaged.
bool readActor(Items& items, Actor& actor) {
    if (!items.next()) return false;
    actor.hash = items.number<std::int32_t>();
    actor.name = items.text();
    actor.position = items.vec3();
    actor.degrees = items.vec3();
    actor.scale = items.vec3();
    return items.isComplete();
}

std::string keyOf(std::int32_t hash) { return formatted("{}", {hash}); }

/// Returns the rotation of an actor in the space of the engine. The file contains pitch and yaw
/// negated.
Quat rotationOf(const Vec3& degrees) { return rotationAbout(2, -degrees.y) * rotationAbout(1, degrees.x) * rotationAbout(0, -degrees.z); }

class WorldBuilder {
public:
    WorldBuilder(const Document& document, Scene& scene, Arena& arena, Diagnostics& diagnostics)
        : document_(document), space_(document), scene_(scene), arena_(arena), diagnostics_(diagnostics) {}

    void run(const Vector<Part>& parts) {
        Embedded file;
        if (const Part* part = find(parts, "MESHES"))
            for (Items items(*part, document_, diagnostics_); readEmbeddedFile(items, file) && !arena_.exhausted();)
                addModel(file, items.location());
        Actor actor;
        if (const Part* part = find(parts, "ACTORS"))
            for (Items items(*part, document_, diagnostics_); readActor(items, actor) && !arena_.exhausted();)
                addActor(actor, items.location());
    }

private:
    /// Adds the mesh of the first level of detail, without skin weights. An actor that refers to an
    /// unreadable model becomes an empty node.
    void addModel(const Embedded& file, const Location& where) {
        if (!hashes_.add(keyOf(file.hash))) {
            diagnostics_.add(Code::DUPLICATE_CHUNK, where, {"model {}", {file.hash}});
            return;
        }
        meshes_.push_back(none);
        Document document;
        document.path = formatted("MESHES/{}", {file.hash});
        if (!readEmbedded(file.bytes, file.offset, modelIdentifier, document, diagnostics_)) return;
        ModelParts parts = readModelParts(document, diagnostics_);
        if (parts.lods.empty()) {
            diagnostics_.add(Code::MESH_UNUSABLE, {.offset = document.bodyOffset, .path = document.path}, "no level of detail");
            return;
        }
        Lod& lod = parts.lods.front();
        for (Part& part : lod.parts) part.isKnown &= part.name != "WEIGHTS";
        Build build{document, parts, Space(document), scene_, arena_, diagnostics_};
        build.materials = std::move(materials_);
        if (addMesh(build, lod)) {
            meshes_.back() = static_cast<std::uint32_t>(scene_.meshes.size() - 1);
            const Location header{.offset = file.offset, .path = document.path};
            if (!document.header.name.empty()) scene_.meshes.back().name = nameOf(document.header.name, header, diagnostics_);
        }
        materials_ = std::move(build.materials);
    }

    void addActor(const Actor& actor, const Location& where) {
        if (!Budget::affords(sizeof(Node) + sizeof(Renderer) + 2 * actor.name.size() + 128)) return;
        const std::string name = nameOf(actor.name, where, diagnostics_);
        const StringId model = hashes_.find(keyOf(actor.hash));
        Node node;
        node.name = scene_.strings.intern(name);
        node.parent = 0;
        node.local.translation = space_.position(repaired(actor.position, {}, where, diagnostics_));
        node.local.rotation = normalized(Space::fromEngine(rotationOf(repaired(actor.degrees, {}, where, diagnostics_))));
        node.local.scale = scaleToScene(repaired(actor.scale, {1, 1, 1}, where, diagnostics_));
        if (model == none) diagnostics_.add(Code::INDEX_RANGE, Severity::warning, where, {"{}: model {}", {name, actor.hash}});
        if (model != none && meshes_[model] != none) {
            Renderer renderer;
            renderer.name = name;
            renderer.node = static_cast<std::uint32_t>(scene_.nodes.size());
            renderer.mesh = meshes_[model];
            scene_.renderers.push_back(std::move(renderer));
        }
        scene_.nodes.push_back(std::move(node));
    }

    const Document& document_;
    Space space_;
    Scene& scene_;
    Arena& arena_;
    Diagnostics& diagnostics_;
    StringTable hashes_;            // of the embedded models, as text
    Vector<std::uint32_t> meshes_;  // mesh of each hash, or `none` if the model is unreadable
    StringTable materials_;         // as in `Build`
};

Vector<Part> readWorldParts(const Document& document, Diagnostics& diagnostics) {
    Cursor cursor = document.root();
    return readParts(cursor, document, worldNames, {}, diagnostics);
}

void outlineFiles(const Document& document, const Part& part, OutlineNode& parent, Diagnostics& diagnostics) {
    Embedded file;
    for (Items items(part, document, diagnostics); readEmbeddedFile(items, file);) {
        if (!Budget::affords(nodeBytes)) return;
        OutlineNode node;
        node.kind = "model";
        node.name = keyOf(file.hash);
        node.isNamed = true;
        node.offset = *items.location().offset;
        node.size = items.offset() - node.offset;
        Document inner;
        inner.path = part.path + "/" + node.name;
        const bool hasBody = readEmbedded(file.bytes, file.offset, modelIdentifier, inner, diagnostics);
        if (inner.bodyOffset) outlineHeader(inner, node.children);
        if (hasBody) outlineModel(inner, readModelParts(inner, diagnostics), node.children);
        parent.children.push_back(std::move(node));
    }
}

void outlineActors(const Document& document, const Part& part, OutlineNode& parent, Diagnostics& diagnostics) {
    Actor actor;
    for (Items items(part, document, diagnostics); readActor(items, actor);) {
        if (!Budget::affords(nodeBytes + actor.name.size())) return;
        OutlineNode node;
        node.kind = "actor";
        node.name = repairUtf8(actor.name);
        node.isNamed = true;
        node.offset = *items.location().offset;
        node.size = items.offset() - node.offset;
        node.fields.push_back({"model", "i32", 1, node.offset, 4, Value(actor.hash)});
        parent.children.push_back(std::move(node));
    }
}

}  // namespace

ReadResult readWorldScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, worldIdentifier, document, diagnostics);
    scene.references = document.references;
    ReadResult result{false, versionOf(document)};
    if (!hasBody) return result;
    diagnostics.add(Code::PROTOTYPE_WORLD, {.offset = 0, .path = "header"});
    Node root;
    root.name = scene.strings.intern(scene.asset.name);
    scene.nodes.push_back(std::move(root));
    scene.asset.metresPerUnit = metresPerUnit;
    scene.scaleInheritance = ScaleInheritance::axes;
    scene.hints = {.namedMaterials = true, .directXNormals = true};
    WorldBuilder(document, scene, arena, diagnostics).run(readWorldParts(document, diagnostics));
    result.hasScene = !scene.renderers.empty();
    if (!result.hasScene && !arena.exhausted())
        diagnostics.add(Code::MISSING_CHUNK, {.offset = document.bodyOffset}, "no actor with a mesh");
    return result;
}

OutlineResult outlineOfWorld(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, worldIdentifier, document, diagnostics);
    if (document.bodyOffset) outlineHeader(document, outline);
    if (!hasBody) return {versionOf(document), std::move(document.references)};
    const Vector<Part> parts = readWorldParts(document, diagnostics);
    const std::size_t first = outline.size();
    outlineParts(document, parts, outline);
    for (std::size_t i = 0; i < parts.size() && first + i < outline.size(); ++i) {
        if (parts[i].isKnown && parts[i].name == "MESHES") outlineFiles(document, parts[i], outline[first + i], diagnostics);
        if (parts[i].isKnown && parts[i].name == "ACTORS") outlineActors(document, parts[i], outline[first + i], diagnostics);
    }
    return {versionOf(document), std::move(document.references)};
}

}  // namespace rigcast::ueformat
