#include "formats/ueformat/model.hpp"

#include "core/budget.hpp"
#include "core/code.hpp"

namespace rigcast::ueformat {

namespace {

/// Adds the convex hulls of the collision as features, in scene space.
void addCollision(Build& build, const Part& part) {
    for (Items items(part, build.document, build.diagnostics); items.next();) {
        const std::string_view name = items.text();
        const Records vertices = items.records(12), indices = items.records(4);
        if (!items.isComplete()) return;
        if (!Budget::affords((vertices.size() * 3 + indices.size()) * 2 * sizeof(Value) + sizeof(Feature))) return;
        Vector<Value> positions, corners;
        bool isSound = true;
        for (std::size_t i = 0; i < vertices.size(); ++i) {
            const Vec3 at = build.space.position({vertices.get<float>(i, 0), vertices.get<float>(i, 4), vertices.get<float>(i, 8)});
            isSound &= isFinite(at);
            for (const double number : {at.x, at.y, at.z}) positions.emplace_back(number);
        }
        bool isInside = true;
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto index = indices.get<std::int32_t>(i, 0);
            isInside &= index >= 0 && static_cast<std::size_t>(index) < vertices.size();
            corners.emplace_back(static_cast<double>(index));
        }
        if (!isSound) build.diagnostics.add(Code::NON_FINITE, items.location());
        if (!isInside) build.diagnostics.add(Code::FACE_INDEX_RANGE, items.location());
        if (!isSound || !isInside) continue;
        Feature feature;
        feature.kind = "convexHull";
        feature.name = nameOf(name, items.location(), build.diagnostics);
        feature.node = 0;
        feature.properties.push_back({"vertices", Value(std::move(positions))});
        feature.properties.push_back({"indices", Value(std::move(corners))});
        build.scene.features.push_back(std::move(feature));
    }
}

}  // namespace

ReadResult readModelScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, modelIdentifier, document, diagnostics);
    scene.references = document.references;
    ReadResult result{false, versionOf(document)};
    if (!hasBody) return result;
    const ModelParts parts = readModelParts(document, diagnostics);
    Build build{document, parts, Space(document), scene, arena, diagnostics};
    Node root;
    root.name = scene.strings.intern(scene.asset.name);
    scene.nodes.push_back(std::move(root));
    scene.asset.metresPerUnit = metresPerUnit;
    scene.scaleInheritance = ScaleInheritance::axes;
    scene.hints = {.namedMaterials = true, .directXNormals = true};
    const Location header{.offset = 0, .path = "header"};
    if (!document.header.name.empty()) scene.asset.properties.push_back({"objectName", nameOf(document.header.name, header, diagnostics)});
    if (!document.header.path.empty()) scene.asset.properties.push_back({"objectPath", nameOf(document.header.path, header, diagnostics)});
    addSkeleton(build);
    for (std::size_t i = 0; i < parts.lods.size() && !arena.exhausted(); ++i) addLod(build, parts.lods[i]);
    if (const Part* part = find(parts.root, "COLLISION")) addCollision(build, *part);
    result.hasScene = build.bones > 0 || !scene.meshes.empty();
    if (!result.hasScene && !arena.exhausted())
        diagnostics.add(Code::MISSING_CHUNK, {.offset = document.bodyOffset}, "no mesh and no skeleton");
    return result;
}

}  // namespace rigcast::ueformat
