//! Every block that has no differential test of its own: what its text does in Verilator is what rust-hdl's simulation does, output for
//! output, under noise on every input. That what it does is right, the lockstep tests say.

mod noise;

use heddle_emit::diff::{seed, Diff, Simulator};
use heddle_rtl::config::named;
use heddle_rtl::csr::Csr;
use heddle_rtl::rx::access::RxAccess;
use heddle_rtl::rx::ack::RxAck;
use heddle_rtl::rx::ack_build::RxAckBuild;
use heddle_rtl::rx::conn::RxConn;
use heddle_rtl::rx::hold::Hold;
use heddle_rtl::rx::msg::RxMsg;
use heddle_rtl::rx::place::RxPlace;
use heddle_rtl::rx::verdict::RxVerdict;
use heddle_rtl::tx::ack_in::TxAckIn;
use heddle_rtl::tx::build::TxBuild;
use heddle_rtl::tx::cpl::TxCpl;
use heddle_rtl::tx::framer::TxFramer;
use heddle_rtl::tx::msg::TxMsg;
use heddle_rtl::tx::probe::TxProbe;
use heddle_rtl::tx::rto::TxRto;
use heddle_rtl::tx::sched::TxSched;
use heddle_rtl::tx::wqe::TxWqe;
use noise::Noise;

/// With a reset at the start and one on the way, each longer than a cycle. Memories without a defined content are 0 on both sides.
const CYCLES: usize = 500;

macro_rules! differs_nowhere {
    ($name:ident, $uut:expr, $($input:ident $(. $of:ident)?),+ $(,)?) => {
        #[test]
        fn $name() {
            let report = Diff::new(stringify!($name), seed(1))
                .simulators(&[Simulator::Verilator])
                .clocked(
                    CYCLES,
                    $uut,
                    |u| &mut u.clk,
                    |u, s, cycle| {
                        u.rst.next = cycle < 2 || (320..322).contains(&cycle);
                        $(u.$input$(.$of)?.next = Noise::noise(s);)+
                    },
                )
                .unwrap();
            assert_eq!(report.vectors, 3 * CYCLES + 1);
            assert!(report.outputs > 1, "{} outputs", report.outputs);
        }
    };
}

