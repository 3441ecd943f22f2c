// ThreadSanitizer (of gcc 12 and clang 16) does not know pthread_mutex_clocklock(), which std::timed_mutex waits with:
// a mutex that was got by it would seem to be unlocked by a thread that does not hold it. It knows this one's way.

#include <pthread.h>

#include <ctime>

extern "C" int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, const timespec* until) noexcept {
  constexpr long kNanosecondsInASecond = 1'000'000'000;
  timespec now{};
  timespec wall{};
  clock_gettime(clock, &now);
  clock_gettime(CLOCK_REALTIME, &wall);
  timespec wall_until{until->tv_sec - now.tv_sec + wall.tv_sec, until->tv_nsec - now.tv_nsec + wall.tv_nsec};
  for (; wall_until.tv_nsec < 0; wall_until.tv_nsec += kNanosecondsInASecond) --wall_until.tv_sec;
  for (; wall_until.tv_nsec >= kNanosecondsInASecond; wall_until.tv_nsec -= kNanosecondsInASecond) ++wall_until.tv_sec;
  return pthread_mutex_timedlock(mutex, &wall_until);
}
