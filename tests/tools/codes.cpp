// rigcast_codes [--module]: prints the documentation of the codes (wasm/core/codes.md) or their table for pages (web/src/core/codeTable.ts).
#include <cstdio>
#include <string_view>

#include "support/codes.hpp"

int main(int count, char** arguments) {
    const bool isModule = count > 1 && std::string_view(arguments[1]) == "--module";
    std::fputs((isModule ? rigcast::test::codesModule() : rigcast::test::codesPage()).c_str(), stdout);
}
