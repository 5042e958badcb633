// npm run fuzz -- se SECONDS
#include "support/fuzz.hpp"

/// Detects by content whether the input is a model or an animation.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* options[] = {"", R"({"se": {"upAxis": "y", "unit": 0.0254, "overrideNamedBone": true}})"};
    return rigcast::test::fuzzFormat("", data, size, options);
}
