// rigcast_codes: prints the documentation of the codes (wasm/core/codes.md).
#include <cstdio>

#include "support/codes.hpp"

int main() { std::fputs(rigcast::test::codesPage().c_str(), stdout); }
