// rigcast_mrtkFixtures FOLDER DEMO_FOLDER: writes recordings of hands for the tests
// (tests/data/mrtk) and for the viewer (web/src/viewer/demo).
#include <cstdio>
#include <fstream>
#include <string>

#include "support/takes.hpp"

#include "core/vector.hpp"

int main(int count, char** arguments) {
    if (count != 3) {
        std::fprintf(stderr, "usage: rigcast_mrtkFixtures FOLDER DEMO_FOLDER\n");
        return 2;
    }
    const auto save = [&](const char* folder, const char* name, const rigcast::Vector<std::uint8_t>& bytes) {
        std::ofstream file(std::string(folder) + "/" + name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        return file.good();
    };
    return save(arguments[2], "wavingHands.bin", rigcast::wavingHands()) && save(arguments[1], "everyCurve.bin", rigcast::everyCurve()) ? 0
                                                                                                                                        : 1;
}
