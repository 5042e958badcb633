// Converts materials. Stores two names for every texture slot: the standard name, and the name in
// the file. The material workflow determines the meaning of `specular`.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text.hpp"
#include "core/vector.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

struct SlotRule {
    std::string_view source;
    std::string_view slot;
    bool isColor;  // true: images are sRGB
};

/// Texture slots from the specification, and other slots that writers use (cast.md sections 2 and
/// 4.1).
constexpr SlotRule slotRules[] = {
    {"albedo", "baseColor", true},
    {"diffuse", "baseColor", true},
    {"normal", "normal", false},
    {"specular", "specular", false},
    {"metal", "metallic", false},
    {"gloss", "gloss", false},
    {"roughness", "roughness", false},
    {"emissive", "emissive", true},
    {"emask", "emissiveMask", false},
    {"ao", "occlusion", false},
    {"cavity", "cavity", false},
    {"aniso", "anisotropy", false},
    {"estrength", "emissiveStrength", false},
};

/// Returns value^2.4 as (value * fifth root of value)^2. Unlike std::pow, the result is identical
/// on every platform, and the code is smaller.
double power2_4(double value) {
    double root = std::sqrt(std::sqrt(value));
    for (int i = 0; i < 40; ++i) {
        const double cube = root * root * root;
        root -= (cube * root * root - value) / (5 * cube * root);
    }
    return value * root * (value * root);
}

float toLinear(double c) { return static_cast<float>(c <= 0.04045 ? c / 12.92 : power2_4((c + 0.055) / 1.055)); }

class MaterialBuilder {
public:
    MaterialBuilder(CastContext& context, std::uint32_t node)
        : context_(context), node_(node), links_(context.document, node, {castIds::file, castIds::color, castIds::material}) {}

    Material build() {
        material_.name = context_.name(node_, "");
        // The format does not specify which sides are drawn. Maya and Blender, the programs that
        // use it, draw both.
        material_.side = Side::both;
        const std::string type = context_.values.text(node_, "t", "pbr");
        if (type != "pbr") material_.properties.push_back({"type", type});
        for (Property& property : context_.unknownProperties(node_)) material_.properties.push_back(std::move(property));
        Vector<CastProperty> slots;
        for (const CastProperty& property : context_.document.propertiesOf(node_))
            if (property.type == CastType::u64 && property.count == 1) slots.push_back(property);
        const bool isMetal = std::any_of(slots.begin(), slots.end(), [](const CastProperty& slot) { return slot.name == "metal"; });
        material_.model = isMetal ? "standard" : "specular";
        for (const CastProperty& slot : slots) addSlot(slot, isMetal);
        if (pathNodes_) context_.add(Code::LEGACY_FORM, Severity::info, node_, {"{} textures are Material nodes", {pathNodes_}});
        if (!colorNames_.empty()) material_.properties.push_back({"colorNames", std::move(colorNames_)});
        applyFactors();
        return std::move(material_);
    }

private:
    void addSlot(const CastProperty& property, bool isMetal) {
        MaterialSlot slot;
        slot.source = repairUtf8(property.name);
        slot.slot = slot.source;
        bool isColor = false;
        for (const SlotRule& rule : slotRules) {
            if (rule.source != property.name) continue;
            slot.slot = rule.slot;
            isColor = rule.isColor;
        }
        if (slot.slot == "specular" && !isMetal) {
            slot.slot = "specularColor";
            isColor = true;
        }
        // If the standard name is already in use, the slot keeps its name in the file instead.
        if (slot.slot != slot.source) {
            if (std::find(usedNames_.begin(), usedNames_.end(), slot.slot) != usedNames_.end())
                slot.slot = slot.source;
            else
                usedNames_.push_back(slot.slot);
        }
        const std::uint64_t hash = loadValue<std::uint64_t>(property.payload.data());
        const std::uint32_t target = links_.find(context_, node_, property.name, hash);
        if (target == CastNode::noParent) {
            material_.properties.push_back({slot.source, castHash(hash)});
        } else if (context_.node(target).id == castIds::color) {
            const CastContext::Target& color = colorOf(target);
            slot.hasColor = true;
            std::copy(color.color, color.color + 4, slot.color);
            if (const std::string name = context_.shared(color.name, node_); !name.empty())
                colorNames_.push_back({slot.source, repairUtf8(name)});
            material_.slots.push_back(std::move(slot));
        } else {
            pathNodes_ += context_.node(target).id == castIds::material;
            slot.texture = textureOf(target, isColor);
            material_.slots.push_back(std::move(slot));
        }
    }

