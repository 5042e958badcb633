// npm run fuzz -- psa SECONDS
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* options[] = {
        "",
        R"({"unreal": {"unitScale": 1, "conjugateRoot": true, "upAxis": "y", "yaw": 90}})",
        R"({"unreal": {"tracks": "rotation-only"}})",
        R"({"unreal": {"tracks": "everything", "unitScale": 1e300}})",
    };
    return rigcast::test::fuzzFormat("psa", data, size, options, "config", "fuzz.config");
}
