#include "support/formats.hpp"

#include <algorithm>
#include <vector>

#include "formats/registry.hpp"

namespace rigcast::test {

namespace {

constexpr std::string_view printed = "// Printed by `npm run print` from the list of formats (wasm/formats/registry.cpp).\n";

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string listOf(std::span<const std::string_view> words) {
    std::string list;
    for (const std::string_view word : words) list += (list.empty() ? "" : ", ") + quoted(word);
    return "[" + list + "]";
}

std::vector<std::string_view> families() {
    std::vector<std::string_view> all;
    for (const FormatEntry& entry : allFormats())
        if (std::find(all.begin(), all.end(), entry.format->family) == all.end()) all.push_back(entry.format->family);
    return all;
}

}  // namespace

std::string formatTable() {
    std::string text = std::string(printed) + "import type { FormatTraits } from './formatTraits.ts';\n\n" +
                       "export const formatTable: readonly FormatTraits[] = [\n";
    for (const FormatEntry& entry : allFormats()) {
        const Format& format = *entry.format;
        Pieces nothing({});
        const auto flag = [](bool value) { return value ? "true" : "false"; };
        text += "  {\n    id: " + quoted(format.id) + ",\n    family: " + quoted(format.family) + ",\n    name: " + quoted(format.name);
        text += ",\n    label: " + quoted(format.label) + ",\n    extensions: " + listOf(format.extensions);
        text += ",\n    sharedExtensions: " + listOf(format.sharedExtensions) + ",\n    companions: " + listOf(format.companions);
        text += ",\n    role: " + quoted(nameOf(format.role(nothing))) + ",\n    isRootAmbiguous: " + flag(format.isRootAmbiguous);
        text += std::string(",\n    keepsFileSpace: ") + flag(format.keepsFileSpace);
        text += std::string(",\n    canReadClip: ") + flag(entry.reader->canReadClip) + ",\n  },\n";
    }
    return text + "];\n";
}

std::string moduleAddresses() {
    std::string type, rows;
    for (const std::string_view family : families()) {
        type += (type.empty() ? "" : " | ") + quoted(family);
        rows += "  " + std::string(family) + ": () => new URL('./wasm/" + std::string(family) + ".wasm', import.meta.url),\n";
    }
    return std::string(printed) +
           "\n/** Families of formats. Each has a WebAssembly module with its readers. */\nexport type Family = " + type +
           ";\n\n/** The addresses of the modules, as literals that bundlers look for. `rigcast` has the readers of every format. */\n"
           "export const moduleAddresses: Readonly<Record<Family | 'rigcast', () => URL>> = {\n"
           "  rigcast: () => new URL('./wasm/rigcast.wasm', import.meta.url),\n" +
           rows + "};\n";
}

}  // namespace rigcast::test
