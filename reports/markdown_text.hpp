#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// Pieces of Markdown that show any text as it is. Only code does that everywhere: GitHub and GitLab look inside it for
/// neither markup, links and HTML nor for mentions of people and issues, which entities and backslashes do not prevent.
namespace deltaproof::markdown {

/// Printable ASCII, at most `most` characters; what is cut off shows as "..".
std::string short_text(std::string_view text, std::size_t most);

/// `text` as code within a line.
std::string code(std::string_view text, std::size_t most = 200);

/// Lines as a block of code.
std::string code_block(const std::vector<std::string>& lines, std::string_view language);

/// Lines as a block that is closed until somebody opens it. `title` is ours.
std::string closed_block(std::string_view title, const std::vector<std::string>& lines);

}  // namespace deltaproof::markdown
