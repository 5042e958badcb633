#include <algorithm>
#include <cmath>

#include "core/budget.hpp"
#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/ueformat/model.hpp"
#include "scene/lower.hpp"

namespace rigcast::ueformat {

namespace {

constexpr std::size_t mostJoints = 65535;

/// Absolute value of a scale by which positions are not divided, because it is too close to zero.
constexpr double smallestScale = 1e-6;

struct Bone {
    std::string_view name;
    std::int32_t parent = -1;
    Vec3 position;
    Quat rotation;
    Vec3 scale{1, 1, 1};
    std::uint64_t offset = 0;
};

/// The bones of the part, read with or without a scale. `fits`: the last bone ends at the end of
/// the part.
struct Walk {
    Vector<Bone> bones;
    std::int32_t count = 0;  // as declared
    bool fits = false;
};

Walk walk(const Build& build, const Part& part, bool hasScale) {
    Walk walk;
    Cursor cursor = build.document.open(part);
    walk.count = part.count ? *part.count : cursor.number<std::int32_t>();
    for (std::int32_t i = 0; i < walk.count && cursor.remaining() > 0; ++i) {
        Bone bone;
        bone.offset = cursor.offset();
        bone.name = cursor.text();
        bone.parent = cursor.number<std::int32_t>();
        bone.position = cursor.vec3();
        bone.rotation = cursor.quat();
        if (hasScale) bone.scale = cursor.vec3();
        if (cursor.failed()) return walk;
        walk.bones.push_back(bone);
    }
    walk.fits = cursor.remaining() == 0 && walk.bones.size() == static_cast<std::size_t>(std::max(walk.count, 0));
    return walk;
}

/// Reads the bones. Files of version 10 do not declare whether bones have a scale (ueformat.md section 3.3).
Vector<Bone> readBones(const Build& build, const Part& part) {
    if (!Budget::affords(part.payload.size() / 36 * sizeof(Bone) * 2)) return {};
    const bool mayScale = build.document.has(withAttributes);
    Walk best = walk(build, part, mayScale);
    if (mayScale && !best.fits) {
        Walk plain = walk(build, part, false);
        if (plain.fits || plain.bones.size() > best.bones.size()) best = std::move(plain);
    }
    if (best.count < 0)
        build.diagnostics.add(Code::BAD_COUNT, part.location(), {"{} bones", {best.count}});
    else if (best.bones.size() < static_cast<std::size_t>(best.count) && !part.isCut)
        build.diagnostics.add(Code::TRUNCATED, part.location(), {"{} bones declared, {} found", {best.count, best.bones.size()}});
    return std::move(best.bones);
}

class SkeletonBuilder {
public:
    explicit SkeletonBuilder(Build& build) : build_(build), scene_(build.scene), diagnostics_(build.diagnostics) {}

    void run() {
        if (const Part* part = find(build_.parts.skeleton, "BONES")) addBones(*part);
        for (std::uint32_t i = 0; i < build_.bones; ++i)
            if (names_.add(lowerAscii(scene_.strings[scene_.nodes[1 + i].name]))) nodes_.push_back(1 + i);
        if (const Part* part = find(build_.parts.skeleton, "SOCKETS")) addSockets(*part);
        if (const Part* part = find(build_.parts.skeleton, "VIRTUALBONES")) addVirtualBones(*part);
        const Part* own = find(build_.parts.skeleton, "METADATA");
        const Part* atRoot = find(build_.parts.root, "METADATA");
        if (atRoot) diagnostics_.add(Code::LEGACY_FORM, atRoot->location(), "the path of the skeleton is at the root");
        if (const Part* part = own ? own : atRoot) {
            Cursor cursor = build_.document.open(*part);
            const std::string_view path = cursor.text();
            if (cursor.failed() && !part->isCut) diagnostics_.add(Code::BAD_STRING_LENGTH, part->location());
            if (!path.empty()) scene_.asset.properties.push_back({"skeletonPath", nameOf(path, part->location(), diagnostics_)});
        }
    }

private:
    Vec3 finite(const Vec3& value, const Vec3& otherwise, const Location& where) { return repaired(value, otherwise, where, diagnostics_); }

    Quat rotation(const Quat& stored, const Location& where) { return rotationToScene(build_.space, stored, where, diagnostics_); }

    void addBones(const Part& part) {
        const Vector<Bone> bones = readBones(build_, part);
        const std::size_t count = bones.size();
        if (count == 0 || !Budget::affords(count * (sizeof(Node) + 2 * sizeof(Mat4) + 64))) return;
        Vector<std::uint32_t> parents(count, none);
        for (std::uint32_t i = 0; i < count; ++i) {
            const std::int32_t stored = bones[i].parent;
            const bool isGood = stored >= 0 && static_cast<std::size_t>(stored) < count && static_cast<std::uint32_t>(stored) != i;
            if (isGood)
                parents[i] = static_cast<std::uint32_t>(stored);
            else if (stored != -1)
                diagnostics_.add(Code::BONE_PARENT_RANGE, {.offset = bones[i].offset, .path = part.path},
                                 {"bone {}: parent {}", {i, stored}});
            if (isGood && parents[i] > i)
                diagnostics_.add(Code::BONE_ORDER, Severity::info, {.offset = bones[i].offset, .path = part.path});
        }
        for (const std::uint32_t bone : cutCycles(parents))
            diagnostics_.add(Code::BONE_CYCLE, {.offset = bones[bone].offset, .path = part.path}, {"bone {}", {bone}});
        StringTable names;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Location where{.offset = bones[i].offset, .path = part.path};
            const std::string name = nameOf(bones[i].name, where, diagnostics_);
            if (!names.add(lowerAscii(name))) diagnostics_.add(Code::BONE_NAME_DUPLICATE, Severity::info, where, name);
            Node node;
            node.name = scene_.strings.intern(name);
            node.parent = parents[i] == none ? 0 : 1 + parents[i];
            node.bone = static_cast<std::int32_t>(i);
            node.local.translation = build_.space.position(finite(bones[i].position, {}, where));
            node.local.rotation = rotation(bones[i].rotation, where);
            node.local.scale = scaleToScene(finite(bones[i].scale, {1, 1, 1}, where));
            scene_.nodes.push_back(std::move(node));
        }
        parentsFirst(scene_, build_.arena);
        removeScales(part);
        build_.bones = count;
        addSkin(part);
    }

