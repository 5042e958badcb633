// Presets and tags of blend shapes as expressions in the terms of VRM 1.0 (vgo.md sections 5.4 and 12.1).
#include <algorithm>
#include <cmath>

#include "formats/vgo/build.hpp"

#include "core/vector.hpp"

namespace rigcast {

namespace {

/// By preset type; those without a term are known by their name.
constexpr std::string_view presetTerms[] = {"", "neutral", "happy", "angry",     "sad",       "relaxed",
                                            "", "",        "",      "surprised", "blinkLeft", "blinkRight"};
constexpr std::string_view presetNames[] = {"Custom", "Neutral",  "Joy",   "Angry", "Sorrow",    "Fun",       "Confuse",   "Nervous",
                                            "Sleepy", "Surprise", "WinkL", "WinkR", "Preset_12", "Preset_13", "Preset_14", "Preset_15"};
constexpr std::string_view blinkTerms[] = {"", "blinkLeft", "blinkRight", "blink"};
/// By viseme type. The five vowels have terms in VRM, the others are named as lip-sync tools do.
constexpr std::string_view visemeTerms[] = {"viseme_sil", "viseme_PP", "viseme_FF", "viseme_TH", "viseme_DD",
                                            "viseme_kk",  "viseme_CH", "viseme_SS", "viseme_nn", "viseme_RR",
                                            "aa",         "ee",        "ih",        "oh",        "ou"};

class ExpressionMaker {
public:
    explicit ExpressionMaker(VgoBuild& build) : build_(build) {}

    void run() {
        for (const VgoRenderer& renderer : build_.renderers)
            if (renderer.row != none) addPresets(renderer);
        const std::size_t presets = list().size();
        for (const VgoRenderer& renderer : build_.renderers)
            if (renderer.row != none) addTags(renderer, presets);
        // Two lids that close alone close together.
        const std::uint32_t left = rows_.find("blinkLeft"), right = rows_.find("blinkRight");
        if (left == none || right == none || rows_.find("blink") != none) return;
        Expression both{"blink", "blink", list()[left].bindings};
        for (const ExpressionBinding& binding : list()[right].bindings) both.bindings.push_back(binding);
        list().push_back(std::move(both));
    }

private:
    Vector<Expression>& list() { return build_.scene.expressions; }

    Expression& expressionOf(const std::string& name, std::string_view preset) {
        std::uint32_t& row = rows_.find(preset.empty() ? "=" + name : std::string(preset));
        if (row == none) {
            row = static_cast<std::uint32_t>(list().size());
            list().push_back({name, std::string(preset), {}});
        }
        return list()[row];
    }

    void addPresets(const VgoRenderer& renderer) {
        // Early writers misspelled the member.
        const Value* presets = vgoMember(renderer.owner, "blendShapePresets");
        if (!presets) presets = vgoMember(renderer.owner, "blendShapePesets");
        const std::size_t morphs = build_.scene.meshes[build_.scene.renderers[renderer.row].mesh].morphs.size();
        for (const Value& preset : vgoItems(presets)) {
            const double number = vgoNumber(&preset, "type", 0);
            const std::size_t type = number >= 0 && number < std::size(presetNames) ? static_cast<std::size_t>(number) : 0;
            std::string name = vgoText(&preset, "name");
            if (name.empty()) name = presetNames[type];
            Expression& expression = expressionOf(name, type < std::size(presetTerms) ? presetTerms[type] : std::string_view{});
            const Values bindings = vgoList(&preset, "bindings");
            if (!build_.spend(bindings.size() * sizeof(ExpressionBinding), "nodes", renderer.node)) return;  // each time the mesh is shown
            for (const Value& binding : bindings) {
                const std::uint32_t morph =
                    build_.index(vgoMember(&binding, "index"), morphs, Severity::warning, "nodes", renderer.node, "blendShapePresets");
                if (morph == none) continue;
                expression.bindings.push_back({renderer.row, morph, vgoFloat(&binding, "weight", 0) / 100});
            }
        }
    }

    void addTags(const VgoRenderer& renderer, std::size_t presets) {
        const Mesh& mesh = build_.scene.meshes[build_.scene.renderers[renderer.row].mesh];
        for (std::uint32_t morph = 0; morph < mesh.morphs.size(); ++morph)
            for (const auto& [name, value] : mesh.morphs[morph].properties) {
                const double number = value.asNumber(-1);
                std::string_view term;
                if (name == "blinkType" && number >= 0 && number < std::size(blinkTerms))
                    term = blinkTerms[static_cast<std::size_t>(number)];
                if (name == "visemeType" && number >= 0 && number < std::size(visemeTerms))
                    term = visemeTerms[static_cast<std::size_t>(number)];
                if (term.empty()) continue;
                Expression& expression = expressionOf(std::string(term), term[0] == 'v' ? std::string_view{} : term);
                // What the author set up as a preset counts.
                if (static_cast<std::size_t>(&expression - list().data()) >= presets)
                    expression.bindings.push_back({renderer.row, morph, 1});
            }
    }

    VgoBuild& build_;
    VgoMemo rows_;  // by preset, else "=" and the name
};

}  // namespace

void addVgoExpressions(VgoBuild& build) { ExpressionMaker(build).run(); }

}  // namespace rigcast
