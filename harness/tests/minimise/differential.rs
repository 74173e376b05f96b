//! Real divergences.
