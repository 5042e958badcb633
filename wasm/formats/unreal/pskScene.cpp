#include "formats/unreal/pskScene.hpp"

#include <cmath>
#include <string>

#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/pskPlain.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/script.hpp"
#include "formats/unreal/skeleton.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view socketPath = "SKELSOCK";

void addSockets(const Psk& psk, const Options& options, Scene& scene, Diagnostics& diagnostics) {
    const Records& sockets = psk.sockets;
    StringTable names;            // lower case
    Vector<std::uint32_t> nodes;  // the first bone of each name
    if (!sockets.empty())
        for (std::uint32_t i = 0; i < psk.bones.size(); ++i)
            if (names.add(matchingName(scene.strings[scene.nodes[1 + i].name]))) nodes.push_back(1 + i);
    for (std::size_t i = 0; i < sockets.size(); ++i) {
        const Place place{.offset = sockets.offsetOf(i), .path = socketPath};
        const std::string name = nameAt(sockets, i, 0, socketPath, diagnostics);
        const std::string bone = nameAt(sockets, i, socketField::bone, socketPath, diagnostics);
        Node node;
        node.name = scene.strings.intern(name);
        node.parent = 0;  // of a static mesh: no bone is named
        if (!bone.empty()) {
            const StringId found = names.find(matchingName(bone));
            if (found != none)
                node.parent = nodes[found];
            else
                diagnostics.add(Code::SOCKET_BONE_MISSING, place, {"{}: bone {}", {name, bone}});
        }
        const auto read = [&](std::size_t field, const Vec3& fallback) {
            const Vec3 value = vec3At(sockets, i, field);
            if (isFinite(value) && length(value) < 1e30) return value;
            diagnostics.add(Code::NON_FINITE, place, name);
            return fallback;
        };
        const Vec3 location = read(socketField::location, {});
        node.local.translation = toScene(Vec3{location.x, -location.y, location.z}) * options.unitScale;
        node.local.rotation = normalized(toScene(rotatorToFile(read(socketField::rotation, {}))));
        node.local.scale = scaleToScene(read(socketField::scale, {1, 1, 1}));
        Feature feature;
        feature.kind = "socket";
        feature.name = name;
        feature.node = static_cast<std::uint32_t>(scene.nodes.size());
        feature.properties = {{"bone", Value(bone)}};
        scene.features.push_back(std::move(feature));
        scene.nodes.push_back(std::move(node));
    }
}

/// A script beside the mesh has its name; those of UE1 games leave out a `Mesh` at its end.
void applyScript(const Input& input, const Options& options, Scene& scene, Diagnostics& diagnostics) {
    const std::string mesh = scene.asset.name;
    Vector<std::string> names;
    names.push_back(mesh + ".uc");
    if (mesh.size() > 4 && lowerAscii(mesh.substr(mesh.size() - 4)) == "mesh") names.push_back(mesh.substr(0, mesh.size() - 4) + ".uc");
    bool isApplied = false;
    for (const std::string& name : names) {
        Reference reference{.kind = "script", .name = name};
        for (const Supplied& supplied : input.supplied) {
            if (supplied.kind != "script" || supplied.name != name) continue;
            reference.supplied = true;
            const Script script = isApplied ? Script() : parseScript(supplied.bytes, mesh);
            if (!script.namesMesh) break;
            isApplied = true;
            placeByScript(script, options, scene);
            dressByScript(script, scene);
            diagnostics.add(Code::SCRIPT_APPLIED, {.path = name}, {"{} textures", {script.skins.size()}});
            break;
        }
        scene.references.push_back(std::move(reference));
    }
}

}  // namespace

Quat rotatorToFile(const Vec3& degrees) {
    const auto [sp, cp] = sineCosine(degrees.x / 2);
    const auto [sy, cy] = sineCosine(degrees.y / 2);
    const auto [sr, cr] = sineCosine(degrees.z / 2);
    const double x = cr * sp * sy - sr * cp * cy, y = -cr * sp * cy - sr * cp * sy, z = cr * cp * sy - sr * sp * cy,
                 w = cr * cp * cy + sr * sp * sy;
    return {-x, y, -z, w};
}

void addRoot(const Options& options, Scene& scene) {
    Node root;
    root.name = scene.strings.intern(scene.asset.name);
    // Both are guesses of the user about one game's files, so they are one visible, reversible turn of the root and motions need not know.
    root.local.rotation = normalized(rotationAbout(1, options.yaw) * rotationAbout(0, options.yUp ? 90 : 0));
    scene.nodes.push_back(std::move(root));
    scene.asset.metresPerUnit = options.unitScale;
    if (options.yUp) scene.asset.upAxis = "y";
}

std::string versionOf(const Directory& directory) {
    return directory.chunks.empty() ? std::string() : formatted("{}", {directory.chunks.front().typeFlag});
}

ReadResult readPskScene(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    const Options options = readOptions(input, diagnostics);
    Psk psk = readPsk(input.bytes, diagnostics);
    ReadResult result;
    result.version = versionOf(psk.directory);
    if (psk.directory.chunks.empty()) return result;
    PlainMesh plain(psk, options, arena, input.source);
    const bool mayBePlain = !input.carefully && !input.tangents && plain.examine();
    const auto readWhole = [&] {
        if (input.source) bringRest(*input.source, psk.directory);
        checkWidths(psk, diagnostics);
    };
    if (!mayBePlain) readWhole();
    addRoot(options, scene);
    scene.scaleInheritance = ScaleInheritance::axes;
    scene.hints = {.namedMaterials = true, .directXNormals = true};
    const std::uint32_t skin = addSkeleton(psk, options, scene, arena, diagnostics);
    if (arena.exhausted()) return result;
    if (!Budget::affords(psk.sockets.size() * (sizeof(Node) + sizeof(Feature)))) return result;
    addSockets(psk, options, scene, diagnostics);
    bool hasMesh = mayBePlain && plain.add(skin, scene, diagnostics);
    if (arena.exhausted()) return result;
    if (!hasMesh) {
        if (mayBePlain) readWhole();
        hasMesh = addMesh(psk, options, skin, scene, arena, diagnostics);
    }
    applyScript(input, options, scene, diagnostics);
    result.hasScene = hasMesh || !psk.bones.empty();  // a skeleton without a mesh is still something to look at
    return result;
}

}  // namespace rigcast::unreal
