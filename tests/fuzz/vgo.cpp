// Fuzzes the VGO reader: `npm run fuzz -- vgo SECONDS`. The bytes after "\n#companion\n" are the
// external resource if the last byte is at least 128, otherwise the decrypted accessor list.
#include "support/fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const bool isResource = size > 0 && data[size - 1] & 0x80;
    return rigcast::test::fuzzFormat("vgo", data, size, {}, isResource ? "resource" : "decrypt", "fuzz");
}
