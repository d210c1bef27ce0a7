#include "properties/claims/hola_chunks.hpp"

#include <algorithm>

namespace deltaproof::claims {
namespace {

const char* name_of(Update update) {
  switch (update) {
    case Update::at_boundaries:
      return "at the end of a chunk";
    case Update::at_once:
      return "with each token";
    case Update::whole_chunk:
      return "by the scores of the whole chunk";
    case Update::whole_chunk_cut:
      return "by the scores of the whole chunk, then masked";
  }
  return "";
}

}  // namespace

std::vector<Named> inputs_of(const Chunked& stream) {
  return {{"scores", text(stream.scores)},
          {"chunk", std::to_string(stream.blocks.front())},
          {"w", std::to_string(stream.w)},
          {"persistent set chosen", name_of(stream.update)}};
}

Positions visible(const Chunked& stream, int t) {
  const int chunk = stream.blocks.front(), begin = t / chunk * chunk;
  const int end = std::min(begin + chunk, static_cast<int>(stream.scores.size()));
  const int until = stream.update == Update::at_boundaries ? begin : stream.update == Update::at_once ? t + 1 : end;
  Stream seen = stream;
  seen.scores.resize(static_cast<std::size_t>(until));
  Positions positions = top(seen);
  if (stream.update == Update::whole_chunk_cut) std::erase_if(positions, [&](int position) { return position > t; });
  for (int position = begin; position <= t; ++position) positions.push_back(position);
  std::sort(positions.begin(), positions.end());
  positions.erase(std::unique(positions.begin(), positions.end()), positions.end());
  return positions;
}

std::int64_t not_causal(const Chunked& stream) {
  std::int64_t count = 0;
  for (int t = 0; t < static_cast<int>(stream.scores.size()); ++t) {
    const Positions seen = visible(stream, t);
    bool wrong = !seen.empty() && seen.back() > t;
    for (const int later : {0, 9}) {
      Chunked other = stream;
      std::fill(other.scores.begin() + t + 1, other.scores.end(), later);
      wrong = wrong || visible(other, t) != seen;
    }
    count += wrong;
  }
  return count;
}

std::int64_t largest_visible(const Chunked& stream) {
  std::int64_t largest = 0;
  for (int t = 0; t < static_cast<int>(stream.scores.size()); ++t) {
    largest = std::max<std::int64_t>(largest, std::ssize(visible(stream, t)) + 1);
  }
  return largest;
}

std::vector<Chunked> chunked_streams(const Effort& effort) {
  std::vector<Chunked> streams;
  for (const Stream& each : streams_in_blocks(effort)) {
    if (each.blocks.size() > 1 || each.w > 2) continue;
    for (int chunk = 1; chunk <= 3; ++chunk) {
      Chunked chunked{each};
      chunked.blocks = {chunk};
      for (const Update update :
           {Update::at_boundaries, Update::at_once, Update::whole_chunk, Update::whole_chunk_cut}) {
        chunked.update = update;
        streams.push_back(chunked);
      }
    }
  }
  return streams;
}

}  // namespace deltaproof::claims
