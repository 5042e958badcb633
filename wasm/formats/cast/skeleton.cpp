// Converts bones to nodes, bind poses to skins, and IK handles and constraints to features.
#include <algorithm>
#include <cmath>

#include "formats/cast/scene.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// A world position and rotation without scale, as in the properties wp and wr.
struct Frame {
    Vec3 position;
    Quat rotation;
};

Frame under(const Frame& parent, const Vec3& position, const Quat& rotation) {
    return {parent.position + rotate(parent.rotation, position), parent.rotation * rotation};
}

class SkeletonBuilder {
public:
    SkeletonBuilder(CastContext& context, std::uint32_t skeleton, std::uint32_t owner, CastSkeleton& made)
        : context_(context), skeleton_(made) {
        skeleton_.node = skeleton;
        skeleton_.owner = owner;
        for (const std::uint32_t child : context.document.children(skeleton))
            if (context.node(child).id == castIds::bone) bones_.push_back(child);
    }

    void run() {
        const std::size_t count = bones_.size();
        if (!Budget::affords(count * 400)) return;
        readParents();
        for (const std::uint32_t bone : cutCycles(parents_)) context_.warn(Code::BONE_CYCLE, bones_[bone], {}, "p");
        skeleton_.bones.assign(count, 0);
        skeleton_.rest.resize(count);
        frames_.resize(count);
        isScaled_.assign(count, false);
        Vector<std::uint32_t> chain;
        Vector<std::uint8_t> placed(count);
        // Visits bones in file order, but parents before children.
        for (std::uint32_t bone = 0; bone < count; ++bone) {
            for (std::uint32_t at = bone; at != none && !placed[at]; at = parents_[at]) {
                placed[at] = true;
                chain.push_back(at);
            }
            if (chain.size() > 1) context_.add(Code::BONE_ORDER, Severity::info, bones_[bone]);
            for (; !chain.empty(); chain.pop_back()) addBone(chain.back());
        }
        checkNames();
    }

private:
    void readParents() {
        for (std::uint32_t i = 0; i < bones_.size(); ++i) {
            const double stored = context_.values.number(bones_[i], "p").value_or(4294967295.0);
            std::uint32_t parent = none;  // the property is unsigned, but the value -1 means no parent
            if (stored >= 0 && stored < static_cast<double>(bones_.size()) && stored != i) {
                parent = static_cast<std::uint32_t>(stored);
            } else if (stored != 4294967295.0) {
                const bool isWord = std::fabs(stored) < 4294967296.0;  // floats can be outside the range of integers
                const Argument shown = isWord ? Argument(static_cast<std::int32_t>(static_cast<std::int64_t>(stored))) : Argument(stored);
                context_.warn(Code::BONE_PARENT_RANGE, bones_[i], {"{}", {shown}}, "p");
            }
            parents_.push_back(parent);
        }
    }

    void addBone(std::uint32_t bone) {
        const std::uint32_t node = bones_[bone];
        const std::uint32_t parent = parents_[bone];
        const Frame above = parent == none ? Frame{} : frames_[parent];
        Node made;
        made.name = context_.scene.strings.intern(context_.name(node, ""));
        made.parent = parent == none ? skeleton_.owner : skeleton_.bones[parent];
        made.bone = static_cast<std::int32_t>(bone);
        made.local = localTransform(bone, above);
        made.segmentScaleCompensate = parent != none && context_.values.flag(node, "ssc", true);
        made.properties = context_.unknownProperties(node);

        const Transform& local = made.local;
        frames_[bone] = under(above, local.translation, local.rotation);
        Mat4 joint = compose({local.translation, {}, {1, 1, 1}});
        if (made.segmentScaleCompensate) {
            const Vec3& scale = context_.scene.nodes[made.parent].local.scale;
            const auto undo = [](double s) { return s == 0 ? 1 : 1 / s; };
            joint = compose({local.translation, {}, {undo(scale.x), undo(scale.y), undo(scale.z)}});
        }
        const Mat4 own = joint * compose({{}, local.rotation, local.scale});
        skeleton_.rest[bone] = parent == none ? own : skeleton_.rest[parent] * own;
        skeleton_.bones[bone] = static_cast<std::uint32_t>(context_.scene.nodes.size());
        context_.scene.nodes.push_back(std::move(made));
    }

