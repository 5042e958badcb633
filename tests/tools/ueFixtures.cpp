// rigcast_ueFixtures FOLDER: writes the UEFormat fixtures that are committed in tests/data/ueformat.
#include "support/ueFixtures.hpp"

#include <cstdio>
#include <fstream>

int main(int count, char** arguments) {
    if (count != 2) {
        std::fprintf(stderr, "usage: rigcast_ueFixtures FOLDER\n");
        return 2;
    }
    for (const auto& [name, bytes] : rigcast::test::ueFixtures()) {
        std::ofstream file(std::string(arguments[1]) + "/" + name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        if (!file) {
            std::fprintf(stderr, "cannot write %s\n", name.c_str());
            return 1;
        }
    }
    return 0;
}
