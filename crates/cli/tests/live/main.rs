//! Tests in real time, between network namespaces: a binary of its own, for they measure how long things take and so
//! run while nothing else does.

mod lab_netns;
mod namespaces;
mod router_example;
mod tpp_live;
mod wire;