    /// Returns the local transform of a bone. Uses the properties lp and lr if both exist,
    /// otherwise wp and wr if both exist, otherwise any of these that exist (cast.md section 3.1).
    Transform localTransform(std::uint32_t bone, const Frame& above) {
        const std::uint32_t node = bones_[bone];
        const auto has = [&](CastName position, CastName rotation) {
            return context_.values.vec3(node, position) && context_.values.vec4(node, rotation);
        };
        const bool hasLocal = has("lp", "lr"), hasWorld = has("wp", "wr");
        Transform local;
        local.scale = context_.vec3(node, "s", {1, 1, 1});
        const bool scaled =
            std::fabs(local.scale.x - 1) > 1e-6 || std::fabs(local.scale.y - 1) > 1e-6 || std::fabs(local.scale.z - 1) > 1e-6;
        isScaled_[bone] = scaled || (parents_[bone] != none && isScaled_[parents_[bone]]);
        if (hasWorld && !hasLocal) {
            const Vec3 position = context_.vec3(node, "wp", {});
            const Quat up = conjugate(above.rotation);
            local.translation = rotate(up, position - above.position);
            local.rotation = normalized(up * context_.rotation(node, "wr"));
            return local;
        }
        local.translation = context_.vec3(node, "lp", {});
        local.rotation = context_.rotation(node, "lr");
        if (!hasLocal)
            context_.warn(Code::BONE_TRANSFORM_MISSING, node);
        else if (hasWorld && !isScaled_[bone])  // writers disagree about the world transforms of scaled bones
            compareWorld(node, under(above, local.translation, local.rotation));
        return local;
    }

    void compareWorld(std::uint32_t node, const Frame& rebuilt) {
        const Vec3 position = *context_.values.vec3(node, "wp");
        const Quat rotation = *context_.values.vec4(node, "wr");
        if (!isFinite(position) || !isFinite(rotation) || lengthSquared(rotation) < 0.5) return;
        const double tolerance = 1e-3 * std::max(1.0, length(position));
        if (length(position - rebuilt.position) > tolerance || angleBetween(normalized(rotation), rebuilt.rotation) > 2e-3)
            context_.warn(Code::BONE_TRANSFORM_DISAGREES, node);
    }

    void checkNames() {
        StringTable names;
        for (std::uint32_t i = 0; i < bones_.size(); ++i) {
            const std::string& name = context_.scene.strings[context_.scene.nodes[skeleton_.bones[i]].name];
            if (!names.add(name)) context_.warn(Code::BONE_NAME_DUPLICATE, bones_[i], name);
        }
    }

    CastContext& context_;
    CastSkeleton& skeleton_;
    Vector<std::uint32_t> bones_;    // document nodes
    Vector<std::uint32_t> parents_;  // bone indices
    Vector<Frame> frames_;
    Vector<std::uint8_t> isScaled_;
};

/// Adds a bone to the properties of a feature: its node index, and its name for display.
void addBone(CastContext& context, std::uint32_t node, Properties& properties, std::string_view name, std::uint32_t bone) {
    if (bone == none) return;
    Properties entry;
    entry.push_back({"node", bone});
    entry.push_back({"name", context.shared(context.scene.strings[context.scene.nodes[bone].name], node)});
    properties.push_back({std::string(name), Value(std::move(entry))});
}

Value listOf(std::initializer_list<double> numbers) {
    Vector<Value> list;
    for (const double number : numbers) list.emplace_back(number);
    return Value(std::move(list));
}

class RiggingBuilder {
public:
    RiggingBuilder(CastContext& context, const CastSkeleton& skeleton)
        : context_(context), links_(context.document, skeleton.node, {castIds::bone}) {
        std::size_t bone = 0;
        for (const std::uint32_t child : context.document.children(skeleton.node))
            if (context.node(child).id == castIds::bone && bone < skeleton.bones.size()) nodes_.add(child, skeleton.bones[bone++]);
    }

    void addHandle(std::uint32_t handle) {
        Feature feature;
        feature.kind = "ik";
        feature.name = context_.name(handle, "");
        feature.node = bone(handle, "eb");
        Properties& properties = feature.properties;
        const std::uint32_t start = bone(handle, "sb");
        addBone(context_, handle, properties, "startBone", start);
        addBone(context_, handle, properties, "endBone", feature.node);
        addBone(context_, handle, properties, "targetBone", bone(handle, "tb"));
        addBone(context_, handle, properties, "poleVectorBone", bone(handle, "pv"));
        addBone(context_, handle, properties, "poleBone", bone(handle, "pb"));
        const Vec3 offset = context_.vec3(handle, "to", {});
        properties.push_back({"targetOffset", listOf({offset.x, offset.y, offset.z})});
        properties.push_back({"targetRotation", context_.values.flag(handle, "tr", false)});
        if (!isChain(start, feature.node)) context_.warn(Code::NOT_SOLVED, handle);
        finish(handle, std::move(feature));
    }

