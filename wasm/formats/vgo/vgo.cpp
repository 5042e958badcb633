#include "formats/vgo/vgo.hpp"

#include "formats/vgo/document.hpp"
#include "formats/vgo/outline.hpp"
#include "formats/vgo/scene.hpp"

namespace rigcast {

namespace {

constexpr std::string_view extensions[] = {"vgo"};
constexpr std::string_view companions[] = {"vgk"};

Match sniff(Bytes head, std::uint64_t) {
    return head.size() >= 4 && loadValue<std::uint32_t>(head.data()) == vgoMagic ? Match::yes : Match::no;
}

Role role(Pieces&) { return Role::model; }

ReadResult read(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    VgoDocument document;
    const bool complete = readVgo(input, document, diagnostics);
    scene.references = std::move(document.references);
    return {complete && addVgoScene(document, input, scene, arena, diagnostics), document.version()};
}

OutlineResult outline(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    VgoDocument document;
    readVgo(input, document, diagnostics);
    outlineVgo(document, outline, diagnostics);
    return {document.version(), std::move(document.references)};
}

}  // namespace

const Format vgoFormat{.id = "vgo",
                       .family = "vgo",
                       .name = "VGO",
                       .label = "VGO avatar or scene",
                       .extensions = extensions,
                       .sniff = sniff,
                       .role = role,
                       .companions = companions};
const FormatReader vgoReader{read, outline};

}  // namespace rigcast
