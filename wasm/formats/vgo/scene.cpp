#include "formats/vgo/scene.hpp"

namespace rigcast {

bool addVgoScene(const VgoDocument&, const Input&, Scene& scene, Arena&, Diagnostics&) {
    Node root;
    root.name = scene.strings.intern(scene.asset.name);
    scene.nodes.push_back(std::move(root));
    return true;
}

}  // namespace rigcast
