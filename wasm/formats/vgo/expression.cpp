// Converts presets and tags of blend shapes to expressions, with the names of VRM 1.0 (vgo.md
// sections 5.4 and 12.1).
#include <algorithm>
#include <cmath>

#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// VRM names by preset type. If VRM has no name for a type (empty text), expressions get the name
/// of the preset.
constexpr std::string_view presetTerms[] = {"", "neutral", "happy", "angry",     "sad",       "relaxed",
                                            "", "",        "",      "surprised", "blinkLeft", "blinkRight"};
constexpr std::string_view presetNames[] = {"Custom", "Neutral",  "Joy",   "Angry", "Sorrow",    "Fun",       "Confuse",   "Nervous",
                                            "Sleepy", "Surprise", "WinkL", "WinkR", "Preset_12", "Preset_13", "Preset_14", "Preset_15"};
constexpr std::string_view blinkTerms[] = {"", "blinkLeft", "blinkRight", "blink"};
/// Names by viseme type: VRM names for the five vowels, and the names of lip-sync tools for all
/// others.
constexpr std::string_view visemeTerms[] = {"viseme_sil", "viseme_PP", "viseme_FF", "viseme_TH", "viseme_DD",
                                            "viseme_kk",  "viseme_CH", "viseme_SS", "viseme_nn", "viseme_RR",
                                            "aa",         "ee",        "ih",        "oh",        "ou"};

class ExpressionBuilder {
public:
    explicit ExpressionBuilder(VgoBuild& build)
        : build_(build), presetsOf_(build.scene.meshes.size(), none), tagsOf_(build.scene.meshes.size(), none) {}

    void run() {
        for (const VgoRenderer& renderer : build_.renderers)
            if (renderer.row != none) addPresets(renderer);
        const std::size_t presets = list().size();
        for (const VgoRenderer& renderer : build_.renderers)
            if (renderer.row != none) addTags(renderer, presets);
        // If there is a blink expression for each eye but none for both eyes, adds an expression
        // for both.
        const std::uint32_t left = rows_.find("blinkLeft"), right = rows_.find("blinkRight");
        if (left == none || right == none || rows_.find("blink") != none) return;
        Expression both{"blink", "blink", list()[left].bindings};
        for (const ExpressionBinding& binding : list()[right].bindings) both.bindings.push_back(binding);
        list().push_back(std::move(both));
    }

private:
    Vector<Expression>& list() { return build_.scene.expressions; }

    std::uint32_t expressionOf(const std::string& name, std::string_view preset) {
        std::uint32_t& row = rows_.find(preset.empty() ? "=" + name : std::string(preset));
        if (row == none) {
            row = static_cast<std::uint32_t>(list().size());
            list().push_back({name, std::string(preset), {}});
        }
        return row;
    }

    /// An expression, and a morph target that it applies.
    struct Binding {
        std::uint32_t expression, morph;
        float weight;
    };

    /// Adds the presets of a renderer to expressions. Up to version 2.4, presets belong to the
    /// mesh, so they are read once per mesh.
    void addPresets(const VgoRenderer& renderer) {
        if (renderer.presets.empty()) return;
        const std::uint32_t mesh = build_.scene.renderers[renderer.row].mesh;
        std::uint32_t once = none;
        std::uint32_t& read = renderer.component ? once : presetsOf_[mesh];
        if (read == none) {
            read = static_cast<std::uint32_t>(lists_.size());
            lists_.push_back(readPresets(renderer, build_.scene.meshes[mesh].morphs.size()));
        }
        bindAll(renderer, lists_[read]);
    }

    Vector<Binding> readPresets(const VgoRenderer& renderer, std::size_t morphs) {
        Vector<Binding> bindings;
        for (const Value& preset : renderer.presets) {
            const double number = vgoNumber(&preset, "type", 0);
            const std::size_t type = number >= 0 && number < std::size(presetNames) ? static_cast<std::size_t>(number) : 0;
            std::string name = vgoText(&preset, "name");
            if (name.empty()) name = presetNames[type];
            const std::uint32_t expression = expressionOf(name, type < std::size(presetTerms) ? presetTerms[type] : std::string_view{});
            for (const Value& binding : vgoList(&preset, "bindings")) {
                const std::uint32_t morph =
                    build_.index(vgoMember(&binding, "index"), morphs, Severity::warning, "nodes", renderer.node, "blendShapePresets");
                if (morph != none) bindings.push_back({expression, morph, vgoFloat(&binding, "weight", 0) / 100});
            }
        }
        return bindings;
    }

    void bindAll(const VgoRenderer& renderer, const Vector<Binding>& bindings) {
        // The bindings are copied for every renderer of the mesh.
        if (!build_.spend(bindings.size() * sizeof(ExpressionBinding), "nodes", renderer.node)) return;
        for (const Binding& binding : bindings)
            list()[binding.expression].bindings.push_back({renderer.row, binding.morph, binding.weight});
    }

    /// Adds morph targets whose tags specify a blink or a viseme to expressions.
    void addTags(const VgoRenderer& renderer, std::size_t presets) {
        const std::uint32_t mesh = build_.scene.renderers[renderer.row].mesh;
        std::uint32_t& read = tagsOf_[mesh];
        if (read == none) {
            read = static_cast<std::uint32_t>(lists_.size());
            lists_.push_back(readTags(build_.scene.meshes[mesh], presets));
        }
        bindAll(renderer, lists_[read]);
    }

    Vector<Binding> readTags(const Mesh& mesh, std::size_t presets) {
        Vector<Binding> bindings;
        for (std::uint32_t morph = 0; morph < mesh.morphs.size(); ++morph)
            for (const auto& [name, value] : mesh.morphs[morph].properties) {
                const double number = value.asNumber(-1);
                std::string_view term;
                if (name == "blinkType" && number >= 0 && number < std::size(blinkTerms))
                    term = blinkTerms[static_cast<std::size_t>(number)];
                if (name == "visemeType" && number >= 0 && number < std::size(visemeTerms))
                    term = visemeTerms[static_cast<std::size_t>(number)];
                if (term.empty()) continue;
                const std::uint32_t expression = expressionOf(std::string(term), term[0] == 'v' ? std::string_view{} : term);
                // Presets, which the author defined, have priority over tags.
                if (expression >= presets) bindings.push_back({expression, morph, 1});
            }
        return bindings;
    }

    VgoBuild& build_;
    VgoCache rows_;  // expression by preset name, or by "=" and the name
    // Index into `lists_` for each scene mesh, or `none` if the mesh has not been read yet.
    Vector<std::uint32_t> presetsOf_, tagsOf_;
    Vector<Vector<Binding>> lists_;
};

}  // namespace

void addVgoExpressions(VgoBuild& build) { ExpressionBuilder(build).run(); }

}  // namespace rigcast
