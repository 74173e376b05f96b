//! Vector programs: schedules of both models alone.

#![no_main]

q7diff_fuzz::target!(ScheduleDiff);
