#include "scene/lower.hpp"

namespace rigcast {

bool addInstances(Scene& scene, Arena& arena, const std::string& path, std::span<const PlacedFile> instances) {
    InstanceSet set;
    set.reference = static_cast<std::uint32_t>(scene.references.size());
    set.block = arena.addBlock();
    auto transforms = arena.allocate<float>(set.block, std::uint64_t{instances.size()} * 10);
    auto names = arena.allocate<StringId>(set.block, instances.size());
    if (!transforms || !names) return false;
    float* out = transforms.values.data();
    for (std::size_t i = 0; i < instances.size(); ++i) {
        const auto& [position, rotation, scale] = instances[i].transform;
        for (const double value :
             {position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w, scale.x, scale.y, scale.z})
            *out++ = static_cast<float>(value);
        names.values[i] = instances[i].name;
    }
    set.transforms = transforms.column;
    set.names = names.column;
    scene.references.push_back({"instance", path, false, false});
    scene.instances.push_back(std::move(set));
    return true;
}

}  // namespace rigcast