    void addConstraint(std::uint32_t constraint) {
        Feature feature;
        feature.kind = "constraint";
        feature.name = context_.name(constraint, "");
        feature.node = bone(constraint, "cb");
        Properties& properties = feature.properties;
        const std::string type = context_.values.text(constraint, "ct");
        const bool isKnown = type == "pt" || type == "or" || type == "sc";
        if (!isKnown) context_.warn(Code::VALUE_UNKNOWN, constraint, type, "ct");
        properties.push_back({"type", type == "pt" ? "translation" : type == "or" ? "rotation" : type == "sc" ? "scale" : type});
        addBone(context_, constraint, properties, "constrainedBone", feature.node);
        const std::uint32_t target = bone(constraint, "tb");
        addBone(context_, constraint, properties, "targetBone", target);
        properties.push_back({"maintainOffset", context_.values.flag(constraint, "mo", false)});
        properties.push_back({"weight", context_.number(constraint, "wt", 1)});
        if (context_.values.vec4(constraint, "co")) {
            const Quat offset = context_.rotation(constraint, "co");
            properties.push_back({"offset", listOf({offset.x, offset.y, offset.z, offset.w})});
        } else if (context_.values.vec3(constraint, "co")) {
            const Vec3 offset = context_.vec3(constraint, "co", {});
            properties.push_back({"offset", listOf({offset.x, offset.y, offset.z})});
        }
        Vector<Value> skipped;
        for (const CastName name : {CastName("sx"), CastName("sy"), CastName("sz")})
            skipped.emplace_back(context_.values.flag(constraint, name, false));
        properties.push_back({"skip", Value(std::move(skipped))});
        if (!isKnown || feature.node == none || target == none) context_.warn(Code::NOT_SOLVED, constraint);
        finish(constraint, std::move(feature));
    }

private:
    void finish(std::uint32_t node, Feature feature) {
        for (Property& property : context_.unknownProperties(node)) feature.properties.push_back(std::move(property));
        context_.scene.features.push_back(std::move(feature));
    }

    /// Returns true if `end` is a descendant of `start` and web/src/rig/rigging.ts can solve a
    /// chain of this length.
    bool isChain(std::uint32_t start, std::uint32_t end) const {
        if (start == none || end == none || start == end) return false;
        for (std::uint32_t length = 1; length < mostChained && end != none; ++length) {
            end = context_.scene.nodes[end].parent;
            if (end == start) return true;
        }
        return false;
    }

    static constexpr std::uint32_t mostChained = 256;

    /// Returns the scene node of the bone to which a property links.
    std::uint32_t bone(std::uint32_t node, CastName property) { return nodes_.find(links_.find(context_, node, property)); }

    CastContext& context_;
    CastLinks links_;
    CastMap nodes_;  // document node -> scene node
};

}  // namespace

void addCastSkeleton(CastContext& context, std::uint32_t skeleton, std::uint32_t owner, CastSkeleton& made) {
    SkeletonBuilder(context, skeleton, owner, made).run();
}

void addCastRigging(CastContext& context, const CastSkeleton& skeleton) {
    RiggingBuilder maker(context, skeleton);
    for (const std::uint32_t child : context.document.children(skeleton.node)) {
        if (context.node(child).id == castIds::ikHandle) maker.addHandle(child);
        if (context.node(child).id == castIds::constraint) maker.addConstraint(child);
    }
}

std::uint32_t castSkin(CastContext& context, CastSkeleton& skeleton) {
    if (skeleton.skin != none) return skeleton.skin;
    Skin skin;
    skin.skeletonRoot = skeleton.owner;
    Vector<std::uint32_t> singular;
    if (!setJoints(context.arena, skin, skeleton.bones, skeleton.rest, singular)) return none;
    if (!singular.empty()) {
        Vector<std::uint32_t> boneNodes;
        for (const std::uint32_t child : context.document.children(skeleton.node))
            if (context.node(child).id == castIds::bone) boneNodes.push_back(child);
        for (const std::uint32_t bone : singular) context.warn(Code::SINGULAR_BIND, boneNodes[bone]);
    }
    skeleton.skin = static_cast<std::uint32_t>(context.scene.skins.size());
    context.scene.skins.push_back(std::move(skin));
    return skeleton.skin;
}

}  // namespace rigcast
