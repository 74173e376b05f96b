pub mod compare;
pub mod family;
pub mod number;
