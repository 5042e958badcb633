#include "support/mprt.hpp"

namespace rigcast::test {

Vector<std::uint8_t> makeMprt(const Vector<MprtSpec>& props) {
    Vector<std::uint8_t> bytes;
    const auto put = [&](auto value) {
        const auto* at = reinterpret_cast<const std::uint8_t*>(&value);
        bytes.insert(bytes.end(), at, at + sizeof value);
    };
    for (const char letter : {'m', 'p', 'r', 't'}) put(letter);
    put(std::uint32_t{3});
    put(static_cast<std::uint32_t>(props.size()));
    for (const MprtSpec& prop : props) {
        for (const char letter : prop.name) put(letter);
        put('\0');
        for (const Vec3& v : {prop.position, prop.degrees})
            for (const double number : {v.x, v.y, v.z}) put(static_cast<float>(number));
        put(prop.scale);
    }
    return bytes;
}

}  // namespace rigcast::test
