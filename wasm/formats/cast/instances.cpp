// Converts instances of other files to sets. The set of a file contains the transforms of all its
// instances.
#include "formats/cast/scene.hpp"

#include "core/budget.hpp"
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
    if (!Budget::affords(set.nodes.size() * sizeof(PlacedFile))) return false;
    const std::string stem = stemOf(set.path);
    Vector<PlacedFile> placed;
    placed.reserve(set.nodes.size());
    for (const std::uint32_t node : set.nodes)
        placed.push_back({{context.vec3(node, "p", {}), context.rotation(node, "r"), context.vec3(node, "s", {1, 1, 1})},
                          context.scene.strings.intern(context.name(node, stem))});
    return addInstances(context.scene, context.arena, set.path, placed);
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
