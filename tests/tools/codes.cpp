// rigcast_codes: prints the table of findings for pages (web/src/core/codeTable.ts).
#include <cstdio>

#include "support/codes.hpp"

int main() { std::fputs(rigcast::test::codesModule().c_str(), stdout); }