    CastContext::Target& targetOf(std::uint32_t node) {
        context_.targetOf.resize(context_.document.nodes.size(), none);
        std::uint32_t& row = context_.targetOf[node];
        if (row == none) {
            row = static_cast<std::uint32_t>(context_.targets.size());
            context_.targets.emplace_back();
        }
        return context_.targets[row];
    }

    std::uint32_t textureOf(std::uint32_t file, bool isColor) {
        CastContext::Target& target = targetOf(file);
        if (!std::exchange(target.isRead[isColor], true))
            target.textures[isColor] = context_.textures.add(context_.scene, context_.values.text(file, "p"), isColor);
        return target.textures[isColor];
    }

    const CastContext::Target& colorOf(std::uint32_t node) {
        CastContext::Target& target = targetOf(node);
        if (!std::exchange(target.isRead[2], true)) {
            target.name = context_.document.find(node, "n").text();
            readColor(node, target.color);
        }
        return target;
    }

    void readColor(std::uint32_t node, float* to) {
        const Quat stored = context_.values.vec4(node, "rgba").value_or(Quat{1, 1, 1, 1});
        double rgba[4] = {stored.x, stored.y, stored.z, stored.w};
        for (double& value : rgba) {
            if (std::isfinite(value)) continue;
            context_.warn(Code::NON_FINITE, node, {}, "rgba");
            value = 0;
        }
        const std::string space = context_.values.text(node, "cs", "srgb");
        if (space != "srgb" && space != "linear") context_.warn(Code::VALUE_UNKNOWN, node, space, "cs");
        for (int i = 0; i < 3; ++i) to[i] = space == "linear" ? static_cast<float>(rgba[i]) : toLinear(rgba[i]);
        for (int i = 0; i < 3; ++i)
            if (!std::isfinite(to[i])) to[i] = 0;
        to[3] = static_cast<float>(rgba[3]);
    }

    const MaterialSlot* find(std::string_view name) const {
        for (const MaterialSlot& slot : material_.slots)
            if (slot.slot == name) return &slot;
        return nullptr;
    }

    /// Sets the factor of each standard input: the colour in the file, or 1 if the input has a
    /// texture.
    void applyFactors() {
        if (const MaterialSlot* base = find("baseColor"); base && base->hasColor) std::copy(base->color, base->color + 4, material_.color);
        if (const MaterialSlot* emissive = find("emissive"))
            for (int i = 0; i < 3; ++i) material_.emissive[i] = emissive->hasColor ? emissive->color[i] : 1;
        if (const MaterialSlot* metal = find("metallic")) material_.metalness = metal->hasColor ? metal->color[0] : 1;
        if (const MaterialSlot* roughness = find("roughness"))
            material_.roughness = roughness->hasColor ? roughness->color[0] : 1;
        else if (const MaterialSlot* gloss = find("gloss"))
            material_.roughness = gloss->hasColor ? 1 - gloss->color[0] : 1;
    }

    CastContext& context_;
    std::uint32_t node_;
    CastLinks links_;
    Material material_;
    Properties colorNames_;          // name of the colour in each slot
    Vector<std::string> usedNames_;  // standard names that are in use
    // Number of slots whose texture is a Material node with a path, as Greyhound wrote in June and
    // July 2022.
    std::uint32_t pathNodes_ = 0;
};

}  // namespace

void addCastMaterial(CastContext& context, std::uint32_t material, CastModel& model) {
    model.materials.add(material, static_cast<std::uint32_t>(context.scene.materials.size()));
    context.scene.materials.push_back(MaterialBuilder(context, material).build());
}

std::uint32_t castMaterialOf(CastContext& context, std::uint32_t node, const CastModel& model) {
    return model.materials.find(model.materialLinks.find(context, node, "m"));
}

}  // namespace rigcast
