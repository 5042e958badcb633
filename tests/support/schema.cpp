#include "support/schema.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "scene/schema.hpp"

namespace rigcast::test {

namespace {

using namespace schema;  // NOLINT: the rules have the same names as in scene.def

struct FieldText {
    const char* name;
    Rule rule;
    const char* documentation;
};
struct StructText {
    StructId id;
    const char* name;
    const char* documentation;
    std::vector<FieldText> fields;
};
struct WordsText {
    std::string alias;
    const char* documentation;
    std::string words;
};

const std::vector<StructText>& structs() {
    static const std::vector<StructText> all = {
#define WORDS(type, alias, documentation, ...)
#define STRUCT(type, documentation) {StructId::type, #type, documentation, {
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...) {#name, rule, documentation},
#define END \
    }       \
    }       \
    ,
#include "scene/scene.def"
    };
    return all;
}

const std::vector<WordsText>& enumerations() {
    static const std::vector<WordsText> all = {
#define WORDS(type, alias, documentation, ...) {alias, documentation, #__VA_ARGS__},
#define STRUCT(type, documentation)
#define ROWS(field)
#define FIELD(type, name, rule, documentation, ...)
#define END
#include "scene/scene.def"
    };
    return all;
}

/// Returns quoted words with `between` between them, such as `'opaque' | 'mask'`.
std::string quotedWords(std::string_view words, std::string_view between) {
    std::string out;
    for (std::size_t n = 0; !wordAt(words, n).empty(); ++n) out.append(n ? between : "").append("'").append(wordAt(words, n)).append("'");
    return out;
}

std::string nameOf(const StructText& each) {
    if (each.id == StructId::Scene) return "RigScene";
    return each.id == StructId::Event ? "ClipEvent" : each.name;
}

/// Returns the TypeScript type of a list of structs. Lists of nodes and tracks are tables in
/// JavaScript, whose types are not generated.
std::string nameOfList(StructId id) {
    if (id == StructId::Node) return "NodeTable";
    if (id == StructId::Track) return "TrackRows<Track>";
    return nameOf(structs()[static_cast<std::size_t>(id)]) + "[]";
}

std::string typeOf(const FieldInfo& info, const Rule& rule) {
    static const char* arrays[] = {"Uint8Array", "Uint16Array", "Uint32Array", "Int32Array", "Float32Array"};
    if (rule.type) return rule.type;
    switch (info.kind) {
        case FieldKind::text:
            return "string";
        case FieldKind::boolean:
            return "boolean";
        case FieldKind::word: {
            const WordsText& words = enumerations()[info.detail];
            return words.alias.empty() ? quotedWords(words.words, " | ") : words.alias;
        }
        case FieldKind::numbers:
        case FieldKind::bigNumbers: {
            std::string out = "[";
            for (int i = 0; i < info.detail; ++i) out += i ? ", number" : "number";
            return out + "]";
        }
        case FieldKind::column:
            return rule.promise == Promise::rows && rule.list == List::strings ? "string[]" : arrays[info.detail];
        case FieldKind::columns:
            return "Float32Array[]";
        case FieldKind::indices:
            return "number[]";
        case FieldKind::properties:
            return "Properties";
        case FieldKind::structure:
            return nameOf(structs()[info.detail]);
        case FieldKind::structures:
            return nameOfList(static_cast<StructId>(info.detail));
        default:
            return rule.promise == Promise::string ? "string" : "number";
    }
}

/// A member of an interface, with all fields of the struct that have its name.
struct Member {
    std::string name, type, documentation;
    bool isOptional;
};

std::vector<Member> membersOf(const StructText& each) {
    std::vector<Member> members;
    std::size_t i = 0;
    for (const FieldInfo& info : infoOf(each.id).fields) {
        const FieldText& field = each.fields[i++];
        const Rule& rule = field.rule;
        if ((rule.presence >= Presence::internal && rule.presence != Presence::beside) || rule.isDecoded) continue;
        const bool mayBeMissing = (rule.presence == Presence::optional && !rule.isOneOf && each.id != StructId::Track) ||
                                  (rule.presence == Presence::optional && info.kind == FieldKind::column && !rule.isOneOf) ||
                                  info.kind == FieldKind::properties;
        const Member member{each.id == StructId::Track ? field.name : info.key, typeOf(info, rule), field.documentation, mayBeMissing};
        const auto same = std::find_if(members.begin(), members.end(), [&](const Member& other) { return other.name == member.name; });
        if (same == members.end())
            members.push_back(member);
        else
            same->type += " | " + member.type;
    }
    return members;
}

