//! `harness`: the library behind `q7diff`. It makes cases, runs them on two models, compares the
//! outcomes bit for bit and says what it compared.
//!
//! Rooms, in the order in which a case passes them:
//! - [`generate`]: cases, valid by construction or broken on purpose; [`golden`]: directed cases with
//!   what must come out; [`corpus`]: where case files are.
//! - [`models`]: which models run, and what happens when one fails; [`faults`]: planted misreadings.
//! - [`differ`]: one case on two models; [`compare`]: what differs.
//! - [`triage`]: what a divergence is about, and which step made it.
//! - [`campaign`]: many cases on several threads; [`report`]: what it leaves behind.
//! - [`minimise`]: the smallest case that still shows a divergence, and what may vary in it.
//! - [`shrink`]: the minimiser at work on a divergence, and on every bucket of a campaign.
//! - [`fuzz`]: what the fuzz targets do with an input, for the engine and for everyone else.
//! - [`nightly`]: everything above, night after night, resumable, and what is news.
//! - [`family`], [`lane`], [`number`], [`schedule_text`]: names of ops, element widths, codes as numbers,
//!   schedules as text.
//! - [`cli`]: the commands, thin.

#![deny(missing_docs)]

pub mod campaign;
pub mod cli;
pub mod compare;
pub mod corpus;
pub mod coverage;
pub mod differ;
pub mod family;
pub mod faults;
pub mod fuzz;
pub mod generate;
pub mod golden;
pub mod lane;
pub mod minimise;
pub mod models;
pub mod nightly;
pub mod number;
pub mod report;
pub mod schedule_text;
pub mod shrink;
pub mod triage;
