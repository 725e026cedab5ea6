//! Tables as Parquet files: [`table`] writes them and [`reader`] reads them again, a group of rows at a time.

mod pages;
pub mod reader;
pub mod table;
