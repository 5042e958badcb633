#include "core/source.hpp"

namespace rigcast {

void Source::load(std::size_t offset, std::size_t count) {
    if (count) read(offset, count, memory_ + offset);
}

Bytes Source::window(std::size_t offset, std::size_t count, Vector<std::uint8_t>& buffer) {
    if (buffer.size() < count) buffer.resize(count);
    read(offset, count, buffer.data());
    return {buffer.data(), count};
}

}  // namespace rigcast
