#include "formats/cast/schema.hpp"

#include <algorithm>
#include <string>

#include "formats/cast/document.hpp"

namespace rigcast {

namespace {

constexpr std::uint16_t ints = castIntegers;
constexpr std::uint16_t flag = castMask(CastType::u8);
constexpr std::uint16_t word = castMask(CastType::u32);
constexpr std::uint16_t link = castMask(CastType::u64);
constexpr std::uint16_t real = castMask(CastType::f32);
constexpr std::uint16_t text = castMask(CastType::text);
constexpr std::uint16_t vec3 = castMask(CastType::vec3);
constexpr std::uint16_t vec4 = castMask(CastType::vec4);

using Rules = std::span<const CastPropertyRule>;

constexpr CastPropertyRule modelRules[] = {{"n", text}, {"p", vec3}, {"r", vec4}, {"s", vec3}};
// vp and f are also required, but are not marked as such, because finding C030 reports their
// absence.
constexpr CastPropertyRule meshRules[] = {{"n", text},  {"vp", vec3}, {"vn", vec3}, {"vt", vec3}, {"f", ints}, {"wb", ints}, {"wv", real},
                                          {"mi", ints}, {"ul", ints}, {"cl", ints}, {"sm", text}, {"m", link}, {"vc", word}};
constexpr CastPropertyRule hairRules[] = {{"n", text}, {"se", ints, true}, {"pt", vec3, true}, {"m", link}};
// Older writers use the properties t and vd (cast.md section 6).
constexpr CastPropertyRule blendShapeRules[] = {{"n", text, true}, {"b", link, true}, {"vi", ints}, {"vp", vec3},
                                                {"ts", real},      {"t", link},       {"vd", vec3}};
constexpr CastPropertyRule boneRules[] = {{"n", text, true}, {"p", word},  {"ssc", flag}, {"lp", vec3},
                                          {"lr", vec4},      {"wp", vec3}, {"wr", vec4},  {"s", vec3}};
constexpr CastPropertyRule ikRules[] = {{"n", text},  {"sb", link, true}, {"eb", link, true}, {"tb", link},
                                        {"to", vec3}, {"pv", link},       {"pb", link},       {"tr", flag}};
constexpr CastPropertyRule constraintRules[] = {{"n", text},  {"ct", text, true},  {"cb", link, true}, {"tb", link, true},
                                                {"mo", flag}, {"co", vec3 | vec4}, {"wt", real},       {"sx", flag},
                                                {"sy", flag}, {"sz", flag}};
constexpr CastPropertyRule materialRules[] = {{"n", text, true}, {"t", text, true}};
constexpr CastPropertyRule fileRules[] = {{"p", text, true}};
constexpr CastPropertyRule colorRules[] = {{"n", text}, {"cs", text}, {"rgba", vec4, true}};
constexpr CastPropertyRule animationRules[] = {{"n", text}, {"fr", real}, {"lo", flag}};
constexpr CastPropertyRule curveRules[] = {{"nn", text, true}, {"kp", text, true}, {"kb", ints | real | castMask(CastType::f64), true},
                                           {"kv", 0, true},    {"m", text, true},  {"ab", real},
                                           {"ts", text}};
constexpr CastPropertyRule overrideRules[] = {{"nn", text, true}, {"m", text, true}, {"ot", flag}, {"or", flag}, {"os", flag}};
constexpr CastPropertyRule notificationRules[] = {{"n", text, true}, {"kb", ints, true}};
// A draft of 2024-01 used the name r for the link.
constexpr CastPropertyRule instanceRules[] = {{"n", text}, {"rf", link}, {"p", vec3, true}, {"r", vec4 | link, true}, {"s", vec3, true}};
constexpr CastPropertyRule metadataRules[] = {{"a", text}, {"s", text}, {"up", text}, {"sr", text}};

using namespace castIds;
constexpr std::uint32_t inRoot[] = {root}, inModel[] = {model}, inModelOrAnimation[] = {model, animation}, inSkeleton[] = {skeleton},
                        inMaterial[] = {material}, inMaterialOrInstance[] = {material, instance}, inAnimation[] = {animation};

// The list starts with the most frequent kinds of nodes, so that they are found fastest.
constexpr CastNodeRule rules[] = {
    {curve, "Curve", inAnimation, curveRules},
    {bone, "Bone", inSkeleton, boneRules},
    {instance, "Instance", inRoot, instanceRules},
    {castIds::file, "File", inMaterialOrInstance, fileRules},
    {root, "Root", {}, {}},
    {model, "Model", inRoot, modelRules},
    {mesh, "Mesh", inModel, meshRules},
    {hair, "Hair", inModel, hairRules},
    {blendShape, "BlendShape", inModel, blendShapeRules},
    {skeleton, "Skeleton", inModelOrAnimation, {}},
    {ikHandle, "IKHandle", inSkeleton, ikRules},
    {constraint, "Constraint", inSkeleton, constraintRules},
    {material, "Material", inModel, materialRules},
    {color, "Color", inMaterial, colorRules},
    {animation, "Animation", inRoot, animationRules},
    {modeOverride, "CurveModeOverride", inAnimation, overrideRules},
    {notification, "NotificationTrack", inAnimation, notificationRules},
    {metadata, "Metadata", inRoot, metadataRules},
};

/// Returns the valid types of a property whose name contains a number (such as u0), or of a texture
/// slot. Returns 0 for other names.
std::uint16_t familyTypes(const CastNodeRule& rule, const CastProperty& property) {
    std::uint32_t layer = 0;
    if (rule.id == mesh) {
        if (isLayerName(property.name, 'c', layer)) return word | vec4;
        if (isLayerName(property.name, 'u', layer)) return castMask(CastType::vec2);
    }
    // Texture slots are links. The reference library treats every unknown property of a material as
    // a slot.
    if (rule.id == material && property.type == CastType::u64) return link;
    return 0;
}

void checkProperties(const CastDocument& document, std::uint32_t index, const CastNodeRule& rule, CastFindings& findings) {
    const CastNode& node = document.nodes[index];
    std::uint32_t seen = 0;
    for (const CastProperty& property : document.propertiesOf(index)) {
        const auto known = std::find_if(rule.properties.begin(), rule.properties.end(),
                                        [name = CastName(property.name)](const CastPropertyRule& entry) { return entry.name == name; });
        const bool isKnown = known != rule.properties.end();
        if (isKnown) seen |= 1u << (known - rule.properties.begin());
        const std::uint16_t allowed = isKnown ? known->types : familyTypes(rule, property);
        const std::uint64_t offset = document.offsetOf(property.payload);
        if (!isKnown && !allowed)
            findings.add(Code::UNKNOWN_PROPERTY, Severity::info, index, offset, {}, property.name);
        else if (allowed && property.count > 0 && !(allowed & castMask(property.type)))
            findings.add(Code::PROPERTY_TYPE, Severity::warning, index, offset, infoOf(property.type).spelling, property.name);
    }
    for (std::size_t i = 0; i < rule.properties.size(); ++i)
        if (rule.properties[i].isRequired && !(seen >> i & 1) && !node.isOpaque)
            findings.add(Code::PROPERTY_MISSING, Severity::warning, index, node.offset, {}, rule.properties[i].name.text());
}

/// Returns true for a node that represents a texture in files that Greyhound wrote in June and July
/// 2022: a Material node with a path below another Material (cast.md section 6).
bool isPathMaterial(const CastDocument& document, std::uint32_t index) {
    const CastNode& node = document.nodes[index];
    return node.id == material && node.parent != CastNode::noParent && document.nodes[node.parent].id == material &&
           document.find(index, "p").type == CastType::text;
}

}  // namespace

const CastNodeRule* castRule(std::uint32_t id) {
    for (const CastNodeRule& rule : rules)
        if (rule.id == id) return &rule;
    return nullptr;
}

bool isLayerName(std::string_view name, char letter, std::uint32_t& layer) {
    if (name.size() < 2 || name.size() > 6 || name[0] != letter || (name[1] == '0' && name.size() > 2)) return false;
    layer = 0;
    for (const char c : name.substr(1)) {
        if (c < '0' || c > '9') return false;
        layer = layer * 10 + static_cast<std::uint32_t>(c - '0');
    }
    return true;
}

void checkSchema(const CastDocument& document, CastFindings& findings) {
    for (std::uint32_t i = 0; i < document.nodes.size(); ++i) {
        const CastNode& node = document.nodes[i];
        const CastNodeRule* rule = node.rule;
        // Unknown nodes have been reported; nodes that represent several curves have no findings.
        if (!rule || node.curves) continue;
        if (isPathMaterial(document, i)) continue;  // already reported for its slot
        if (node.parent != CastNode::noParent) {
            const CastNode& parent = document.nodes[node.parent];
            if (parent.rule && std::find(rule->parents.begin(), rule->parents.end(), parent.id) == rule->parents.end())
                findings.add(Code::NODE_PLACE, Severity::warning, i, node.offset, {"under {}", {parent.rule->kind}});
        }
        checkProperties(document, i, *rule, findings);
    }
}

}  // namespace rigcast
