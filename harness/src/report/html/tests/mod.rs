//! The page on runs made by hand and on a small campaign: what it says, that it stands alone, that it is
//! well formed and that nothing in it can be mistaken for markup.

mod buckets;
mod pages;
mod sheet;
mod support;
