// Converts materials (by the family of their Unity shader), textures and images (vgo.md sections
// 5.6, 5.7 and 9). All values of a material are also stored as properties.
#include <cmath>

#include "core/code.hpp"
#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// A family of shaders. `modes` contains the alpha mode for each value of `blend`: o opaque, m
/// mask, b blend, z blend with depth writes, a add, x multiply.
struct Family {
    std::string_view name;
    bool anywhere;  // true: the shader name contains `name`; false: it starts with `name`
    std::string_view model;
    const char* surface;  // property that must be 1 for `blend` to apply
    const char* blend;
    std::string_view modes;
    const char* clip;  // property that enables the alpha test of opaque surfaces
};

constexpr Family families[] = {
    {"Skybox/", false, "skybox", "", "", "", ""},
    {"_lil/", true, "liltoon", "", "_TransparentMode", "ombbbmb", ""},
    {"lilToon", true, "liltoon", "", "", "", ""},
    {"VRM/MToon", false, "mtoon", "", "_BlendMode", "ombz", ""},
    {"MToon10", true, "mtoon", "", "_AlphaMode", "omb", ""},
    {"UniGLTF/UniUnlit", false, "unlit", "", "_BlendMode", "omb", ""},
    {"VRM/Unlit", false, "unlit", "", "", "", ""},
    {"Unlit/", false, "unlit", "", "", "", ""},
    {"Particles/", false, "standard", "", "_Mode", "ombbabx", ""},
    {"Universal Render Pipeline/", false, "standard", "_Surface", "_Blend", "bbax", "_AlphaClip"},
    {"HDRP/", false, "standard", "_SurfaceType", "_BlendMode", "babbb", "_AlphaCutoffEnable"},
    {"Standard", false, "standard", "", "_Mode", "ombb", ""},
    {"UniGLTF/StandardVColor", false, "standard", "", "_Mode", "ombb", ""},
};

/// Maps a shader texture to a slot. If several textures have the same slot, the first one in this
/// list is used. If `hasOwnTransform` is false, scale and offset are those of the base texture, as
/// in Unity.
struct SlotRule {
    std::string_view source;
    std::string_view slot;
    bool isColor;
    bool hasOwnTransform;
};

constexpr SlotRule slotRules[] = {
    {"_BaseColorMap", "baseColor", true, true},
    {"_BaseMap", "baseColor", true, true},
    {"_MainTex", "baseColor", true, true},
    {"_NormalMap", "normal", false, false},
    {"_BumpMap", "normal", false, false},
    {"_MetallicGlossMap", "metallicRoughness", false, false},
    {"_MaskMap", "maskMap", false, false},
    {"_OcclusionMap", "occlusion", false, false},
    {"_EmissiveColorMap", "emissive", true, false},
    {"_EmissionMap", "emissive", true, false},
    {"_SpecGlossMap", "specularGloss", true, false},
    {"_DetailAlbedoMap", "detailBaseColor", true, true},
    {"_DetailNormalMap", "detailNormal", false, true},
    {"_DetailMask", "detailMask", false, false},
    {"_ParallaxMap", "height", false, false},
    {"_ShadeTexture", "shade", true, false},
    {"_ShadeTex", "shade", true, false},
    {"_ShadowColorTex", "shade", true, false},
    {"_ShadingShiftTex", "shadingShift", false, false},
    {"_SphereAdd", "matcap", true, true},
    {"_MatcapTex", "matcap", true, true},
    {"_MatCapTex", "matcap", true, true},
    {"_RimTexture", "rim", true, false},
    {"_RimTex", "rim", true, false},
    {"_RimColorTex", "rim", true, false},
    {"_OutlineWidthTexture", "outlineWidth", false, false},
    {"_OutlineWidthTex", "outlineWidth", false, false},
    {"_OutlineWidthMask", "outlineWidth", false, false},
    {"_UvAnimMaskTexture", "uvAnimationMask", false, false},
    {"_UvAnimMaskTex", "uvAnimationMask", false, false},
};

