// Opens files as a page does, and checks that the result is a valid scene or none, and a valid
// description.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "core/code.hpp"
#include "core/json.hpp"
#include "core/vector.hpp"
#include "formats/registry.hpp"
#include "scene/describe.hpp"
#include "scene/validate.hpp"

namespace rigcast::test {

/// Checks the rules of scene/validate.hpp.
inline void expectSound(const Scene& scene, const Arena& arena) {
    for (const std::string& broken : validateScene(scene, arena)) ADD_FAILURE() << "contract broken: " << broken;
}

/// A copy of bytes in a heap block of exactly their size, so that sanitizers detect an overrun by
/// one byte.
class ExactBytes {
public:
    explicit ExactBytes(Bytes bytes) : data_(new std::uint8_t[bytes.size()]), size_(bytes.size()) {
        if (size_) std::memcpy(data_.get(), bytes.data(), size_);
    }
    Bytes bytes() const { return {data_.get(), size_}; }
    std::uint8_t& operator[](std::size_t at) { return data_[at]; }

private:
    std::unique_ptr<std::uint8_t[]> data_;
    std::size_t size_;
};

struct ReadOptions {
    std::string name = {};     // file name
    std::string options = {};  // formatOptions as JSON
    Vector<Supplied> supplied = {};
    bool strict = false;
    std::uint64_t memory = 0;  // memory budget; 0: derived from the file size
    std::uint64_t work = 0;
    bool tangents = false;
};

struct Opened {
    Scene scene;
    Arena arena;
    Diagnostics diagnostics;
    OpenResult result;
    std::string description;              // description of the result
    Value json;                           // parsed description
    std::uint64_t memory = 0, steps = 0;  // cost of reading
    bool isExhausted = false;             // true: the budget was exceeded, by reading or by the description

    explicit Opened(const ReadOptions& options) : diagnostics(options.strict) {}

    /// Returns the finding with this code, or nullptr.
    const Finding* finding(Code code) const {
        for (const Finding& finding : diagnostics.findings())
            if (finding.code == code) return &finding;
        return nullptr;
    }
    bool has(Code code) const { return finding(code) != nullptr; }
    /// Returns how often this finding occurred.
    std::uint64_t count(Code code) const {
        std::uint64_t sum = 0;
        for (const Finding& finding : diagnostics.findings())
            if (finding.code == code) sum += finding.count;
        return sum;
    }
    /// Returns true if a required companion file is missing, so that there is no scene.
    bool isWaiting() const {
        for (const Reference& reference : scene.references)
            if (reference.required && !reference.supplied) return true;
        return false;
    }
};

/// Returns the budget of a file as `open` computes it.
inline Budget budgetOf(const Input& input, const ReadOptions& options) {
    const std::uint64_t size = input.size();
    return {options.memory ? options.memory : Budget::memoryFor(size), options.work ? options.work : Budget::workFor(size)};
}

/// Opens `bytes` as `format`, or as the format that is detected by content and name if `format` is
/// empty. Describes the scene. Fails the test if the scene or the description is invalid. The
/// caller must check the findings.
inline std::unique_ptr<Opened> readBytes(std::string_view format, Bytes bytes, const ReadOptions& options = {}) {
    auto opened = std::make_unique<Opened>(options);
    const ExactBytes exact(bytes);
    const Value formatOptions = parseJson(options.options);
    const Input input{exact.bytes(), options.name, &formatOptions, options.supplied, options.tangents};
    Budget budget = budgetOf(input, options);
    opened->result = openScene(input, format, opened->scene, opened->arena, opened->diagnostics);
    if (opened->result.hasScene) expectSound(opened->scene, opened->arena);
    if (!opened->result.hasScene) budget.extend(1 << 20);
    const Format* chosen = opened->result.format;
    opened->description = describe(opened->result.hasScene ? &opened->scene : nullptr, opened->scene.references, opened->arena,
                                   opened->diagnostics, chosen ? chosen->id : "", opened->result.version);
    opened->memory = budget.peak();
    opened->steps = budget.steps();
    opened->isExhausted = Budget::exhausted();
    budget.extend(1 << 24);  // for parsing the description, which is not limited
    opened->json = parseJson(opened->description);
    EXPECT_TRUE(opened->json.find("report")) << "no JSON: " << opened->description.substr(0, 200);
    return opened;
}

struct OpenedOutline {
    Outline outline;
    Diagnostics diagnostics;
    OpenResult result;
    std::uint64_t memory = 0, steps = 0;
};

inline OpenedOutline readOutline(std::string_view format, Bytes bytes, const ReadOptions& options = {}) {
    OpenedOutline opened{{}, Diagnostics(options.strict), {}};
    const ExactBytes exact(bytes);
    const Value formatOptions = parseJson(options.options);
    const Input input{exact.bytes(), options.name, &formatOptions, options.supplied};
    Budget budget = budgetOf(input, options);
    opened.result = openOutline(input, format, opened.outline, opened.diagnostics);
    Arena arena;
    if (Budget::exhausted()) budget.extend(1 << 20);
    const std::string description =
        describeOutline(opened.outline, opened.result.references, arena, opened.diagnostics, format, opened.result.version);
    opened.memory = budget.peak();
    opened.steps = budget.steps();
    budget.extend(1 << 24);
    EXPECT_TRUE(parseJson(description).find("outline")) << "no JSON: " << description.substr(0, 200);
    return opened;
}

/// Returns the findings as "severity CODE path".
inline Vector<std::string> findingsOf(const Opened& opened) {
    Vector<std::string> list;
    for (const Finding& finding : opened.diagnostics.findings())
        list.push_back(std::string(nameOf(finding.severity)) + " " + std::string(infoOf(finding.code).name) + " " + finding.path);
    return list;
}

}  // namespace rigcast::test
