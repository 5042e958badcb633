#include <algorithm>

#include "scene/lower.hpp"

namespace rigcast {

std::uint32_t NamedTextures::add(Scene& scene, const std::string& path, bool isColor) {
    if (path.empty()) return none;
    const StringId image = images_.intern(path);
    std::string slashed = path;
    std::replace(slashed.begin(), slashed.end(), '\\', '/');
    if (image == scene.images.size()) {
        Image made;
        made.name = slashed.substr(slashed.find_last_of('/') + 1);
        made.path = slashed;
        scene.images.push_back(std::move(made));
        scene.references.push_back({"texture", path, false, false});
    }
    const StringId texture = textures_.intern((isColor ? "s" : "l") + path);
    if (texture == scene.textures.size()) {
        Texture made;
        made.name = scene.images[image].name;
        made.image = image;
        made.srgb = isColor;
        if (slashed != path) made.properties.push_back({"path", path});
        scene.textures.push_back(std::move(made));
    }
    return texture;
}

}  // namespace rigcast