constexpr std::size_t mostSlots = 256;  // maximum number of slots; more indicate damage and are kept only as properties

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

const Family* familyOf(std::string_view shader) {
    for (const Family& family : families)
        if (family.anywhere ? contains(shader, family.name) : shader.substr(0, family.name.size()) == family.name) return &family;
    return nullptr;
}

/// Returns the number with this name in the int or float map, or nullptr if neither map contains
/// it.
const Value* switchOf(const Value& material, const char* name) {
    const Value* found = vgoMember(vgoMember(&material, "intProperties"), name);
    return found ? found : vgoMember(vgoMember(&material, "floatProperties"), name);
}

float numberOf(const Value& material, const char* name, float fallback) {
    const Value* found = switchOf(material, name);
    const double value = found ? vgoNumber(*found, fallback) : fallback;
    return std::fabs(value) < 1e9 ? static_cast<float>(value) : fallback;
}

/// Returns the number for the first of several names that exists, or `fallback` if none of them
/// exists.
float firstOf(const Value& material, std::initializer_list<const char*> names, float fallback) {
    for (const char* name : names)
        if (switchOf(material, name)) return numberOf(material, name, fallback);
    return fallback;
}

bool colorOf(const Value& material, const char* name, float* to, std::size_t count) {
    return vgoFloats(vgoMember(vgoMember(&material, "colorProperties"), name), to, count);
}

/// Determines the MIME type of an image from its signature. Returns an empty string for types that
/// browsers do not support.
std::string_view imageType(Bytes bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (text.substr(0, 8) == "\x89PNG\r\n\x1a\n" && bytes.size() > 24 && text.substr(12, 4) == "IHDR") return "image/png";
    if (text.substr(0, 3) == "\xFF\xD8\xFF") return "image/jpeg";
    if (text.substr(0, 4) == "RIFF" && text.substr(8, 4) == "WEBP" && text.substr(12, 3) == "VP8") return "image/webp";
    return {};
}

class MaterialBuilder {
public:
    explicit MaterialBuilder(VgoBuild& build) : build_(build), sizes_(build.textures.size()) {}

    void run() {
        for (std::size_t i = 0; i < build_.textures.size() && !build_.arena.exhausted(); ++i) addTexture(i);
        for (std::size_t i = 0; i < build_.materials.size(); ++i) addMaterial(i);
    }

private:
    struct TextureTransform {
        float scale[2] = {1, 1}, offset[2] = {0, 0};
    };

    // ---- textures

    void addTexture(std::size_t index) {
        const Value& source = build_.textures[index];
        Texture texture;
        texture.name = vgoText(&source, "name");
        texture.image = imageOf(source, index, texture.name);
        const auto enumOf = [&](const char* member, std::size_t last) {
            const double value = vgoNumber(&source, member, 0);
            return static_cast<std::size_t>(value > 0 && value <= static_cast<double>(last) ? value : 0);
        };
        constexpr Wrap wraps[] = {Wrap::repeat, Wrap::clamp, Wrap::mirror, Wrap::clamp};
        constexpr Filter filters[] = {Filter::nearest, Filter::linear, Filter::trilinear};
        texture.wrapU = wraps[enumOf("wrapModeU", 3)];
        texture.wrapV = wraps[enumOf("wrapModeV", 3)];
        texture.filter = filters[enumOf("filterMode", 2)];
        texture.srgb = vgoNumber(&source, "colorSpace", 0) == 0;
        texture.properties = keptMembers(source);
        build_.scene.textures.push_back(std::move(texture));
    }

