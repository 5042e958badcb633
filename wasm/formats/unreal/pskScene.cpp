#include "formats/unreal/pskScene.hpp"

#include <cmath>
#include <string>

#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/unreal/props.hpp"
#include "formats/unreal/pskMesh.hpp"
#include "formats/unreal/records.hpp"
#include "formats/unreal/script.hpp"
#include "formats/unreal/skeleton.hpp"
#include "formats/unreal/sockets.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view socketPath = "SKELSOCK";

Vector<Socket> readSockets(const Records& records, Diagnostics& diagnostics) {
    Vector<Socket> sockets;
    if (!Budget::affords(records.size() * sizeof(Socket))) return sockets;
    sockets.reserve(records.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
        Socket socket{.name = nameAt(records, i, 0, socketPath, diagnostics),
                      .bone = nameAt(records, i, socketField::bone, socketPath, diagnostics),
                      .offset = records.offsetOf(i)};
        const auto read = [&](std::size_t field, Vec3& to) {
            const Vec3 value = vec3At(records, i, field);
            if (isFinite(value) && length(value) < Socket::most)
                to = value;
            else
                ++socket.damaged;
        };
        read(socketField::location, socket.location);
        read(socketField::rotation, socket.rotation);
        read(socketField::scale, socket.scale);
        sockets.push_back(std::move(socket));
    }
    return sockets;
}

/// Adds the sockets of a companion file, unless the scene already has sockets. Returns the number
/// of added sockets.
std::size_t addOtherSockets(const Vector<Socket>& sockets, std::size_t bones, std::string_view name, const Options& options, Scene& scene,
                            Diagnostics& diagnostics) {
    if (!scene.features.empty() || !addSockets(sockets, bones, name, options, scene, diagnostics)) return 0;
    return sockets.size();
}

/// Applies the .props.txt. Must be called before `applyScript`: sockets are added only if there are
/// none yet, and those in .props.txt are more precise.
void applyProps(const Input& input, std::size_t bones, const Options& options, Scene& scene, Diagnostics& diagnostics) {
    Reference reference{.kind = "props", .name = scene.asset.name + ".props.txt"};
    if (const Supplied* supplied = input.find(reference.kind)) {
        reference.supplied = true;
        const Props props = parseProps(supplied->bytes);
        const std::size_t added = addOtherSockets(props.sockets, bones, reference.name, options, scene, diagnostics);
        if (added) diagnostics.add(Code::PROPS_APPLIED, {.path = reference.name}, {"{} sockets", {added}});
    }
    scene.references.push_back(std::move(reference));
}

/// Applies the script with the name of the mesh. In UE1 games, the name of the script is that of
/// the mesh without a trailing `Mesh`.
void applyScript(const Input& input, std::size_t bones, const Options& options, Scene& scene, Diagnostics& diagnostics) {
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
            std::string changes = applyScriptTransform(script, options, scene);
            if (const std::size_t textures = applyScriptTextures(script, scene)) changes += formatted("{} textures, ", {textures});
            if (const std::size_t added = addOtherSockets(script.sockets, bones, name, options, scene, diagnostics))
                changes += formatted("{} sockets, ", {added});
            if (!changes.empty())
                diagnostics.add(Code::SCRIPT_APPLIED, {.path = name}, std::string_view(changes).substr(0, changes.size() - 2));
            break;
        }
        scene.references.push_back(std::move(reference));
    }
}

}  // namespace

void addRoot(const Options& options, Scene& scene) {
    Node root;
    root.name = scene.strings.intern(scene.asset.name);
    // The options upAxis and yaw express a user's assumptions about the files of a game. They
    // rotate only the root, so the rotation is visible and reversible, and animations fit with any
    // values of the options.
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
    PskMesh mesh(psk, options, input, arena);
    if (!mesh.readWedges(diagnostics)) return result;
    addRoot(options, scene);
    scene.scaleInheritance = ScaleInheritance::axes;
    scene.hints = {.namedMaterials = true, .directXNormals = true};
    const std::uint32_t skin = addSkeleton(psk, options, scene, arena, diagnostics);
    if (arena.exhausted()) return result;
    if (!addSockets(readSockets(psk.sockets, diagnostics), psk.bones.size(), socketPath, options, scene, diagnostics)) return result;
    const bool hasMesh = mesh.add(skin, scene, diagnostics);
    if (arena.exhausted()) return result;
    applyProps(input, psk.bones.size(), options, scene, diagnostics);
    applyScript(input, psk.bones.size(), options, scene, diagnostics);
    result.hasScene = hasMesh || !psk.bones.empty();  // a skeleton can be shown without a mesh
    return result;
}

}  // namespace rigcast::unreal
