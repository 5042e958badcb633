#include "formats/mrtk/mrtk.hpp"

#include "core/code.hpp"
#include "core/text.hpp"
#include "formats/mrtk/document.hpp"
#include "formats/mrtk/outline.hpp"
#include "formats/mrtk/recording.hpp"

namespace rigcast {

namespace {

constexpr std::string_view extensions[] = {"bin", "inputanim"}, sharedExtensions[] = {"bin"};

/// Matches files only by the magic number, because glTF buffers and firmware also have the
/// extension .bin. Accepts a magic number in reverse byte order too, so that the reader can report
/// it.
Match sniff(Bytes head, std::uint64_t) {
    if (head.size() < 8) return Match::no;
    const auto magic = loadValue<std::uint64_t>(head.data());
    return magic == mrtkMagic ? Match::yes : magic == __builtin_bswap64(mrtkMagic) ? Match::maybe : Match::no;
}

/// Returns `rig`, because a recording always contains head and hands with their animation.
Role role(Pieces& pieces) { return sniff(pieces.head(), 0) == Match::no ? Role::unknown : Role::rig; }

bool flagOption(const Input& input, std::string_view key, bool fallback, Diagnostics& diagnostics) {
    const Value* value = input.option("mrtk", key);
    if (!value) return fallback;
    if (const auto flag = value->get<bool>()) return *flag;
    diagnostics.add(Code::BAD_OPTION, {}, {"mrtk.{} must be true or false", {key}});
    return fallback;
}

bool readDocument(const Input& input, MrtkDocument& document, Diagnostics& diagnostics) {
    return readMrtk(input.bytes, flagOption(input, "guessLayout", false, diagnostics), flagOption(input, "oldVersions", true, diagnostics),
                    document, diagnostics);
}

std::string versionOf(const MrtkDocument& document) { return formatted("{}.{}", {document.major, document.minor}); }

ReadResult read(const Input& input, Scene& scene, Arena& arena, Diagnostics& diagnostics) {
    MrtkDocument document;
    if (!readDocument(input, document, diagnostics)) return {false, versionOf(document)};
    checkDocument(document, diagnostics);
    const RecordingOptions options{.alignSigns = flagOption(input, "alignSigns", true, diagnostics),
                                   .rebuildW = flagOption(input, "rebuildW", true, diagnostics)};
    const bool built = buildRecording(document, options, scene, arena, diagnostics);
    return {built, versionOf(document)};
}

OutlineResult outline(const Input& input, Outline& outline, Diagnostics& diagnostics) {
    MrtkDocument document;
    if (readDocument(input, document, diagnostics)) outlineRecording(document, outline);
    return {versionOf(document)};
}

}  // namespace

const Format mrtkFormat{.id = "mrtk",
                        .family = "mrtk",
                        .name = "MRTK",
                        .label = "MRTK input animation",
                        .extensions = extensions,
                        .sniff = sniff,
                        .role = role,
                        .sharedExtensions = sharedExtensions};
const FormatReader mrtkReader{read, outline};

}  // namespace rigcast