    std::uint32_t imageOf(const Value& texture, std::size_t index, const std::string& name) {
        const Value* source = vgoMember(&texture, "source");
        const VgoAccessor* accessor = build_.accessor(source, Severity::warning, "textures", index, "source");
        if (!accessor) return none;
        std::uint32_t& row = images_[accessor];
        if (row != none) return row;
        const Bytes bytes = accessor->isSparse() ? Bytes{} : accessor->data;
        const std::string_view type = imageType(bytes);
        if (type.empty()) {
            build_.warn(Code::TEXTURE_DAMAGED, "textures", index);
            return none;
        }
        const std::string claimed = vgoText(&texture, "mimeType");
        if (!claimed.empty() && claimed != type) build_.warn(Code::IMAGE_TYPE, "textures", index, claimed);
        Image image;
        image.name = name;
        image.mimeType = type;
        image.bytes = build_.arena.copy(build_.arena.addBlock(), bytes);
        row = static_cast<std::uint32_t>(build_.scene.images.size());
        build_.scene.images.push_back(std::move(image));
        return row;
    }

    Properties keptMembers(const Value& source) {
        Properties kept;
        if (const auto* members = source.get<Properties>())
            for (const auto& [name, value] : *members)
                if (name != "name" && !value.isNull()) build_.keep(kept, name, value);
        return kept;
    }

    /// Returns the texture with the same index as in the layout, or a copy of it if scale, offset
    /// or colour space differ.
    std::uint32_t textureOf(std::uint32_t index, bool isColor, const TextureTransform& transform) {
        // Converts V, because Unity's UV origin is at the bottom.
        const float offsetV = 1 - transform.offset[1] - transform.scale[1];
        const Texture& original = build_.scene.textures[index];
        const bool isPlaced = transform.scale[0] != 1 || transform.scale[1] != 1 || transform.offset[0] != 0 || transform.offset[1] != 0;
        if (!isPlaced && original.srgb == isColor) return index;
        const struct {
            std::uint32_t index, isColor;
            TextureTransform transform;
        } key{index, isColor, transform};
        std::uint32_t& row = copies_[key];
        if (row != none) return row;
        std::uint64_t& size = sizes_[index];
        if (size == 0) size = 2 * vgoSize(build_.textures[index]) + original.name.size();
        if (!build_.spend(size, "textures", index)) return index;
        row = static_cast<std::uint32_t>(build_.scene.textures.size());
        Texture copy = original;
        copy.srgb = isColor;
        copy.scale[0] = transform.scale[0];
        copy.scale[1] = transform.scale[1];
        copy.offset[0] = transform.offset[0];
        copy.offset[1] = offsetV;
        build_.scene.textures.push_back(std::move(copy));
        return row;
    }

    /// Reads scale and offset of a texture, which some old particle materials store as one vector.
    /// Returns true if the material contains a scale or an offset.
    static bool readTextureTransform(const Value& material, const char* name, TextureTransform& transform) {
        const bool isScaled = vgoFloats(vgoMember(vgoMember(&material, "textureScaleProperties"), name), transform.scale, 2);
        const bool isMoved = vgoFloats(vgoMember(vgoMember(&material, "textureOffsetProperties"), name), transform.offset, 2);
        if (isScaled || isMoved) return true;
        float vector[4] = {1, 1, 0, 0};
        const bool isGiven = vgoFloats(vgoMember(vgoMember(&material, "vectorProperties"), (std::string(name) + "_ST").c_str()), vector, 4);
        std::copy(vector, vector + 2, transform.scale);
        std::copy(vector + 2, vector + 4, transform.offset);
        return isGiven;
    }

    // ---- materials