    /// Divides the position of each bone by the scales of its ancestors, because files contain the
    /// product (section 3.3). Parents must precede children.
    void removeScales(const Part& part) {
        Vector<Vec3> scales(scene_.nodes.size(), Vec3{1, 1, 1});  // of each node and its ancestors
        std::uint64_t divided = 0;
        for (std::size_t row = 1; row < scales.size(); ++row) {
            Transform& local = scene_.nodes[row].local;
            const Vec3& above = scales[scene_.nodes[row].parent];
            const auto divide = [](double value, double scale) {
                return std::fabs(scale) > smallestScale && std::isfinite(scale) ? value / scale : value;
            };
            const Vec3 original = local.translation;
            local.translation = {divide(original.x, above.x), divide(original.y, above.y), divide(original.z, above.z)};
            divided += local.translation.x != original.x || local.translation.y != original.y || local.translation.z != original.z;
            scales[row] = {above.x * local.scale.x, above.y * local.scale.y, above.z * local.scale.z};
        }
        if (divided) diagnostics_.add(Code::SCALED_POSITIONS, part.location(), noDetail, divided);
    }

    void addSkin(const Part& part) {
        const std::size_t count = std::min(build_.bones, mostJoints);
        if (count < build_.bones) diagnostics_.add(Code::TOO_MANY_BONES, part.location(), {"{} bones", {build_.bones}});
        const Vector<Mat4> world = restMatrices(scene_);
        Vector<std::uint32_t> joints(count), singular;
        Vector<Mat4> rest(count);
        for (std::uint32_t row = 1; row < world.size(); ++row) {
            const auto bone = static_cast<std::size_t>(scene_.nodes[row].bone);
            if (bone >= count) continue;
            joints[bone] = row;
            rest[bone] = world[row];
        }
        Skin skin;
        skin.name = scene_.asset.name;
        skin.skeletonRoot = 1;
        if (!setJoints(build_.arena, skin, joints, rest, singular)) return;
        for (const std::uint32_t bone : singular) diagnostics_.add(Code::SINGULAR_BIND, part.location(), {"bone {}", {bone}});
        build_.skin = static_cast<std::uint32_t>(scene_.skins.size());
        scene_.skins.push_back(std::move(skin));
    }

    /// Returns the node of the first bone with a name, regardless of case.
    std::uint32_t nodeOf(std::string_view name) const {
        const StringId found = names_.find(lowerAscii(name));
        return found == none ? none : nodes_[found];
    }

    void addSockets(const Part& part) {
        for (Items items(part, build_.document, diagnostics_); items.next();) {
            const std::string_view storedName = items.text(), storedBone = items.text();
            const Vec3 position = items.vec3();
            const Quat turn = items.quat();
            const Vec3 scale = items.vec3();
            if (!items.isComplete() || !Budget::affords(sizeof(Node) + sizeof(Feature) + 256)) return;
            const Location where = items.location();
            Node node;
            Feature feature;
            feature.kind = "socket";
            feature.name = nameOf(storedName, where, diagnostics_);
            const std::string bone = nameOf(storedBone, where, diagnostics_);
            node.name = scene_.strings.intern(feature.name);
            node.parent = 0;
            if (!bone.empty()) {
                const std::uint32_t found = nodeOf(bone);
                if (found != none)
                    node.parent = found;
                else
                    diagnostics_.add(Code::SOCKET_BONE_MISSING, where, {"{}: bone {}", {feature.name, bone}});
            }
            node.local.translation = build_.space.position(finite(position, {}, where));
            node.local.rotation = rotation(turn, where);
            const Vec3 one = build_.space.isMirrored ? Vec3{1, -1, 1} : Vec3{1, 1, 1};
            node.local.scale = build_.space.socketScale(finite(scale, one, where));
            feature.node = static_cast<std::uint32_t>(scene_.nodes.size());
            feature.properties.push_back({"bone", Value(bone)});
            scene_.features.push_back(std::move(feature));
            scene_.nodes.push_back(std::move(node));
        }
    }

    void addVirtualBones(const Part& part) {
        for (Items items(part, build_.document, diagnostics_); items.next();) {
            const std::string_view source = items.text(), target = items.text(), name = items.text();
            if (!items.isComplete() || !Budget::affords(sizeof(Feature) + 512)) return;
            const Location where = items.location();
            Feature feature;
            feature.kind = "virtualBone";
            feature.name = nameOf(name, where, diagnostics_);
            const std::string from = nameOf(source, where, diagnostics_);
            feature.node = nodeOf(from);
            feature.properties.push_back({"source", Value(from)});
            feature.properties.push_back({"target", Value(nameOf(target, where, diagnostics_))});
            scene_.features.push_back(std::move(feature));
        }
    }

    Build& build_;
    Scene& scene_;
    Diagnostics& diagnostics_;
    StringTable names_;            // names of bones in lower case
    Vector<std::uint32_t> nodes_;  // by index in `names_`
};

}  // namespace

void addSkeleton(Build& build) { SkeletonBuilder(build).run(); }

}  // namespace rigcast::ueformat
