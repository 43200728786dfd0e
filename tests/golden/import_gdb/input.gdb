[New LWP 9649]
[Thread debugging using libthread_db enabled]
Using host libthread_db library "/lib/x86_64-linux-gnu/libthread_db.so.1".
0x000056295f76130a in app::step (x=1817) at t.cc:9
9	static inline double step(double x){ return std::sqrt(x+1); }

Thread 3 (Thread 0x7f2914b3c6c0 (LWP 9650)):
#0  0x00007f291540d545 in __GI___clock_nanosleep (clock_id=clock_id@entry=0, flags=flags@entry=0) at ../sysdeps/unix/sysv/linux/clock_nanosleep.c:48
#1  0x00007f29154478ec in ?? () from /lib/x86_64-linux-gnu/libc.so.6
#2  0x0000000000000000 in ?? ()

Thread 2 (Thread 0x7f291533d6c0 (LWP 9649) "worker one"):
#0  0x000056295f76130a in app::step (x=839) at t.cc:9
#1  app::Engine::run (this=this@entry=0x7f291533ceae, name="a;b (c) at x", n=n@entry=1000) at t.cc:10
#2  0x000056295f7613f9 in app::drive<double> (t=t@entry=1.5, n=n@entry=1000) at t.cc:11
#3  <signal handler called>
#4  0x000056295f7612a1 in (anonymous namespace)::worker (p=<optimized out>)
    at t.cc:13

Thread 1 (Thread 0x7f2915828740 (LWP 9648) "t"):
#0  0x000056295f7612b1 in operator() (n=<optimized out>, __closure=0x7fff330dfd20) at t.cc:15
#1  std::__invoke_impl<void, main()::<lambda(int)>&, int> (__f=...) at /usr/include/c++/12/bits/invoke.h:61
#2  0x000056295f761276 in std::function<void (int)>::operator()(int) const (__args#0=<optimized out>, this=0x7fff330dfd70) at /usr/include/c++/12/bits/std_function.h:591
#3  main () at t.cc:15
[Inferior 1 (process 9648) detached]

Thread 2 (Thread 0x7f291533d6c0 (LWP 9649) "worker one"):
#0  0x000056295f76131d in app::operator<< (out=..., n=3) at t.cc:10
#1  0x000056295f7613f9 in app::drive<double> (t=t@entry=1.5, n=n@entry=1000) at t.cc:11