    void addMaterial(std::size_t index) {
        const Value& source = build_.materials[index];
        Material material;
        material.name = vgoText(&source, "name");
        const std::string shader = vgoText(&source, "shaderName");
        const Family* family = familyOf(shader);
        const bool isUnlit = vgoFlag(&source, "isUnlit", false);
        if (!family && !shader.empty()) build_.add(Code::SHADER_UNKNOWN, Severity::info, "materials", index, shader);
        if (family) material.model = family->model;
        if (material.model == "standard" && (isUnlit || (family && contains(shader, "Unlit")))) material.model = "unlit";

        for (const char* name : {"_BaseColor", "_Color", "_TintColor"})
            if (colorOf(source, name, material.color, 4)) break;
        if (hasEmission(source, material.model) && !colorOf(source, "_EmissiveColor", material.emissive, 3))
            colorOf(source, "_EmissionColor", material.emissive, 3);
        material.metalness = firstOf(source, {"_Metallic"}, 0);
        const Value* textures = vgoMember(&source, "textureIndexProperties");
        const bool hasMap = vgoNumber(textures, "_MetallicGlossMap", -1) >= 0;
        const float smoothness =
            hasMap ? firstOf(source, {"_Smoothness", "_GlossMapScale"}, 1) : firstOf(source, {"_Smoothness", "_Glossiness"}, 0.5f);
        material.roughness = std::fmin(std::fmax(1 - smoothness, 0.f), 1.f);
        material.alphaCutoff = firstOf(source, {"_AlphaCutoff", "_Cutoff"}, 0.5f);
        setMode(material, modeOf(source, shader, family));
        if (numberOf(source, "_TransparentWithZWrite", 0) != 0 || contains(shader, "ZWrite") ||
            (material.model == "liltoon" && numberOf(source, "_ZWrite", 1) != 0))
            material.depthWrite = material.alphaMode == AlphaMode::blend;
        material.side = sideOf(source);
        const double queue = vgoNumber(&source, "renderQueue", -1);
        if (material.alphaMode != AlphaMode::opaque && material.alphaMode != AlphaMode::mask && queue >= 0 && queue < 100000)
            material.renderOrder = static_cast<std::int32_t>(queue) - 3000;
        addSlots(source, index, material);
        // The material uses the specular workflow if it has a specular colour (vgo.md section 9.3).
        const bool isSpecular =
            numberOf(source, "_WorkflowMode", 1) == 0 || numberOf(source, "_MaterialID", 1) == 4 || contains(shader, "Specular setup");
        MaterialSlot specular{.slot = "specularColor", .source = "_SpecColor", .hasColor = true};
        if (isSpecular && colorOf(source, "_SpecColor", specular.color, 4)) material.slots.push_back(std::move(specular));
        material.properties = keptMembers(source);
        build_.scene.materials.push_back(std::move(material));
    }

    /// Returns true if the material is emissive. A material with a standard shader is emissive only
    /// if the keyword for emission is set.
    static bool hasEmission(const Value& material, std::string_view model) {
        if (model == "liltoon") return numberOf(material, "_UseEmission", 0) != 0;
        const Value* keywords = vgoMember(&material, "keywordMap");
        if (model == "mtoon" || !keywords) return true;
        const bool isHdrp = vgoMember(vgoMember(&material, "colorProperties"), "_EmissiveColor");
        return isHdrp || vgoFlag(keywords, "_EMISSION", false) || numberOf(material, "_EmissionEnabled", 0) != 0;
    }

    static char modeOf(const Value& material, std::string_view shader, const Family* family) {
        if (family && *family->surface && numberOf(material, family->surface, 0) == 0)
            return numberOf(material, family->clip, 0) != 0 ? 'm' : 'o';
        if (contains(shader, "Hair")) return 'm';
        if (family && *family->blend) {
            // Old particle materials store the mode as _BlendMode.
            const float value = firstOf(material, {family->blend, "_BlendMode"}, *family->surface ? 0.f : -1.f);
            if (value >= 0 && value < static_cast<float>(family->modes.size())) return family->modes[static_cast<std::size_t>(value)];
        }
        // Determines the alpha mode from the shader name or, if the name does not indicate one,
        // from the tag.
        const std::string name = std::string(shader) + " " + vgoText(vgoMember(&material, "tagMap"), "RenderType");
        if (contains(name, "Cutout")) return 'm';
        for (const std::string_view part : {"Transparent", "Overlay", "Refraction", "Fur", "Gem"})
            if (contains(name, part)) return 'b';
        const bool isKnown = family && family->model != "liltoon";
        return !isKnown && vgoNumber(&material, "renderQueue", -1) >= 2900 ? 'b' : 'o';
    }

