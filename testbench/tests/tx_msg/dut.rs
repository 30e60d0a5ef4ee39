//! The block at three sizes, and how its inputs are driven.

use heddle_model::operations::Operations;
use heddle_model::tx::msg::TxMsgConfig;
use heddle_testbench::duts::{TxMsg, TxMsg1, TxMsg16};
use heddle_testbench::monitors::tx_msg::{LookUp, SetUp, Sizes};
use heddle_testbench::tx_rows::Done;
use heddle_testbench::views::TxMsgView;
use heddle_testbench::{wide, Dut};
use rand_chacha::ChaCha8Rng;

/// A block of some size.
pub trait MsgDut: Dut + TxMsgView {
    /// Its sizes.
    const SIZES: Sizes;
    /// Drives a set-up, or none.
    fn drive_cfg(&mut self, cfg: Option<SetUp>);
    /// Drives a work request, or an idle cycle with noise.
    fn drive_w(&mut self, record: Option<&[u8; 64]>, rng: &mut ChaCha8Rng);
    /// Drives the question for a slice.
    fn drive_s(&mut self, conn: Option<u16>);
    /// Drives a report.
    fn drive_n(&mut self, done: Option<&Done>);
    /// Drives a question of the probe timer.
    fn drive_v(&mut self, question: Option<(u16, bool)>);
    /// Drives a look-up.
    fn drive_l(&mut self, look_up: Option<LookUp>);
    /// Drives what the sinks say.
    fn drive_ready(&mut self, cpl: bool, p: bool, u: bool);
}

macro_rules! msg_dut {
    ($dut:ident, $conn_bits:literal, $path_bits:literal, $stream_bits:literal, $slice_log2:literal, $first:literal) => {
        impl MsgDut for $dut {
            const SIZES: Sizes = Sizes {
                config: TxMsgConfig {
                    connections: 1 << $conn_bits,
                    streams: 1 << $stream_bits,
                    slots: 64 >> $stream_bits,
                    slice_log2: $slice_log2,
                    paths: 1 << $path_bits,
                    operations: Operations::WRITE_ONLY,
                },
                first: $first,
            };
            fn drive_cfg(&mut self, cfg: Option<SetUp>) {
                self.set_cfg_we(cfg.is_some());
                if let Some(SetUp { conn, valid }) = cfg {
                    self.set_cfg_conn(conn as u8);
                    self.set_cfg_valid(valid);
                }
            }
            fn drive_w(&mut self, record: Option<&[u8; 64]>, rng: &mut ChaCha8Rng) {
                self.noise("w_", rng);
                self.set_w_valid(record.is_some());
                if let Some(record) = record {
                    self.set_w_request(&wide::from_bytes(record));
                }
            }
            fn drive_s(&mut self, conn: Option<u16>) {
                self.set_s_valid(conn.is_some());
                if let Some(conn) = conn {
                    self.set_s_conn(conn as u8);
                }
            }
            fn drive_n(&mut self, done: Option<&Done>) {
                self.set_n_valid(done.is_some());
                if let Some(done) = done {
                    self.set_n_done(done.pack());
                }
            }
            fn drive_v(&mut self, question: Option<(u16, bool)>) {
                self.set_v_valid(question.is_some());
                if let Some((path, repeat)) = question {
                    self.set_v_path(path as u8);
                    self.set_v_repeat(repeat);
                }
            }
            fn drive_l(&mut self, look_up: Option<LookUp>) {
                self.set_l_valid(look_up.is_some());
                if let Some(LookUp { conn, stream, msn }) = look_up {
                    self.set_l_conn(conn as u8);
                    self.set_l_stream(stream);
                    self.set_l_msn(msn);
                }
            }
            fn drive_ready(&mut self, cpl: bool, p: bool, u: bool) {
                self.set_cpl_ready(cpl);
                self.set_p_ready(p);
                self.set_u_ready(u);
            }
        }
    };
}

msg_dut!(TxMsg, 4, 2, 2, 10, 0);
msg_dut!(TxMsg16, 2, 1, 4, 8, 0xFF_FFF0);
msg_dut!(TxMsg1, 3, 3, 0, 12, 0xFF_FF80);
