#include "formats/se/se.hpp"

#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/se/scene.hpp"

namespace rigcast {

namespace {

constexpr std::string_view modelExtensions[] = {"semodel"}, animExtensions[] = {"seanim"};

Match sniffModel(Bytes head, std::uint64_t) { return asText(head).starts_with(seModelMagic) ? Match::yes : Match::no; }
Match sniffAnim(Bytes head, std::uint64_t) { return asText(head).starts_with(seAnimMagic) ? Match::yes : Match::no; }

Role roleOfModel(Pieces&) { return Role::model; }
Role roleOfAnim(Pieces&) { return Role::animation; }

/// Returns up axis and unit. All tools that write the format use Z up. SEAnim is specified in
/// centimetres, and SEModel files have the same unit (docs/formats/se.md section 4).
FileSpace spaceOf(const Input& input, Diagnostics& diagnostics) {
    FileSpace space{.upAxis = 'z', .unit = 0.01};
    const Value* own = input.options ? input.options->find("se") : nullptr;
    const auto* members = own ? own->get<Properties>() : nullptr;
    if (!members) return space;
    for (const auto& [name, value] : *members)
        if (!space.take(name, value)) diagnostics.add(Code::BAD_OPTION, {.path = "formatOptions.se." + name});
    return space;
}

std::string versionOf(const SeHeader& header) { return formatted("{}", {header.version}); }

ReadResult readModel(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    scene.nodes.emplace_back();
    SeModel model;
    if (!readSeModel(input.bytes, model, diagnostics)) return {};
    addSeModel(model, scene, arena, diagnostics);
    spaceOf(input, diagnostics).applyTo(scene);
    return {true, versionOf(model.header)};
}

ReadResult readAnim(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    scene.nodes.emplace_back();
    SeAnim anim;
    if (!readSeAnim(input.bytes, anim, diagnostics)) return {};
    const FileSpace space = spaceOf(input, diagnostics);
    addSeAnim(anim, space, scene, arena, diagnostics);
    space.applyTo(scene);
    return {true, versionOf(anim.header)};
}

OutlineResult outlineModel(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    SeModel model;
    if (readSeModel(input.bytes, model, diagnostics)) outlineSeModel(model, outline);
    return {versionOf(model.header)};
}

OutlineResult outlineAnim(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    SeAnim anim;
    if (readSeAnim(input.bytes, anim, diagnostics)) outlineSeAnim(anim, outline);
    return {versionOf(anim.header)};
}

}  // namespace

const Format seModelFormat = {.id = "semodel",
                              .family = "se",
                              .name = "SEModel",
                              .label = "SEModel",
                              .extensions = modelExtensions,
                              .sniff = sniffModel,
                              .role = roleOfModel,
                              .keepsFileSpace = true};
const Format seAnimFormat = {.id = "seanim",
                             .family = "se",
                             .name = "SEAnim",
                             .label = "SEAnim",
                             .extensions = animExtensions,
                             .sniff = sniffAnim,
                             .role = roleOfAnim,
                             .keepsFileSpace = true};
const FormatReader seModelReader = {readModel, outlineModel};
const FormatReader seAnimReader = {readAnim, outlineAnim};

}  // namespace rigcast
