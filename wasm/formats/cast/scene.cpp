#include "formats/cast/scene.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/order.hpp"
#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/bulk.hpp"

namespace rigcast {

namespace {

bool isFloat(double value) { return std::fabs(value) <= 3.4028234663852886e38; }

/// Adds metadata. Reads author and program from all metadata nodes, but up axis and scene root only
/// from the first one (cast.md section 2).
void addMetadata(CastContext& context, const Vector<std::uint32_t>& nodes) {
    Asset& asset = context.scene.asset;
    for (const std::uint32_t node : nodes) {
        if (asset.author.empty()) asset.author = context.values.text(node, "a");
        if (asset.generator.empty()) asset.generator = context.values.text(node, "s");
    }
    char axis = 0;
    if (!nodes.empty()) {
        const std::string up = context.values.text(nodes[0], "up");
        if (up.size() == 1 && up[0] >= 'x' && up[0] <= 'z')
            axis = up[0];
        else if (!up.empty())
            context.warn(Code::UP_AXIS, nodes[0], up, "up");
        if (const CastProperty root = context.document.find(nodes[0], "sr"); root.type == CastType::text && root.count > 0)
            asset.properties.push_back({"sceneRoot", castText(root)});
    }
    FileSpace space = context.options.space;
    if (!space.upAxis) space.upAxis = axis;
    space.applyTo(context.scene);
}

void addModel(CastContext& context, std::uint32_t index) {
    Scene& scene = context.scene;
    CastModel model;
    model.node = index;
    model.owner = static_cast<std::uint32_t>(scene.nodes.size());
    Node node;
    node.name = scene.strings.intern(context.name(index, scene.asset.name));
    node.parent = 0;
    node.local = {context.vec3(index, "p", {}), context.rotation(index, "r"), context.vec3(index, "s", {1, 1, 1})};
    node.properties = context.unknownProperties(index);
    scene.nodes.push_back(std::move(node));

    model.materialLinks = CastLinks(context.document, index, {castIds::material});
    Vector<std::uint32_t> shown;
    for (const std::uint32_t child : context.document.children(index)) {
        switch (context.node(child).id) {
            case castIds::skeleton:
                if (model.skeleton.node == CastNode::noParent)
                    addCastSkeleton(context, child, model.owner, model.skeleton);
                else
                    context.warn(Code::SKELETON_DUPLICATE, child);
                break;
            case castIds::material:
                addCastMaterial(context, child, model);
                break;
            case castIds::mesh:
            case castIds::hair:
                shown.push_back(child);
                break;
            case castIds::blendShape:
                model.hasShapes = true;
                break;
            default:
                break;
        }
    }
    // Adds meshes last, because they can precede their skeleton and materials in the file.
    for (const std::uint32_t child : shown) {
        if (context.arena.exhausted()) return;
        if (context.node(child).id == castIds::mesh)
            addCastMesh(context, child, model);
        else
            addCastHair(context, child, model);
    }
    if (model.hasShapes) addCastBlendShapes(context, model);
    finishCastBoxes(context, model);
    if (model.skeleton.node != CastNode::noParent) addCastRigging(context, model.skeleton);
}

/// Adds the skeleton of an animation if the file has no model.
void addEmbeddedSkeletons(CastContext& context, const Vector<std::uint32_t>& animations, bool hasModel) {
    bool taken = hasModel;
    for (const std::uint32_t animation : animations) {
        for (const std::uint32_t child : context.document.children(animation)) {
            if (context.node(child).id != castIds::skeleton) continue;
            if (taken) {
                context.add(Code::SKELETON_UNUSED, Severity::info, child);
                continue;
            }
            taken = true;
            CastSkeleton skeleton;
            addCastSkeleton(context, child, 0, skeleton);
            addCastRigging(context, skeleton);
        }
    }
}

}  // namespace

void CastContext::add(Code code, Severity severity, std::uint32_t node, const Detail& detail, std::string_view property,
                      std::uint64_t count) {
    std::uint64_t offset = document.nodes[node].offset;
    if (!property.empty() && findings.lists(code)) {
        Budget::count(document.nodes[node].propertyCount / 64);
        for (const CastProperty& each : document.propertiesOf(node))
            if (each.name == property && !each.payload.empty()) offset = document.offsetOf(each.payload);
    }
    findings.add(code, severity, node, offset, detail, property, count);
}

double CastContext::number(std::uint32_t node, CastName name, double fallback) {
    return number(node, document.find(node, name), name, fallback);
}

double CastContext::number(std::uint32_t node, const CastProperty& property, CastName name, double fallback) {
    const double value = castNumberOf(property).value_or(fallback);
    if (isFloat(value)) return value;
    warn(Code::NON_FINITE, node, {}, name.text());
    return fallback;
}

Vec3 CastContext::vec3(std::uint32_t node, CastName name, Vec3 fallback) {
    const Vec3 value = values.vec3(node, name).value_or(fallback);
    if (isFinite(value)) return value;
    warn(Code::NON_FINITE, node, {}, name.text());
    return fallback;
}

Quat CastContext::rotation(std::uint32_t node, CastName name) {
    const Quat value = values.vec4(node, name).value_or(Quat{});
    if (!isFinite(value))
        warn(Code::NON_FINITE, node, {}, name.text());
    else if (!(std::fabs(std::sqrt(lengthSquared(value)) - 1) <= 1e-3))
        warn(Code::QUATERNION_NOT_UNIT, node, {}, name.text());
    return normalized(value);
}

std::string CastContext::shared(std::string_view text, std::uint32_t node) {
    if (Budget::spend(text.size())) return std::string(text);
    add(Code::WORK_LIMIT, Severity::error, node, {"a string of {} bytes", {text.size()}});
    return {};
}

Properties CastContext::unknownProperties(std::uint32_t node) const {
    constexpr std::size_t most = 64;
    Properties unknown;
    const CastNodeRule* rule = document.nodes[node].rule;
    if (!rule) return unknown;
    std::uint32_t layer = 0;
    for (const CastProperty& property : document.propertiesOf(node)) {
        const bool isKnown = std::any_of(rule->properties.begin(), rule->properties.end(),
                                         [name = CastName(property.name)](const CastPropertyRule& entry) { return entry.name == name; });
        if (isKnown || isLayerName(property.name, 'c', layer) || isLayerName(property.name, 'u', layer)) continue;
        if (rule->id == castIds::material && property.type == CastType::u64) continue;  // the property is a texture slot
        Value value = castValue(property);
        if (value.isNull() || unknown.size() == most) continue;
        unknown.push_back({repairUtf8(property.name), std::move(value)});
    }
    return unknown;
}

CastLinks::CastLinks(const CastDocument& document, std::uint32_t parent, std::initializer_list<std::uint32_t> ids) {
    for (const std::uint32_t child : document.children(parent)) {
        const CastNode& node = document.nodes[child];
        if (std::find(ids.begin(), ids.end(), node.id) != ids.end()) targets_.push_back({document.hash(child), child});
    }
    sortBy(targets_, [](const auto& target) { return target.first; });
}

std::uint32_t CastMap::find(std::uint32_t node) const {
    const auto found = std::lower_bound(list_.begin(), list_.end(), std::pair<std::uint32_t, std::uint32_t>{node, 0});
    return found != list_.end() && found->first == node ? found->second : none;
}

std::uint32_t CastLinks::find(CastContext& context, std::uint32_t node, CastName property) const {
    const auto hash = context.values.hash(node, property);
    return hash ? find(context, node, property.text(), *hash) : CastNode::noParent;
}

std::uint32_t CastLinks::find(CastContext& context, std::uint32_t node, std::string_view property, std::uint64_t hash) const {
    const auto found = std::lower_bound(targets_.begin(), targets_.end(), std::pair<std::uint64_t, std::uint32_t>{hash, 0});
    if (found == targets_.end() || found->first != hash) {
        context.warn(Code::LINK_UNRESOLVED, node, castHash(hash), property);
        return CastNode::noParent;
    }
    const auto other = found + 1;
    if (other != targets_.end() && other->first == hash) context.warn(Code::LINK_AMBIGUOUS, node, castHash(hash), property);
    return found->second;
}

void addCastScene(CastContext& context) {
    Vector<std::uint32_t> metadata, animations, models, instances;
    const auto sort = [&](std::uint32_t node) {
        switch (context.node(node).id) {
            case castIds::metadata:
                metadata.push_back(node);
                break;
            case castIds::model:
                models.push_back(node);
                break;
            case castIds::animation:
                animations.push_back(node);
                break;
            case castIds::instance:
                instances.push_back(node);
                break;
            default:
                break;
        }
    };
    for (const std::uint32_t root : context.document.roots()) {
        // Treats a node outside a root as if it were inside one. It has already been reported.
        if (context.node(root).id != castIds::root) sort(root);
        for (const std::uint32_t child : context.document.children(root))
            if (context.node(root).id == castIds::root) sort(child);
    }
    addMetadata(context, metadata);
    for (const std::uint32_t model : models) addModel(context, model);
    addEmbeddedSkeletons(context, animations, !models.empty());
    addCastClips(context, animations);
    addCastInstances(context, instances);
}

}  // namespace rigcast
