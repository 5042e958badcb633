// rigcast_dump [--outline] [--strict] [--options JSON] { [--supply KIND PATH]... FILE }... Prints
// the results of the native build for comparison with the wasm build. Prints one line of JSON per
// file, which contains the description as text and a hash of each block (tests/support/hash.hpp).
// --supply applies to the next file. The exit code is 2 if a file cannot be read, and 3 if a scene
// is invalid.
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/budget.hpp"
#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"
#include "scene/validate.hpp"
#include "support/files.hpp"
#include "support/hash.hpp"

namespace {

using namespace rigcast;

struct Options {
    bool outline = false;
    bool strict = false;
    std::string json;
};

struct Companion {
    std::string kind;
    std::filesystem::path path;
};

/// Returns the same result that a page receives: the description, and the blocks if it refers to
/// them.
std::string dump(Bytes bytes, const std::filesystem::path& path, const Vector<Supplied>& supplied, const Options& options) {
    const std::string name = path.filename().string();
    const Value formatOptions = parseJson(options.json);
    Input input{bytes, name, &formatOptions, supplied};
    std::uint64_t size = bytes.size();
    for (const Supplied& file : supplied) size += file.bytes.size();
    const Budget budget(Budget::mostMemory, Budget::workFor(size));
    Diagnostics diagnostics(options.strict);
    auto arena = std::make_unique<Arena>();
    std::string text;
    if (options.outline) {
        Outline outline;
        const OpenResult result = openOutline(input, "", outline, diagnostics);
        text = describeOutline(outline, result.references, *arena, diagnostics, result.format ? result.format->id : "", result.version);
    } else {
        Scene scene;
        const OpenResult result = openScene(input, "", scene, *arena, diagnostics);
        if (result.hasScene) {
            for (const std::string& broken : validateScene(scene, *arena)) {
                std::fprintf(stderr, "%s: contract broken: %s\n", name.c_str(), broken.c_str());
                std::exit(3);
            }
        } else {
            arena = std::make_unique<Arena>();
        }
        text = describe(result.hasScene ? &scene : nullptr, scene.references, *arena, diagnostics, result.format ? result.format->id : "",
                        result.version);
    }
    rapidjson::StringBuffer buffer;
    rapidjson::Writer<rapidjson::StringBuffer> json(buffer);
    const auto put = [&](std::string_view value) { json.String(value.data(), static_cast<rapidjson::SizeType>(value.size())); };
    json.StartObject();
    put("text");
    put(text);
    put("blocks");
    json.StartArray();
    for (const Arena::Block& block : arena->blocks()) put(test::hashOf(block));
    json.EndArray();
    json.EndObject();
    return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    Vector<Companion> companions;
    for (int i = 1; i < count; ++i) {
        const std::string_view argument = arguments[i];
        if (argument == "--outline") {
            options.outline = true;
        } else if (argument == "--strict") {
            options.strict = true;
        } else if (argument == "--options" && i + 1 < count) {
            options.json = arguments[++i];
        } else if (argument == "--supply" && i + 2 < count) {
            companions.push_back({arguments[i + 1], arguments[i + 2]});
            i += 2;
        } else {
            const auto bytes = test::readFile(arguments[i]);
            if (!bytes) {
                std::fprintf(stderr, "%s cannot be read\n", arguments[i]);
                return 2;
            }
            Vector<Vector<std::uint8_t>> kept;
            Vector<Supplied> supplied;
            for (const Companion& companion : companions) {
                auto read = test::readFile(companion.path);
                if (!read) {
                    std::fprintf(stderr, "%s cannot be read\n", companion.path.c_str());
                    return 2;
                }
                kept.push_back(std::move(*read));
                supplied.push_back({companion.kind, companion.path.filename().string(), kept.back()});
            }
            std::puts(dump(*bytes, arguments[i], supplied, options).c_str());
            companions.clear();
        }
    }
    return 0;
}
