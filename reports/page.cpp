#include "reports/page.hpp"

namespace deltaproof {

PageParts read_page_parts(const std::filesystem::path&) { return {}; }
std::string html_page(const PageParts&) { return {}; }

}  // namespace deltaproof
