#include "formats/unreal/sockets.hpp"

#include "core/budget.hpp"
#include "formats/unreal/records.hpp"

namespace rigcast::unreal {

Quat rotatorToFile(const Vec3& degrees) {
    const auto [sp, cp] = sineCosine(degrees.x / 2);
    const auto [sy, cy] = sineCosine(degrees.y / 2);
    const auto [sr, cr] = sineCosine(degrees.z / 2);
    const double x = cr * sp * sy - sr * cp * cy, y = -cr * sp * cy - sr * cp * sy, z = cr * cp * sy - sr * sp * cy,
                 w = cr * cp * cy + sr * sp * sy;
    return {-x, y, -z, w};
}

bool addSockets(std::span<const Socket> sockets, std::size_t bones, std::string_view path, const Options& options, Scene& scene,
                Diagnostics& diagnostics) {
    if (sockets.empty()) return true;
    if (!Budget::affords(sockets.size() * (sizeof(Node) + sizeof(Feature)))) return false;
    StringTable names;            // lower-case names
    Vector<std::uint32_t> nodes;  // node of the first bone with each name
    for (std::uint32_t i = 0; i < bones; ++i)
        if (names.add(matchingName(scene.strings[scene.nodes[1 + i].name]))) nodes.push_back(1 + i);
    for (const Socket& socket : sockets) {
        const Location where{.offset = socket.offset, .path = path};
        if (socket.damaged) diagnostics.add(Code::NON_FINITE, where, socket.name, socket.damaged);
        Node node;
        node.name = scene.strings.intern(socket.name);
        node.parent = 0;
        if (!socket.bone.empty()) {
            const StringId found = names.find(matchingName(socket.bone));
            if (found != none)
                node.parent = nodes[found];
            else
                diagnostics.add(Code::SOCKET_BONE_MISSING, where, {"{}: bone {}", {socket.name, socket.bone}});
        }
        const Vec3& location = socket.location;
        node.local.translation = toScene(Vec3{location.x, -location.y, location.z}) * options.unitScale;
        node.local.rotation = normalized(toScene(rotatorToFile(socket.rotation)));
        node.local.scale = scaleToScene(socket.scale);
        Feature feature;
        feature.kind = "socket";
        feature.name = socket.name;
        feature.node = static_cast<std::uint32_t>(scene.nodes.size());
        feature.properties = {{"bone", Value(socket.bone)}};
        scene.features.push_back(std::move(feature));
        scene.nodes.push_back(std::move(node));
    }
    return true;
}

}  // namespace rigcast::unreal
