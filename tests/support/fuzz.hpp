// Code that all fuzz targets share. Checks that opening any bytes returns a valid scene or none,
// and that the description is JSON.
#pragma once

#include <rapidjson/memorystream.h>
#include <rapidjson/reader.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string>

#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"
#include "scene/validate.hpp"
#include "support/deferred.hpp"

namespace rigcast::test {

inline void fuzzFail(const char* what, std::string_view detail) {
    std::fprintf(stderr, "%s: %.*s\n", what, static_cast<int>(detail.size()), detail.data());
    std::abort();
}

/// Returns true if `text` is JSON of any depth, because an outline is nested like its file.
inline bool isJson(std::string_view text) {
    rapidjson::Reader reader;
    rapidjson::BaseReaderHandler<> ignored;
    rapidjson::MemoryStream stream(text.data(), text.size());
    return reader.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(stream, ignored);
}

/// Checks that the cost of reading is proportional to the file size: peak memory, total
/// allocations, steps of work, and processor time since `begin`. The time limit is 1 s plus 10 µs
/// per byte, because code with sanitizers is some ten times slower. The check is needed because
/// native readers do not stop when they exceed their budget.
inline void checkCost(const Budget& budget, std::uint64_t size, std::clock_t begin) {
    const std::uint64_t memory = Budget::memoryFor(size);
    if (budget.peak() > memory + (16u << 20)) fuzzFail("out of proportion", "memory in use");
    if (budget.allocated() > 8 * memory) fuzzFail("out of proportion", "memory asked for");
    if (budget.steps() > Budget::workFor(size)) fuzzFail("out of proportion", "work");
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    if (seconds > 1 + 1e-5 * static_cast<double>(size)) fuzzFail("out of proportion", "processor time");
}

inline void fuzzOnce(std::string_view format, const Input& input, bool strict) {
    const std::clock_t begin = std::clock();
    auto scene = std::make_unique<Scene>();
    Arena arena;
    Diagnostics diagnostics(strict);
    Budget budget(Budget::memoryFor(input.size()), Budget::workFor(input.size()));
    const OpenResult result = openScene(input, format, *scene, arena, diagnostics);
    if (result.hasScene)
        for (const std::string& broken : validateScene(*scene, arena)) fuzzFail("contract broken", broken);
    const bool isWaiting = std::any_of(scene->references.begin(), scene->references.end(),
                                       [](const Reference& reference) { return reference.required && !reference.supplied; });
    if (!result.hasScene && !isWaiting && diagnostics.total(Severity::error) == 0) fuzzFail("no scene, no need and no error", "");
    if (!result.hasScene) budget.extend(1 << 20);
    const std::string description =
        describe(result.hasScene ? scene.get() : nullptr, scene->references, arena, diagnostics, format, result.version);
    if (!isJson(description)) fuzzFail("no JSON", description);

    checkCost(budget, input.size(), begin);
    if (format == "psa" || format == "psk" || format == "cast")
        if (const std::string what = differenceOf(format, input, strict); !what.empty()) fuzzFail("otherwise in windows", what);

    const std::clock_t outlineBegin = std::clock();
    Budget outlineBudget(Budget::memoryFor(input.size()), Budget::workFor(input.size()));
    Outline outline;
    Diagnostics outlineDiagnostics(strict);
    openOutline(input, format, outline, outlineDiagnostics);
    Arena outlineArena;
    const std::string tree = describeOutline(outline, {}, outlineArena, outlineDiagnostics, format, "");
    checkCost(outlineBudget, input.size(), outlineBegin);
    if (!isJson(tree)) fuzzFail("no JSON of the outline", tree);
}

/// Opens the input as `format`, lenient and strict. The last byte selects a variant: bit 0 selects
/// strict mode, and the other bits are an index into `options` (JSON). If `companionKind` is not
/// empty, the bytes after the last line `#companion` are supplied as a companion file.
inline int fuzzFormat(std::string_view format, const std::uint8_t* data, std::size_t size, std::span<const char* const> options = {},
                      std::string_view companionKind = {}, std::string_view companionName = {}) {
    if (size == 0) return 0;
    const std::uint8_t choice = data[size - 1];
    Bytes bytes(data, size - 1);
    std::unique_ptr<std::uint8_t[]> exactCompanion;
    Vector<Supplied> supplied;
    if (!companionKind.empty()) {
        constexpr std::string_view mark = "\n#companion\n";
        const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        const std::size_t at = text.rfind(mark);
        if (at != std::string_view::npos) {
            const Bytes companion = bytes.subspan(at + mark.size());
            exactCompanion.reset(new std::uint8_t[companion.size()]);
            if (!companion.empty()) std::memcpy(exactCompanion.get(), companion.data(), companion.size());
            supplied.push_back({std::string(companionKind), std::string(companionName), {exactCompanion.get(), companion.size()}});
            bytes = bytes.first(at);
        }
    }
    // Copies the bytes to memory of exactly their size, so that AddressSanitizer detects reads
    // beyond the last byte.
    std::unique_ptr<std::uint8_t[]> exact(new std::uint8_t[bytes.size()]);
    if (!bytes.empty()) std::memcpy(exact.get(), bytes.data(), bytes.size());
    const std::size_t option = choice >> 1;
    const Value formatOptions = option < options.size() ? parseJson(options[option]) : Value{};
    fuzzOnce(format, {{exact.get(), bytes.size()}, "fuzz", &formatOptions, supplied}, choice & 1);
    return 0;
}

}  // namespace rigcast::test
