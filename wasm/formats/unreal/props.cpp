#include "formats/unreal/props.hpp"

#include <algorithm>

#include "core/number.hpp"
#include "core/text.hpp"

namespace rigcast::unreal {

namespace {

/// Returns a name in lower case without its index: `sockets` for `Sockets[3]`.
std::string withoutIndex(std::string_view name) { return lowerAscii(trimmed(name.substr(0, name.find('[')))); }

/// Parses lines of the forms `Name = value`, `Name = { a, b }` and `Name = { X=1, Y=2 }`, and `Name
/// =` followed by a block in braces. Some versions of UE Viewer write a short list on one line,
/// others as a block.
class PropsReader {
public:
    explicit PropsReader(Props& props) : props_(props) {}

    void read(std::string_view text) {
        if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        while (!text.empty()) {
            const std::size_t end = std::min(text.find('\n'), text.size());
            readLine(trimmed(text.substr(0, end)));
            text.remove_prefix(std::min(end + 1, text.size()));
        }
    }

private:
    void readLine(std::string_view line) {
        if (line == "{") return open(last_);
        if (line == "}") return close();
        const std::size_t equals = line.find('=');
        last_ = line.substr(0, equals);
        if (equals == std::string_view::npos) return;
        std::string_view value = trimmed(line.substr(equals + 1));
        if (!value.starts_with('{')) return value.empty() ? void() : leaf(last_, value);
        open(last_);
        value.remove_prefix(1);
        if (value.ends_with('}')) value.remove_suffix(1);
        while (!value.empty()) {
            const std::size_t comma = std::min(value.find(','), value.size());
            const std::string_view item = trimmed(value.substr(0, comma));
            const std::size_t inner = item.find('=');
            if (inner != std::string_view::npos)
                leaf(item.substr(0, inner), item.substr(inner + 1));
            else if (!item.empty())
                leaf({}, item);
            value.remove_prefix(std::min(comma + 1, value.size()));
        }
        close();
    }

    /// Enters a block. Stores its name only at the first three levels, because deeper blocks are
    /// ignored.
    void open(std::string_view name) {
        ++depth_;
        if (depth_ > 3) return;
        blocks_[depth_ - 1] = withoutIndex(name);
        if (isSocket(2)) socket_ = {};
    }

    void close() {
        if (isSocket(2) && !socket_.name.empty()) props_.sockets.push_back(std::move(socket_));
        if (depth_ > 0) --depth_;
    }

    /// Returns true if the current block is an element of the mesh's list of sockets (`depth` 2) or
    /// a struct in such an element (`depth` 3).
    bool isSocket(std::size_t depth) const { return depth_ == depth && blocks_[0] == "sockets" && blocks_[1] == "sockets"; }

    void leaf(std::string_view name, std::string_view text) {
        const std::string key = withoutIndex(name), value = nameOf(text);
        if (isSocket(2) && key == "socketname") {
            socket_.name = value;
        } else if (isSocket(2) && key == "bonename") {
            socket_.bone = value;
        } else if (isSocket(3)) {
            setNumber(key, trimmed(text));
        } else if (depth_ == 0 && key == "banimrotationonly") {
            props_.config.setRotationOnly(value);
        } else if (depth_ == 1 && !value.empty()) {
            if (blocks_[0] == "usetranslationbonenames") props_.config.useTranslation.intern(lowerAscii(value));
            if (blocks_[0] == "forcemeshtranslationbonenames") props_.config.forceTranslation.intern(lowerAscii(value));
        }
    }

    void setNumber(std::string_view key, std::string_view text) {
        constexpr double unit = 360.0 / 65536;
        struct Number {
            std::string_view block, key;
            double& to;
            double unit;
        };
        const Number numbers[] = {
            {"relativelocation", "x", socket_.location.x, 1},
            {"relativelocation", "y", socket_.location.y, 1},
            {"relativelocation", "z", socket_.location.z, 1},
            {"relativerotation", "pitch", socket_.rotation.x, unit},
            {"relativerotation", "yaw", socket_.rotation.y, unit},
            {"relativerotation", "roll", socket_.rotation.z, unit},
            {"relativescale", "x", socket_.scale.x, 1},
            {"relativescale", "y", socket_.scale.y, 1},
            {"relativescale", "z", socket_.scale.z, 1},
        };
        for (const Number& number : numbers)
            if (number.block == blocks_[2] && number.key == key) socket_.set(number.to, parseDecimal(text), number.unit);
    }

    static std::string nameOf(std::string_view text) {
        text = trimmed(text);
        if (text.size() > 1 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
        if (lowerAscii(text) == "none") return {};
        return isValidUtf8(text) ? std::string(text) : fromWindows1252(text);
    }

    Props& props_;
    std::string_view last_;  // name of the next block
    std::string blocks_[3];  // names of the first three levels, lower case
    std::size_t depth_ = 0;
    Socket socket_;
};

}  // namespace

Props parseProps(Bytes text) {
    Props props;
    PropsReader(props).read(asText(text));
    return props;
}

}  // namespace rigcast::unreal
