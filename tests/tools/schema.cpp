// rigcast_schema types|words|page: prints what is made of wasm/scene/scene.def for JavaScript and for people.
#include <cstdio>
#include <string_view>

#include "support/schema.hpp"

int main(int count, char** arguments) {
    const std::string_view what = count > 1 ? arguments[1] : "";
    const std::string text = what == "types"   ? rigcast::test::sceneTypes()
                             : what == "words" ? rigcast::test::sceneWords()
                             : what == "page"  ? rigcast::test::scenePage()
                                               : "";
    if (text.empty()) {
        std::fputs("usage: rigcast_schema types|words|page\n", stderr);
        return 1;
    }
    std::fputs(text.c_str(), stdout);
    return 0;
}
