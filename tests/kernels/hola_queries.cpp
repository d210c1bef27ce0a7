#include "tests/kernels/hola_queries.hpp"

namespace deltaproof {

std::vector<StageToken> stage_tokens(const StageShape& s, std::int64_t C) {
  std::vector<StageToken> tokens;
  std::int64_t first = 0, block = 0;
  const std::vector<std::int64_t> rows(static_cast<std::size_t>(s.B), s.T);
  for (const std::int64_t length : s.lengths.empty() ? rows : s.lengths) {
    for (std::int64_t t = 0; t < length; ++t) tokens.push_back({first, t, block});
    first += length, block += (length + C - 1) / C;
  }
  return tokens;
}

void for_queries(const ReadInput& r,
                 const std::function<void(std::int64_t, std::int64_t, const std::vector<std::int64_t>&)>& f) {
  const StageShape& s = r.shape;
  const std::vector<StageToken> tokens = stage_tokens(s, r.C);
  for (std::int64_t row = 0; row < static_cast<std::int64_t>(tokens.size()); ++row) {
    const StageToken& at = tokens[static_cast<std::size_t>(row)];
    const std::int64_t block = at.t / r.C;
    for (std::int64_t head = 0; head < s.HV; ++head) {
      std::vector<std::int64_t> entries;
      for (std::int64_t i = 0; i < r.w; ++i) {
        const std::int32_t token =
            r.selected[static_cast<std::size_t>(((at.first_block + block) * s.HV + head) * r.w + i)];
        if (token >= 0) entries.push_back(at.first + token);
      }
      for (std::int64_t t = block * r.C; r.read_block && t <= at.t; ++t) entries.push_back(at.first + t);
      f(row, head, entries);
    }
  }
}

std::vector<float> key_row(const ReadInput& r, const Tensor& tensor, std::int64_t row, std::int64_t head) {
  return floats_of_row(tensor, row * r.shape.H + head / (r.shape.HV / r.shape.H), r.shape.K);
}

std::vector<float> floats_of_row(const Tensor& tensor, std::int64_t row, std::int64_t size) {
  std::vector<float> values;
  for (std::int64_t i = 0; i < size; ++i) values.push_back(static_cast<float>(tensor.value(row * size + i)));
  return values;
}

}  // namespace deltaproof
