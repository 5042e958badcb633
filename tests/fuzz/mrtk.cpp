// npm run fuzz -- mrtk SECONDS
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static constexpr const char* options[] = {
        "", R"({"mrtk": {"alignSigns": false, "rebuildW": false}})", R"({"mrtk": {"guessLayout": true, "oldVersions": true}})",
        R"({"mrtk": {"alignSigns": false, "rebuildW": true, "guessLayout": true, "oldVersions": false}})"};
    return rigcast::test::fuzzFormat("mrtk", data, size, options);
}