/// Returns a TypeScript comment, wrapped at the line length of the sources.
std::string comment(std::string_view text, std::string_view indent) {
    constexpr std::size_t longest = 140;
    if (text.empty()) return "";
    if (text.size() + indent.size() + 7 <= longest) return std::string(indent) + "/** " + std::string(text) + " */\n";
    std::string out = std::string(indent) + "/**\n";
    std::string line;
    const auto flush = [&] {
        out.append(indent).append(" *").append(line).append("\n");
        line.clear();
    };
    while (!text.empty()) {
        const std::size_t blank = std::min(text.find(' '), text.size());
        if (indent.size() + 2 + line.size() + 1 + blank > longest) flush();
        line.append(" ").append(text.substr(0, blank));
        text.remove_prefix(std::min(blank + 1, text.size()));
    }
    flush();
    return out + std::string(indent) + " */\n";
}

std::string lowered(std::string name) {
    name[0] = static_cast<char>(name[0] - 'A' + 'a');
    return name;
}

constexpr std::string_view printed = "// Printed by `npm run print` from wasm/scene/scene.def.\n";

}  // namespace

std::string sceneTypes() {
    std::string out{printed};
    out +=
        "//\n"
        "// Space: right-handed, Y up, metres, seconds, counter-clockwise fronts, quaternions x y z w, UV origin top-left (as glTF).\n"
        "// Every typed array is a view into an ArrayBuffer that belongs to its mesh, clip, image or table alone.\n"
        "import type { NodeTable, Properties, TrackRows } from './tables.ts';\n";
    for (const WordsText& words : enumerations())
        if (!words.alias.empty())
            out.append("\n")
                .append(comment(words.documentation, ""))
                .append("export type ")
                .append(words.alias)
                .append(" = ")
                .append(quotedWords(words.words, " | "))
                .append(";\n");
    for (const StructText& each : structs()) {
        if (each.id == StructId::Node) continue;
        out.append("\n").append(comment(each.documentation, "")).append("export interface ").append(nameOf(each)).append(" {\n");
        for (const Member& member : membersOf(each))
            out.append(comment(member.documentation, "  "))
                .append("  ")
                .append(member.name)
                .append(member.isOptional ? "?: " : ": ")
                .append(member.type)
                .append(";\n");
        out += "}\n";
    }
    return out;
}

std::string sceneWords() {
    std::string out{printed};
    for (const WordsText& words : enumerations())
        if (!words.alias.empty())
            out.append("export const ")
                .append(lowered(words.alias))
                .append("s = [")
                .append(quotedWords(words.words, ", "))
                .append("] as const;\n");
    out +=
        "\n/** Enums that travel as text: every word of each, by the name of the member. */\n"
        "export const words: Record<string, readonly string[]> = {\n";
    std::map<std::string, bool> seen;
    for (const StructText& each : structs())
        for (const FieldInfo& info : infoOf(each.id).fields)
            if (info.kind == FieldKind::word && each.id != StructId::Track && !std::exchange(seen[info.key], true))
                out.append("  ")
                    .append(info.key)
                    .append(": [")
                    .append(quotedWords(wordsOf(static_cast<WordsId>(info.detail)), ", "))
                    .append("],\n");
    out +=
        "};\n\n/** Columns of the table of tracks. Those of keys are byte offsets in the clip's block. */\nexport const trackColumns = {\n";
    for (const FieldInfo& info : infoOf(StructId::Track).fields) {
        if (info.presence == Presence::keyTimes) out += "  keyCounts: 'u32',\n";
        const NumberType type = info.kind == FieldKind::column ? NumberType::u32 : rigcast::typeOf(info.kind);
        out.append("  ").append(info.key).append(": '").append(numberTypeNames[static_cast<std::size_t>(type)]).append("',\n");
    }
    return out + "} as const;\n";
}

std::string scenePage() {
    std::string out =
        "# The scene\n\n"
        "`open` returns this scene as `file.scene`, for every format. `rigcast` exports its types. Printed by `npm run print` from "
        "`wasm/scene/scene.def`.\n\n"
        "The scene is right-handed, with Y up, metres, seconds, counter-clockwise front faces, quaternions x y z w, and the UV origin "
        "at the top left (as glTF). Every typed array is a view of an `ArrayBuffer` that contains only its mesh, clip, image or table. "
        "A member with `?` may be missing.\n";
    for (const StructText& each : structs()) {
        if (each.id == StructId::Node) continue;
        out.append("\n## ").append(nameOf(each)).append("\n\n");
        if (each.documentation[0]) out.append(each.documentation).append("\n\n");
        out += "| member | type | |\n|---|---|---|\n";
        for (const Member& member : membersOf(each)) {
            std::string type = member.type;
            for (std::size_t at = 0; (at = type.find('|', at)) != std::string::npos; at += 2) type.insert(at, "\\");
            out.append("| `").append(member.name).append(member.isOptional ? "?" : "").append("` | `").append(type).append("` | ");
            out.append(member.documentation).append(member.documentation[0] ? " |\n" : "|\n");
        }
    }
    out += "\n## Words\n\n| type | words | |\n|---|---|---|\n";
    for (const WordsText& words : enumerations())
        if (!words.alias.empty())
            out.append("| `")
                .append(words.alias)
                .append("` | ")
                .append(words.words)
                .append(" | ")
                .append(words.documentation)
                .append(" |\n");
    return out;
}

}  // namespace rigcast::test
