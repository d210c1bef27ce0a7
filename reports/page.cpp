#include "reports/page.hpp"

#include <openssl/evp.h>

#include <array>
#include <fmt/format.h>
#include <string_view>

#include "embedded_deltaproof_reports.hpp"
#include "reports/page_data.hpp"

namespace deltaproof {
namespace {

/// A source of the Content-Security-Policy: a browser runs the text that has this SHA-256 and no other.
std::string policy_source(std::string_view text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int length = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &length, EVP_sha256(), nullptr);
  std::array<unsigned char, 2 * EVP_MAX_MD_SIZE> base64{};
  const int written = EVP_EncodeBlock(base64.data(), digest.data(), static_cast<int>(length));
  return fmt::format("'sha256-{}'", std::string_view(reinterpret_cast<const char*>(base64.data()),
                                                      static_cast<std::size_t>(written)));
}

/// The page's script: its files in one scope of their own, in the order in which they need each other.
std::string page_script() {
  using namespace embedded;
  std::string script = "(() => {\n\"use strict\";\n";
  for (const auto part : {page_data_js(), page_dom_js(), page_route_js(), page_charts_js(), page_heat_map_js(),
                          page_profile_js(), page_terms_js(), page_table_js(), page_detail_js(), page_header_js(),
                          page_kill_matrix_js(), page_ledger_js(), page_environment_js(), page_main_js()}) {
    script += part;
  }
  return script + "})();\n";
}

/// Between "{{" and "}}" in the template; "" for another word.
std::string content_of(std::string_view word, const PageParts& parts) {
  static const std::string script = page_script();
  static const std::string policy = fmt::format(
      "default-src 'none'; script-src {} {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
      policy_source(embedded::chart_js()), policy_source(script), policy_source(embedded::page_css()));
  if (word == "policy") return policy;
  if (word == "style") return std::string(embedded::page_css());
  if (word == "chart.js") return std::string(embedded::chart_js());
  if (word == "chart.js licence") return std::string(embedded::page_chart_js_licence());
  if (word == "script") return script;
  if (word == "report") return parts.report.empty() ? "null" : script_json(page_report(parts.report));
  if (word == "kill matrix") return script_json(compact_json(parts.kill_matrix));
  if (word == "ledger") return script_json(compact_json(parts.ledger));
  return "";
}

}  // namespace

std::string html_page(const PageParts& parts) {
  std::string page;
  std::string_view rest = embedded::page_template();
  // What is put in is not searched again: a name "{{script}}" in a report stays what it is.
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    page += rest.substr(0, open);
    page += content_of(rest.substr(open + 2, close - open - 2), parts);
    rest.remove_prefix(close + 2);
  }
  return page.append(rest);
}

}  // namespace deltaproof
