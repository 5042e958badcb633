// npm run fuzz -- text SECONDS
// Fuzzes functions that read text: UTF-8 repair, fixed names, JSON.
#include <string>

#include "core/text.hpp"
#include "support/fuzz.hpp"

namespace {

using namespace rigcast;

void check(bool holds, const char* what) {
    if (!holds) test::fuzzFail(what, "");
}

void checkText(std::string_view text) {
    const std::string repaired = repairUtf8(text);
    check(isValidUtf8(repaired), "repaired text is valid");
    check(isValidUtf8(text) == (repaired == text), "valid text, and only that, stays as it is");
    check(isValidUtf8(fromWindows1252(text)), "decoded text is valid");
    check(trimmed(text).size() <= text.size() && lowerAscii(text).size() == text.size(), "sizes");
}

/// Checks that a parsed value can be written and parsed again.
void checkJson(std::string_view text) {
    const Value value = parseJson(text);
    if (value.isNull()) return;
    Scene scene;
    scene.asset.properties.push_back({"value", value});
    Arena arena;
    const std::string written = describe(&scene, {}, arena, Diagnostics{}, "", "");
    const Value again = parseJson(written);
    const Value* asset = again.find("scene") ? again.find("scene")->find("asset") : nullptr;
    check(asset && asset->find("properties") && asset->find("properties")->find("value"), "written JSON is JSON");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    checkText(text);
    const FixedName name = fixedName({data, size});
    check(isValidUtf8(name.text), "names are valid");
    check(name.text.empty() || name.text.back() != ' ', "names end without blanks");
    checkJson(text);
    return 0;
}
