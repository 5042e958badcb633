#include "formats/cast/cast.hpp"

#include <cmath>

#include "core/text.hpp"
#include "formats/cast/index.hpp"
#include "formats/cast/keys.hpp"
#include "formats/cast/outline.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

constexpr std::string_view extensions[] = {"cast"};

Match sniff(Bytes head, std::uint64_t size) {
    if (!isCast(head)) return Match::no;
    return size >= CastHeader::size ? Match::yes : Match::maybe;
}

/// Determines the role of a file from the ids of the nodes below the roots. Uses the sizes of nodes
/// to find the next node. A file with instances of other files is a scene. A file with animations
/// but no model is an animation, even if it contains a skeleton.
Role role(Pieces& pieces) {
    const auto wordsAt = [&](std::uint64_t at) {
        struct {
            std::uint32_t id = 0, size = 0, hash[2], properties = 0, children = 0;
        } words;
        const Bytes bytes = pieces.at(at, sizeof words);
        if (!bytes.empty()) words = loadValue<decltype(words)>(bytes.data());
        return words;
    };
    bool hasModel = false, hasAnimation = false;
    const Bytes header = pieces.at(0, CastHeader::size);
    std::uint64_t end = CastHeader::size;
    for (std::uint32_t left = header.empty() ? 0 : loadValue<std::uint32_t>(header.data() + 8); left > 0; --left) {
        const auto root = wordsAt(end);
        if (root.size < CastNode::headerSize || root.properties > 0) return Role::rig;
        std::uint64_t at = end + CastNode::headerSize;
        end += root.size;
        for (std::uint32_t child = 0; child < root.children && at < end; ++child) {
            const auto node = wordsAt(at);
            if (node.id == castIds::instance) return Role::scene;
            if (node.size < CastNode::headerSize) return Role::rig;
            hasModel |= node.id == castIds::model;
            hasAnimation |= node.id == castIds::animation;
            at += node.size;
        }
    }
    return hasAnimation && !hasModel ? Role::animation : Role::rig;
}

std::string versionOf(const CastDocument& document) { return formatted("{}", {document.header.version}); }

ReadResult read(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    if (scene.nodes.empty()) scene.nodes.emplace_back();
    scene.hints.morphNormals = true;
    CastFindings findings;
    const CastDocument document = readCast(input.bytes, findings, input.source);
    ReadResult result;
    result.version = versionOf(document);
    checkSchema(document, findings);
    CastContext context{
        .document = document,
        .scene = scene,
        .arena = arena,
        .findings = findings,
        .options = castOptions(input, diagnostics),
        .source = input.source,
        .addsTangents = input.tangents,
    };
    scene.hints.dualQuaternionScale = context.options.dualQuaternionScale;
    // A file without roots results in an empty scene, and a file without a header results in no
    // scene.
    result.hasScene = !document.outOfMemory && input.bytes.size() >= CastHeader::size;
    if (result.hasScene) addCastScene(context);
    reportCast(document, findings, diagnostics);
    return result;
}

OutlineResult outline(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    CastFindings findings;
    const CastDocument document = readCast(input.bytes, findings);
    checkSchema(document, findings);
    reportCast(document, findings, diagnostics);
    outlineCast(document, outline);
    return {versionOf(document)};
}

}  // namespace

CastOptions castOptions(const Input& input, Diagnostics& diagnostics) {
    CastOptions options;
    const Value* own = input.options ? input.options->find("cast") : nullptr;
    const auto* members = own ? own->get<Properties>() : nullptr;
    if (!members) return options;
    for (const auto& [name, value] : *members) {
        bool isGood = false;
        if (options.space.take(name, value)) {
            isGood = true;
        } else if (name == "winding") {
            const std::string_view winding = value.asString("");
            isGood = winding == "auto" || winding == "file" || winding == "reversed";
            if (winding == "file") options.winding = CastOptions::Winding::file;
            if (winding == "reversed") options.winding = CastOptions::Winding::reversed;
        } else if (name == "dualQuaternionScale") {
            const std::string_view scale = value.asString("");
            options.dualQuaternionScale = scale == "carry";
            isGood = options.dualQuaternionScale || scale == "ignore";
        }
        if (!isGood) diagnostics.add(Code::BAD_OPTION, {.path = "formatOptions.cast." + name});
    }
    return options;
}

const Format castFormat = {
    .id = "cast",
    .family = "cast",
    .name = "Cast",
    .label = "Cast",
    .extensions = extensions,
    .sniff = sniff,
    .role = role,
    .isWorthIndex = isLargeCast,
    .keepsFileSpace = true,
};
const FormatReader castReader = {.read = read, .outline = outline, .index = loadCastIndex, .decode = decodeCastValues};

}  // namespace rigcast
