// rigcast_print: prints the path and the content of every generated file, each followed by a zero
// byte. `npm run print` calls it.
#include <cstdio>

#include "support/printed.hpp"

int main() {
    for (const auto& [path, text] : rigcast::test::printedFiles()) {
        std::fwrite(path.data(), 1, path.size(), stdout);
        std::fputc('\0', stdout);
        std::fputs(text().c_str(), stdout);
        std::fputc('\0', stdout);
    }
}
