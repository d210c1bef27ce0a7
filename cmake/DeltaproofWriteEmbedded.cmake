# Writes SOURCE: a function NAME that gives the bytes of FILE (DeltaproofEmbed.cmake). Numbers, not a literal: of any
# length, and nothing to escape.
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "(................................................................................)" "\\1\n" bytes "${bytes}")
file(WRITE ${SOURCE}.new "#include <string_view>

namespace deltaproof::embedded {
std::string_view ${NAME}();
namespace {
const unsigned char bytes[] = {
${bytes}
0x00};
}
std::string_view ${NAME}() { return {reinterpret_cast<const char*>(bytes), sizeof bytes - 1}; }
}  // namespace deltaproof::embedded
")
file(RENAME ${SOURCE}.new ${SOURCE})
