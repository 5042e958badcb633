// npm run fuzz -- mprt SECONDS
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return rigcast::test::fuzzFormat("mprt", data, size, {});
}
