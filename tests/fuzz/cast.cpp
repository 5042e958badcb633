// npm run fuzz -- cast SECONDS
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* options[] = {"", R"({"cast": {"upAxis": "z", "unit": 0.0254, "overrideNamedBone": true}})"};
    return rigcast::test::fuzzFormat("cast", data, size, options);
}
