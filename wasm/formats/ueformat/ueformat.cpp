#include "formats/ueformat/ueformat.hpp"

#include "core/text.hpp"
#include "formats/ueformat/animation.hpp"
#include "formats/ueformat/document.hpp"
#include "formats/ueformat/model.hpp"
#include "formats/ueformat/outline.hpp"
#include "formats/ueformat/space.hpp"

namespace rigcast {

namespace {

using namespace ueformat;

constexpr std::string_view modelExtensions[] = {"uemodel"}, animExtensions[] = {"ueanim"};

/// Returns true if the file starts with the magic and this identifier.
bool hasIdentifier(Bytes head, std::string_view identifier) {
    const std::string_view text = asText(head);
    const std::size_t at = magic.size() + 4;
    return text.starts_with(magic) && text.size() >= at && text.substr(at).starts_with(identifier) &&
           loadValue<std::uint32_t>(head.data() + magic.size()) == identifier.size();
}

/// The reader of models also reports the kinds of UEFormat files that rigcast does not read.
Match sniffModel(Bytes head, std::uint64_t) {
    const std::string_view text = asText(head);
    const bool isOurs = text.starts_with(magic) || text.starts_with(prototypeMagic);
    return isOurs && !hasIdentifier(head, animIdentifier) ? Match::yes : Match::no;
}
Match sniffAnim(Bytes head, std::uint64_t) { return hasIdentifier(head, animIdentifier) ? Match::yes : Match::no; }

Role roleOfModel(Pieces&) { return Role::model; }
Role roleOfAnim(Pieces&) { return Role::animation; }

/// Loads nothing: the reader loads parts of the file when it needs them, and never loads a
/// compressed body.
void loadNothing(Source&, Bytes) {}

ReadResult readAnim(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    scene.nodes.emplace_back();
    scene.asset.metresPerUnit = metresPerUnit;
    Document document;
    const bool hasBody = readDocument(input, animIdentifier, document, diagnostics);
    if (hasBody) addAnimation(document, readAnimParts(document, diagnostics), scene, arena, diagnostics);
    scene.references = std::move(document.references);
    return {hasBody, versionOf(document)};
}

OutlineResult outlineOfModel(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, modelIdentifier, document, diagnostics);
    if (document.bodyOffset) outlineHeader(document, outline);
    if (hasBody) outlineModel(document, readModelParts(document, diagnostics), outline);
    return {versionOf(document), std::move(document.references)};
}

OutlineResult outlineOfAnim(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, animIdentifier, document, diagnostics);
    if (document.bodyOffset) outlineHeader(document, outline);
    if (hasBody) outlineAnimation(document, readAnimParts(document, diagnostics), outline, diagnostics);
    return {versionOf(document), std::move(document.references)};
}

}  // namespace

const Format ueModelFormat = {.id = "uemodel",
                              .family = "ueformat",
                              .name = "UEModel",
                              .label = "UEFormat model",
                              .extensions = modelExtensions,
                              .sniff = sniffModel,
                              .role = roleOfModel};
const Format ueAnimFormat = {.id = "ueanim",
                             .family = "ueformat",
                             .name = "UEAnim",
                             .label = "UEFormat animation",
                             .extensions = animExtensions,
                             .sniff = sniffAnim,
                             .role = roleOfAnim};
const FormatReader ueModelReader = {readModelScene, outlineOfModel, loadNothing};
const FormatReader ueAnimReader = {readAnim, outlineOfAnim, loadNothing};

}  // namespace rigcast