    static void setMode(Material& material, char mode) {
        material.depthWrite = mode == 'z';
        material.alphaMode = mode == 'm'                  ? AlphaMode::mask
                             : mode == 'b' || mode == 'z' ? AlphaMode::blend
                             : mode == 'a'                ? AlphaMode::add
                             : mode == 'x'                ? AlphaMode::multiply
                                                          : AlphaMode::opaque;
    }

    static Side sideOf(const Value& material) {
        if (firstOf(material, {"_DoubleSidedEnable", "_DoubleSided"}, 0) != 0) return Side::both;
        const float cull = firstOf(material, {"_M_CullMode", "_CullMode", "_Cull"}, 2);
        return cull == 0 ? Side::both : cull == 1 ? Side::back : Side::front;
    }

    void addSlots(const Value& source, std::size_t index, Material& material) {
        const Value* textures = vgoMember(&source, "textureIndexProperties");
        const auto* entries = textures ? textures->get<Properties>() : nullptr;
        if (!entries) return;
        TextureTransform base;
        bool hasBase = false;
        Vector<std::uint32_t> done(entries->size());
        const auto add = [&](std::size_t i, const SlotRule& rule) {
            done[i] = true;
            const auto& [name, value] = (*entries)[i];
            const std::uint32_t texture = build_.index(&value, build_.textures.size(), Severity::warning, "materials", index, name.c_str());
            if (texture >= build_.scene.textures.size() || material.slots.size() >= mostSlots) return;
            TextureTransform transform = base;
            if (rule.hasOwnTransform || material.model == "liltoon") {
                TextureTransform own;
                if (readTextureTransform(source, name.c_str(), own) || rule.hasOwnTransform) transform = own;
            }
            if (!hasBase && rule.slot == "baseColor") {
                hasBase = true;
                base = transform;
            }
            // For textures with unknown names, the map type determines the colour space.
            const bool isColor = rule.slot == name && material.model != "skybox" ? build_.scene.textures[texture].srgb : rule.isColor;
            MaterialSlot slot{.slot = std::string(rule.slot), .source = name, .texture = textureOf(texture, isColor, transform)};
            for (const MaterialSlot& other : material.slots) {
                if (other.slot != rule.slot) continue;
                if (other.texture == slot.texture) return;  // HDRP stores the base texture twice
                slot.slot = name;
            }
            material.slots.push_back(std::move(slot));
        };
        // Excludes skyboxes, because their textures are the faces of a cube, and their _MainTex is
        // a panorama.
        if (material.model != "skybox")
            for (const SlotRule& rule : slotRules)
                for (std::size_t i = 0; i < entries->size(); ++i)
                    if ((*entries)[i].name == rule.source && !done[i]) add(i, rule);
        for (std::size_t i = 0; i < entries->size(); ++i)
            if (!done[i]) add(i, {(*entries)[i].name, (*entries)[i].name, true, true});
    }

    VgoBuild& build_;
    VgoCache images_;              // image index, by accessor
    Vector<std::uint64_t> sizes_;  // size of a copy in bytes, by texture; 0: not computed yet
    VgoCache copies_;              // index of a copy, by texture, colour space, scale and offset
};

}  // namespace

bool drawsVertexColors(const Value& material) {
    const std::string shader = vgoText(&material, "shaderName");
    return contains(shader, "VColor") || contains(shader, "Particles") || numberOf(material, "_VColBlendMode", 0) == 1;
}

void addVgoMaterials(VgoBuild& build) { MaterialBuilder(build).run(); }

}  // namespace rigcast
