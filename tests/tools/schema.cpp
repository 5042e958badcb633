// rigcast_schema types|words|page|formats|modules: prints wasm/scene/scene.def and the list of formats for TypeScript and documentation.
#include <cstdio>
#include <string_view>

#include "support/formats.hpp"
#include "support/schema.hpp"

int main(int count, char** arguments) {
    const std::string_view what = count > 1 ? arguments[1] : "";
    const std::string text = what == "types"     ? rigcast::test::sceneTypes()
                             : what == "words"   ? rigcast::test::sceneWords()
                             : what == "page"    ? rigcast::test::scenePage()
                             : what == "formats" ? rigcast::test::formatTable()
                             : what == "modules" ? rigcast::test::moduleAddresses()
                                                 : "";
    if (text.empty()) {
        std::fputs("usage: rigcast_schema types|words|page|formats|modules\n", stderr);
        return 1;
    }
    std::fputs(text.c_str(), stdout);
    return 0;
}
