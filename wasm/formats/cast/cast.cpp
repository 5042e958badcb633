#include "formats/cast/cast.hpp"

#include <cmath>

#include "core/text.hpp"
#include "formats/cast/outline.hpp"
#include "formats/cast/scene.hpp"

namespace rigcast {

namespace {

constexpr std::string_view extensions[] = {"cast"};

Match sniff(Bytes head, std::uint64_t size) {
    if (!isCast(head)) return Match::no;
    return size >= CastHeader::size ? Match::yes : Match::maybe;
}

std::string versionOf(const CastDocument& document) { return formatted("{}", {document.header.version}); }

ReadResult read(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    if (scene.nodes.empty()) scene.nodes.emplace_back();
    CastFindings findings;
    const CastDocument document = readCast(input.bytes, findings);
    ReadResult result;
    result.version = versionOf(document);
    checkSchema(document, findings);
    CastContext context{.document = document,
                        .scene = scene,
                        .arena = arena,
                        .findings = findings,
                        .options = castOptions(input, diagnostics),
                        .images = {},
                        .textures = {}};
    // A file of no roots is an empty scene; one without a header is none.
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
    const auto* members = own ? std::get_if<Properties>(&own->data) : nullptr;
    if (!members) return options;
    for (const auto& [name, value] : *members) {
        bool isGood = false;
        if (name == "upAxis") {
            const std::string_view axis = value.asString("");
            isGood = axis == "x" || axis == "y" || axis == "z";
            if (isGood) options.upAxis = axis[0];
        } else if (name == "unit") {
            const double unit = value.asNumber(0);
            isGood = std::isfinite(unit) && unit >= 1e-9 && unit <= 1e9;
            if (isGood) options.unit = unit;
        } else if (name == "overrideNamedBone") {
            isGood = std::holds_alternative<bool>(value.data);
            options.overrideNamedBone = value.asBool(false);
        } else if (name == "winding") {
            const std::string_view winding = value.asString("");
            isGood = winding == "auto" || winding == "file" || winding == "reversed";
            if (winding == "file") options.winding = CastOptions::Winding::file;
            if (winding == "reversed") options.winding = CastOptions::Winding::reversed;
        }
        if (!isGood) diagnostics.add(Code::BAD_OPTION, {.path = "formatOptions.cast." + name});
    }
    return options;
}

const Format castFormat = {.id = "cast", .label = "Cast", .extensions = extensions, .sniff = sniff, .read = read, .outline = outline};

}  // namespace rigcast
