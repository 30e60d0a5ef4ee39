//! Blocks under test.
pub mod arithmetic;
pub mod arrays;
pub mod hierarchy;
pub mod registers;
pub mod types;
