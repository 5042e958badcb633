#include "formats/unreal/skeleton.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <string>

#include "core/vector.hpp"
#include "formats/unreal/records.hpp"
#include "scene/lower.hpp"

namespace rigcast::unreal {

namespace {

constexpr std::string_view path = "REFSKELT";

/// Returns the parent of each bone (section 5). Bone 0 is the root, with the parent `none`. Bones
/// with an invalid parent, and the first bone of each cycle, become children of the root.
Vector<std::uint32_t> readParents(const Records& bones, Diagnostics& diagnostics) {
    const std::size_t count = bones.size();
    Vector<std::uint32_t> parents(count, none);
    std::size_t early = 0, firstEarly = 0;
    for (std::size_t i = 1; i < count; ++i) {
        const auto stored = bones.get<std::int32_t>(i, boneField::parent);
        const bool good = stored >= 0 && static_cast<std::size_t>(stored) < count && static_cast<std::size_t>(stored) != i;
        if (!good)
            diagnostics.add(Code::BONE_PARENT_RANGE, {.offset = bones.offsetOf(i) + boneField::parent, .path = path},
                            {"bone {}: parent {}", {i, stored}});
        parents[i] = good ? static_cast<std::uint32_t>(stored) : 0;
        if (parents[i] > i && early++ == 0) firstEarly = i;
    }
    if (early)
        diagnostics.add(Code::BONE_ORDER, {.offset = bones.offsetOf(firstEarly), .path = path},
                        {"{} bones are listed before their parent", {early}});

    enum : std::uint8_t { unseen, onPath, done };
    Vector<std::uint8_t> state(count, unseen);
    state[0] = done;
    for (std::size_t start = 1; start < count; ++start) {
        std::uint32_t at = static_cast<std::uint32_t>(start);
        while (state[at] == unseen) {
            state[at] = onPath;
            at = parents[at];
        }
        const bool isCycle = state[at] == onPath;
        std::uint32_t first = at;
        if (isCycle)
            for (std::uint32_t other = parents[at]; other != at; other = parents[other]) first = std::min(first, other);
        for (at = static_cast<std::uint32_t>(start); state[at] == onPath; at = parents[at]) state[at] = done;
        if (isCycle) {  // the first bone of the cycle becomes a child of the root
            parents[first] = 0;
            diagnostics.add(Code::BONE_CYCLE, {.offset = bones.offsetOf(first) + boneField::parent, .path = path}, {"bone {}", {first}});
        }
    }
    return parents;
}

/// Reports wrong child counts and ambiguous bone names.
void reportNamesAndCounts(const Records& bones, const Scene& scene, std::span<const std::uint32_t> parents, Diagnostics& diagnostics) {
    Vector<std::int32_t> children(bones.size(), 0);
    for (const std::uint32_t parent : parents)
        if (parent != none) ++children[parent];
    std::size_t wrong = 0, firstWrong = 0, duplicates = 0, firstDuplicate = 0;
    StringTable names;
    for (std::size_t i = 0; i < bones.size(); ++i) {
        if (bones.get<std::int32_t>(i, boneField::childCount) != children[i] && wrong++ == 0) firstWrong = i;
        const std::string& name = scene.strings[scene.nodes[1 + i].name];
        if (!names.add(matchingName(name)) && duplicates++ == 0) firstDuplicate = i;
    }
    // Uses the severity info, because animations can refer to the k-th bone with a name.
    if (duplicates)
        diagnostics.add(Code::BONE_NAME_DUPLICATE, Severity::info, {.offset = bones.offsetOf(firstDuplicate), .path = path},
                        {"{} of {} bones, the first is {}: {}",
                         {duplicates, bones.size(), firstDuplicate, scene.strings[scene.nodes[1 + firstDuplicate].name]}});
    if (wrong)
        diagnostics.add(Code::BONE_CHILD_COUNT, {.offset = bones.offsetOf(firstWrong) + boneField::childCount, .path = path},
                        {"{} of {} bones", {wrong, bones.size()}});
}

/// Returns the matrices of the bones relative to node 0. Parents may follow their children, so the
/// function follows each chain of parents up to a known matrix.
Vector<Mat4> worldMatrices(const Scene& scene, std::span<const std::uint32_t> parents) {
    Vector<Mat4> world(parents.size());
    Vector<std::uint8_t> known(parents.size(), 0);
    Vector<std::uint32_t> chain;
    for (std::uint32_t bone = 0; bone < parents.size(); ++bone) {
        for (std::uint32_t at = bone; at != none && !known[at]; at = parents[at]) chain.push_back(at);
        for (; !chain.empty(); chain.pop_back()) {
            const std::uint32_t at = chain.back();
            const Mat4 local = compose(scene.nodes[1 + at].local);
            world[at] = parents[at] == none ? local : world[parents[at]] * local;
            known[at] = 1;
        }
    }
    return world;
}

}  // namespace

Transform readRest(const Records& bones, std::size_t bone, const Options& options, std::string_view path, Diagnostics& diagnostics) {
    const Location location{.offset = bones.offsetOf(bone), .path = path};
    const auto named = [&](std::string_view what) { return formatted("bone {}: {}", {bone, what}); };
    Vec3 position = toScene(vec3At(bones, bone, boneField::position)) * options.unitScale;
    if (!allFinite(static_cast<float>(position.x), static_cast<float>(position.y), static_cast<float>(position.z))) {
        diagnostics.add(Code::NON_FINITE, location, named("position"));
        position = {};
    }
    Quat rotation = quatAt(bones, bone, boneField::orientation);
    if (!isFinite(rotation)) {
        diagnostics.add(Code::NON_FINITE, location, named("orientation"));
        rotation = {};
    } else if (std::abs(std::sqrt(lengthSquared(rotation)) - 1) > 1e-3) {
        diagnostics.add(Code::QUATERNION_NOT_UNIT, location, named("orientation"));
    }
    if (bone != 0 || options.conjugateRoot) rotation = conjugate(rotation);
    return {position, normalized(toScene(rotation)), {1, 1, 1}};
}

std::uint32_t addSkeleton(const Psk& psk, const Options& options, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    const Records& bones = psk.bones;
    const std::size_t count = bones.size();
    if (count == 0 || !Budget::affords(count * (sizeof(Node) + 2 * sizeof(Mat4)))) return none;
    const Vector<std::uint32_t> parents = readParents(bones, diagnostics);
    scene.nodes.reserve(scene.nodes.size() + count);
    for (std::size_t i = 0; i < count; ++i) {
        Node node;
        node.name = scene.strings.intern(boneNameAt(bones, i, path, diagnostics));
        node.parent = parents[i] == none ? 0 : 1 + parents[i];
        node.local = readRest(bones, i, options, path, diagnostics);
        node.bone = static_cast<std::int32_t>(i);
        if (const auto flags = bones.get<std::uint32_t>(i, boneField::flags)) node.properties.push_back({"flags", Value(flags)});
        scene.nodes.push_back(std::move(node));
    }
    reportNamesAndCounts(bones, scene, parents, diagnostics);

    Vector<std::uint32_t> joints(std::min(count, boneLimit)), singular;
    if (joints.size() < count)
        diagnostics.add(Code::TOO_MANY_BONES, {.offset = bones.offsetOf(joints.size()), .path = path}, {"{} bones", {count}});
    std::iota(joints.begin(), joints.end(), 1);
    Skin skin;
    skin.name = scene.asset.name;
    skin.skeletonRoot = 1;
    const Vector<Mat4> world = worldMatrices(scene, parents);
    if (!setJoints(arena, skin, joints, std::span(world).first(joints.size()), singular)) return none;
    for (const std::uint32_t i : singular)
        diagnostics.add(Code::SINGULAR_BIND, {.offset = bones.offsetOf(i), .path = path}, {"bone {}", {i}});
    scene.skins.push_back(std::move(skin));
    return static_cast<std::uint32_t>(scene.skins.size() - 1);
}

}  // namespace rigcast::unreal
