// Fuzzes the readers of UEFormat: `npm run fuzz -- ueformat SECONDS`. The bytes after
// "\n#companion\n" are the decompressed body.
#include "support/fuzz.hpp"

/// Detects the kind of file by its content.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return rigcast::test::fuzzFormat("", data, size, {}, "decompress", "fuzz");
}
