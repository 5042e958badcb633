// Converts instances of other files to sets. The set of a file contains the transforms of all its
// instances.
#include "formats/cast/scene.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

struct Set {
    std::string path;
    Vector<std::uint32_t> nodes;
};

/// Returns the name of the property that links to the instanced file. In a draft of 2024-01, its
/// name was `r`.
CastName linkOf(CastContext& context, std::uint32_t instance) {
    if (context.values.hash(instance, "rf")) return "rf";
    if (!context.values.hash(instance, "r")) return "";
    context.add(Code::LEGACY_FORM, Severity::info, instance, "the link to the file is named r", "r");
    return "r";
}

std::string pathOf(CastContext& context, std::uint32_t instance) {
    const CastName link = linkOf(context, instance);
    if (link == CastName("")) return {};
    const std::uint32_t file = CastLinks(context.document, instance, {castIds::file}).find(context, instance, link);
    return file == CastNode::noParent ? std::string() : context.values.text(file, "p");
}

std::string stemOf(const std::string& path) {
    const std::string name = path.substr(path.find_last_of("/\\") + 1);
    return name.substr(0, name.rfind('.'));
}

bool addSet(CastContext& context, const Set& set) {
    Scene& scene = context.scene;
    InstanceSet made;
    made.reference = static_cast<std::uint32_t>(scene.references.size());
    made.block = context.arena.addBlock();
    auto transforms = context.arena.allocate<float>(made.block, std::uint64_t{set.nodes.size()} * 10);
    auto names = context.arena.allocate<std::uint32_t>(made.block, set.nodes.size());
    if (!transforms || !names) return false;
    const std::string stem = stemOf(set.path);
    float* out = transforms.values.data();
    for (std::size_t i = 0; i < set.nodes.size(); ++i) {
        const std::uint32_t node = set.nodes[i];
        const Vec3 position = context.vec3(node, "p", {}), scale = context.vec3(node, "s", {1, 1, 1});
        const Quat rotation = context.rotation(node, "r");
        for (const double value :
             {position.x, position.y, position.z, rotation.x, rotation.y, rotation.z, rotation.w, scale.x, scale.y, scale.z})
            *out++ = static_cast<float>(value);
        names.values[i] = scene.strings.intern(context.name(node, stem));
    }
    made.transforms = transforms.column;
    made.names = names.column;
    scene.references.push_back({"instance", set.path, false, false});
    scene.instances.push_back(std::move(made));
    return true;
}

}  // namespace

void addCastInstances(CastContext& context, const Vector<std::uint32_t>& instances) {
    Vector<Set> sets;  // sorted by their first instance
    StringTable paths;
    for (const std::uint32_t instance : instances) {
        std::string path = pathOf(context, instance);
        if (path.empty()) {
            context.warn(Code::INSTANCE_WITHOUT_FILE, instance);
            continue;
        }
        const StringId set = paths.intern(path);
        if (set == sets.size()) sets.push_back({std::move(path), {}});
        sets[set].nodes.push_back(instance);
    }
    for (const Set& set : sets)
        if (!addSet(context, set)) return;
}

}  // namespace rigcast
