//! The functions of `shim.c`, in its order.

use std::ffi::{c_char, c_int};

/// An `rte_mbuf`.
pub enum Mbuf {}

/// An `rte_ring`.
pub enum Ring {}

/// `struct ww_dpdk_device`.
#[repr(C)]
#[derive(Debug)]
pub struct Device {
    pub port: u16,
    pub rx_queues: u16,
    pub tx_queues: u16,
    pub hashed: c_int,
    pub pool: *mut std::ffi::c_void,
}

unsafe extern "C" {
    pub fn ww_dpdk_init(argc: c_int, argv: *mut *mut c_char) -> c_int;
    pub fn ww_dpdk_register_thread() -> c_int;
    pub fn ww_dpdk_error(error: c_int) -> *const c_char;
    pub fn ww_dpdk_open(
        arguments: *const c_char,
        name: *const c_char,
        workers: u16,
        device: *mut Device,
        step: *mut *const c_char,
    ) -> c_int;
    pub fn ww_dpdk_close(device: *mut Device);
    pub fn ww_dpdk_is_removed(device: *const Device) -> c_int;
    pub fn ww_dpdk_missed(device: *const Device) -> u64;
    pub fn ww_dpdk_receive(
        device: *const Device,
        queue: u16,
        mbufs: *mut *mut Mbuf,
        data: *mut *mut u8,
        lengths: *mut u32,
        count: u16,
    ) -> u16;
    pub fn ww_dpdk_free(mbufs: *mut *mut Mbuf, count: u16);
    pub fn ww_dpdk_copy(device: *const Device, frame: *const u8, length: u32) -> *mut Mbuf;
    pub fn ww_dpdk_longest(device: *const Device) -> u32;
    pub fn ww_dpdk_send(
        device: *const Device,
        queue: u16,
        mbufs: *mut *mut Mbuf,
        count: u16,
    ) -> u16;
    pub fn ww_dpdk_ring(device: *const Device, worker: u16) -> *mut Ring;
    pub fn ww_dpdk_ring_free(ring: *mut Ring);
    pub fn ww_dpdk_ring_put(ring: *mut Ring, mbuf: *mut Mbuf) -> c_int;
    pub fn ww_dpdk_ring_take(
        ring: *mut Ring,
        mbufs: *mut *mut Mbuf,
        data: *mut *mut u8,
        lengths: *mut u32,
        count: u16,
    ) -> u16;
}
