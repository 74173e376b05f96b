//! Home of the cargo-fuzz targets. There are none yet: the generators (`harness::generate`) already read
//! `arbitrary::Unstructured`, so that a target is a few lines of glue over `Generator::from_bytes`.
