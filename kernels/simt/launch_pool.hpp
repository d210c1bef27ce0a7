#pragma once

#include <functional>

namespace deltaproof {

/// Calls `work(0)` on the calling OS thread and `work(1)` to `work(helpers)` on threads of a pool, and returns when
/// all have returned. A call that no thread of the pool has taken up when `work(0)` returns is left out. `work` must
/// not throw.
void run_on_pool(int helpers, const std::function<void(int)>& work);

}  // namespace deltaproof