differs_nowhere!(
    rx_hold,
    Hold::<64, 7, 8>::new(256),
    s_first,
    s_plane,
    h_valid,
    h_drop,
    h_v6,
    h_src,
    h_ce,
    h_words,
    h_paylen,
    p_tvalid,
    p_tdata,
    p_tlast,
    k_valid,
    k_good,
    f_ready,
    x_valid,
    x_take,
    x_ack,
    d_ready
);
differs_nowhere!(rx_conn, RxConn::<1, 2, 1>::default(), cfg_we, cfg_conn, cfg_row, f_valid, f_frame, c_ready);
differs_nowhere!(
    rx_access,
    RxAccess::<2, 3, 1, 2, 3>::new(256, 16),
    cfg_we,
    cfg_region,
    cfg_row,
    c_valid,
    c_frame,
    c_drop,
    q_done,
    o_ready,
    p_ready,
    k_ready
);
differs_nowhere!(rx_verdict, RxVerdict::default(), o_valid, o_entry, v_valid, v_class, w_ready);
differs_nowhere!(
    rx_place,
    RxPlace::<64, 8>::default(),
    w_valid,
    w_request,
    d_valid,
    d_data,
    m_axi_awready,
    m_axi_wready,
    m_axi_bvalid,
    m_axi_bresp,
    b_ready
);
differs_nowhere!(
    rx_msg,
    RxMsg::<1, 3, 7, 8, 2>::default(),
    b_valid,
    b_placed,
    q_stream,
    ask_valid,
    ask_conn,
    ask_stream,
    report_valid,
    report_conn
);
differs_nowhere!(
    rx_ack,
    RxAck::<2, 3, 6, 7>::new(4),
    now,
    cfg_delay,
    a_valid,
    a_op,
    a_path,
    a_class,
    a_flags,
    a_open,
    a_close,
    m_valid,
    m_path,
    again_valid,
    again_path,
    r_ready
);
differs_nowhere!(
    rx_ack_build,
    RxAckBuild::<1, 2, 2>::default(),
    now,
    r_valid,
    r_path,
    l_ready,
    z_valid,
    z_index,
    z_word,
    o_valid,
    o_op,
    o_cum,
    o_high,
    o_ce,
    o_dup,
    o_arrivals,
    o_ts,
    o_route,
    o_at,
    report_ready,
    answer_valid,
    answer_stream,
    answer_done,
    answer_more,
    g_ready
);
differs_nowhere!(
    tx_ack_in,
    TxAckIn::<64, 1, 1, 2>::default(),
    now,
    t_room,
    k_valid,
    k_frame,
    d_valid,
    d_data,
    sk_ready,
    i_ready,
    r_valid,
    r_op,
    r_bad,
    r_newly,
    r_inflight,
    n_ready
);
differs_nowhere!(
    tx_rto,
    TxRto::<2, 3>::default(),
    now,
    ack_delay,
    rto0,
    seed_we,
    seed,
    t_valid,
    t_sample,
    s_valid,
    s_path,
    s_kind,
    s_now,
    e_ready
);
differs_nowhere!(
    tx_probe,
    TxProbe::<1, 2, 1, 2>::default(),
    now,
    rto0,
    o_valid,
    o_path,
    o_rto,
    w_valid,
    w_conn,
    w_waiting,
    w_progress,
    u_ready
);
differs_nowhere!(
    tx_wqe,
    TxWqe::<64>::default(),
    s_axis_wqe_tvalid,
    s_axis_wqe_tdata,
    s_axis_wqe_tlast,
    w_ready
);
differs_nowhere!(
    tx_msg,
    TxMsg::<1, 2, 3, 4, 7>::new(256),
    cfg_we,
    cfg_conn,
    cfg_valid,
    w_valid,
    w_request,
    s_valid,
    s_conn,
    n_valid,
    n_done,
    cpl_ready,
    p_ready,
    v_valid,
    v_path,
    v_repeat,
    u_ready,
    l_valid,
    l_conn,
    l_stream,
    l_msn
);
differs_nowhere!(
    tx_sched,
    TxSched::<1, 2, 1, 2, 3>::default(),
    now,
    cwnd,
    r_valid,
    r_result,
    q_valid,
    q_conn,
    e_valid,
    e_path,
    e_kind,
    u_valid,
    u_path,
    u_stream,
    u_repeat,
    i_ready,
    s_ready,
    t_valid,
    t_slice,
    t_left,
    j_ready
);
differs_nowhere!(
    tx_build,
    TxBuild::<64, 8, 1, 1, 2, 10, 7>::default(),
    j_valid,
    j_job,
    l_ready,
    l_answer,
    l_live,
    l_row,
    g_ready,
    y_ready,
    m_axi_arready,
    m_axi_rvalid,
    m_axi_rdata,
    m_axi_rresp,
    m_axi_rlast
);
differs_nowhere!(
    tx_framer,
    TxFramer::<1, 1, 2, 3, 7, 8>::default(),
    cfg_conn_we,
    cfg_conn,
    cfg_conn_row,
    cfg_route_we,
    cfg_route,
    cfg_route_row,
    own_mac,
    own_ipv4,
    own_ipv6,
    hops,
    data_dscp,
    ack_dscp,
    port,
    a_valid,
    a_frame,
    b_valid,
    b_frame,
    y_valid,
    y_data,
    m_axis_tx_tready
);
differs_nowhere!(tx_cpl, TxCpl::<64, 8>::default(), cpl_valid, cpl_record, m_axis_cpl_tready);
differs_nowhere!(
    csr,
    Csr::new(&named::tiny()),
    plane_up,
    rx_path_ready,
    tx_path_ready,
    rx_error,
    rx_error_conn,
    rx_error_code,
    tx_error,
    tx_error_conn,
    wqe_bad,
    drop_count,
    traffic_count,
    s_axil.awvalid,
    s_axil.awaddr,
    s_axil.wvalid,
    s_axil.wdata,
    s_axil.wstrb,
    s_axil.bready,
    s_axil.arvalid,
    s_axil.araddr,
    s_axil.rready
);
