//! The server as people run it: the real program, real sockets, real files, a real PostgreSQL.

mod abuse;
mod faults;
mod games;
mod harness;
mod nodes;
mod secrets;
