#include "formats/ueformat/ueformat.hpp"

#include "core/text.hpp"
#include "formats/ueformat/animation.hpp"
#include "formats/ueformat/document.hpp"
#include "formats/ueformat/model.hpp"
#include "formats/ueformat/outline.hpp"
#include "formats/ueformat/pose.hpp"
#include "formats/ueformat/space.hpp"
#include "formats/ueformat/world.hpp"

namespace rigcast {

namespace {

using namespace ueformat;

constexpr std::string_view modelExtensions[] = {"uemodel"}, animExtensions[] = {"ueanim"}, poseExtensions[] = {"uepose"},
                           worldExtensions[] = {"ueworld"};

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
    const bool isOther = hasIdentifier(head, animIdentifier) || hasIdentifier(head, poseIdentifier) || hasIdentifier(head, worldIdentifier);
    return isOurs && !isOther ? Match::yes : Match::no;
}
Match sniffAnim(Bytes head, std::uint64_t) { return hasIdentifier(head, animIdentifier) ? Match::yes : Match::no; }
Match sniffPose(Bytes head, std::uint64_t) { return hasIdentifier(head, poseIdentifier) ? Match::yes : Match::no; }
Match sniffWorld(Bytes head, std::uint64_t) { return hasIdentifier(head, worldIdentifier) ? Match::yes : Match::no; }

Role isModel(Pieces&) { return Role::model; }
Role isAnimation(Pieces&) { return Role::animation; }
/// A world refers to the model files that it contains.
Role isScene(Pieces&) { return Role::scene; }

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

ReadResult readPoses(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    scene.nodes.emplace_back();
    scene.asset.metresPerUnit = metresPerUnit;
    Document document;
    const bool hasBody = readDocument(input, poseIdentifier, document, diagnostics);
    if (hasBody) addPoses(document, readPoseParts(document, diagnostics), scene, arena, diagnostics);
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

OutlineResult outlineOfPoses(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    Document document;
    const bool hasBody = readDocument(input, poseIdentifier, document, diagnostics);
    if (document.bodyOffset) outlineHeader(document, outline);
    if (hasBody) outlinePoses(document, readPoseParts(document, diagnostics), outline, diagnostics);
    return {versionOf(document), std::move(document.references)};
}

}  // namespace

const Format ueModelFormat = {.id = "uemodel",
                              .family = "ueformat",
                              .name = "UEModel",
                              .label = "UEFormat model",
                              .extensions = modelExtensions,
                              .sniff = sniffModel,
                              .role = isModel};
const Format ueAnimFormat = {.id = "ueanim",
                             .family = "ueformat",
                             .name = "UEAnim",
                             .label = "UEFormat animation",
                             .extensions = animExtensions,
                             .sniff = sniffAnim,
                             .role = isAnimation};
const Format uePoseFormat = {.id = "uepose",
                             .family = "ueformat",
                             .name = "UEPose",
                             .label = "UEFormat poses",
                             .extensions = poseExtensions,
                             .sniff = sniffPose,
                             .role = isAnimation};
const Format ueWorldFormat = {.id = "ueworld",
                              .family = "ueformat",
                              .name = "UEWorld",
                              .label = "UEFormat world",
                              .extensions = worldExtensions,
                              .sniff = sniffWorld,
                              .role = isScene};
const FormatReader ueModelReader = {readModelScene, outlineOfModel, loadNothing};
const FormatReader ueAnimReader = {readAnim, outlineOfAnim, loadNothing};
const FormatReader uePoseReader = {readPoses, outlineOfPoses, loadNothing};
const FormatReader ueWorldReader = {readWorldScene, outlineOfWorld, loadNothing};

}  // namespace rigcast
