#include "kernels/simt/launch_pool.hpp"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

namespace deltaproof {

namespace {

struct Job {
  const std::function<void(int)>* work;
  int helpers;
  int taken = 0;   ///< calls that threads of the pool have begun
  int active = 0;  ///< and not ended
};

/// Threads that wait for jobs; their fibers stay for the next.
class Pool {
 public:
  ~Pool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(int helpers, const std::function<void(int)>& work) {
    Job job{&work, helpers};
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(&job);
      while (static_cast<int>(threads_.size()) < helpers) threads_.emplace_back([this] { serve(); });
    }
    changed_.notify_all();
    work(0);
    std::unique_lock lock(mutex_);
    std::erase(jobs_, &job);
    changed_.wait(lock, [&] { return job.active == 0; });
  }

 private:
  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return closing_ || !jobs_.empty(); });
      if (closing_) return;
      Job& job = *jobs_.front();
      const int number = ++job.taken;
      ++job.active;
      if (job.taken == job.helpers) jobs_.pop_front();
      lock.unlock();
      (*job.work)(number);
      lock.lock();
      --job.active;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job*> jobs_;
  std::vector<std::thread> threads_;
  bool closing_ = false;
};

}  // namespace

void run_on_pool(int helpers, const std::function<void(int)>& work) {
  if (helpers <= 0) return work(0);
  static Pool pool;
  pool.run(helpers, work);
}

}  // namespace deltaproof
