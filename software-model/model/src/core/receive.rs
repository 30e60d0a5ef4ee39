//! A frame's way in.

use super::life::Life;
use super::Core;
use crate::memory::Memory;
use crate::rx::conn::RxConn;
use crate::rx::path::{RxClass, RxOp, RxPathIn};
use crate::tx::ack_in;
use heddle_wire::{Ack, Body, Common, Data, DropReason, Flag, Frame, Time32};
use std::net::IpAddr;

impl Core {
    /// Takes a frame as it left the wire, on plane 0.
    pub fn receive(&mut self, now: Time32, bytes: &[u8], memory: &mut impl Memory) {
        self.receive_on(now, 0, bytes, memory);
    }

    /// Takes a frame as it left the wire on a plane.
    pub fn receive_on(&mut self, now: Time32, plane: u8, bytes: &[u8], memory: &mut impl Memory) {
        match Frame::parse_ref(bytes, self.parse_config()) {
            Ok(frame) => self.receive_frame(now, plane, &frame, bytes.len(), memory),
            Err(error) => {
                self.timers.set_now(now);
                self.counters.frames_received += 1;
                self.count(error.reason);
            }
        }
    }

    /// Takes a frame whose `bytes` (without FCS) were found whole: every check up to the ICRC is behind it.
    pub fn receive_frame(
        &mut self,
        now: Time32,
        plane: u8,
        frame: &Frame<&[u8]>,
        bytes: usize,
        memory: &mut impl Memory,
    ) {
        self.timers.set_now(now);
        self.counters.frames_received += 1;
        if let Err(reason) = self.take_frame(now, plane, frame, bytes, memory) {
            self.count(reason);
        }
    }

    fn take_frame(
        &mut self,
        now: Time32,
        plane: u8,
        frame: &Frame<&[u8]>,
        bytes: usize,
        memory: &mut impl Memory,
    ) -> Result<(), DropReason> {
        let common = frame.packet.common();
        let source = match frame.ip.src() {
            IpAddr::V4(address) => u128::from(u32::from(address)),
            IpAddr::V6(address) => u128::from(address),
        };
        if matches!(&frame.packet.body, Body::Data { payload, .. } if payload.len() > 1 << self.config.slice_log2)
        {
            return Err(DropReason::Oversize);
        }
        if let (true, Body::Nak(nak)) = (self.config.life, &frame.packet.body) {
            if Life::is_for_control(&common, nak) {
                self.life.on_connection_nak(source, &common, nak)?;
                self.counters.naks_received += 1;
                return Ok(());
            }
        }
        let looked_up = self.connections.look_up(&common, frame.ip.is_v6(), source);
        if let (true, Err(DropReason::Connection | DropReason::Tag)) = (self.config.life, looked_up) {
            self.refuse_stranger(frame, plane, now);
        }
        let conn = looked_up?;
        let path = (u32::from(conn.conn) * self.config.paths + u32::from(conn.path)) as u16;
        if let Some(rerouting) = &mut self.rerouting {
            rerouting.ack_routes.on_heard(conn.conn, plane);
        }
        self.note(conn.conn, plane, frame, bytes, now);
        match &frame.packet.body {
            &Body::Data { ref header, payload, .. } => {
                let arrival = Arrival { conn, path, ce: frame.ip.ce(), now };
                self.receive_data(&arrival, &common, header, payload, memory)
            }
            Body::Ack(ack) if self.rerouting.is_some() && ack.ack_flags.has(Flag::PlaneTest) => {
                self.receive_test_answer(conn.conn, &common)
            }
            Body::Ack(ack) => self.receive_ack(conn.conn, path, &common, ack, now),
            Body::Probe(_) if self.rerouting.is_some() && common.flags.has(Flag::PlaneTest) => {
                self.receive_test(path, &common, now);
                Ok(())
            }
            Body::Probe(probe) => {
                self.note_arrival(path, &common, None, false, now);
                self.rx_msg.ask(conn.conn, probe.stream);
                self.counters.probes_received += 1;
                self.visit(&RxPathIn { op: RxOp::Probe, ..visit(&common, path, now) });
                Ok(())
            }
            Body::Nak(_) | Body::Reset if !self.config.life => Err(DropReason::Unsupported),
            Body::Nak(nak) => self.receive_nak(conn.conn, path, &common, nak, now),
            Body::Reset => self.receive_reset(conn.conn, plane, &common),
        }
    }

    fn receive_data(
        &mut self,
        arrival: &Arrival,
        common: &Common,
        data: &Data,
        payload: &[u8],
        memory: &mut impl Memory,
    ) -> Result<(), DropReason> {
        let &Arrival { conn: RxConn { conn, domain, .. }, path, ce, now } = arrival;
        let look_up = |opcode| self.look_up(conn, opcode, data);
        let judged = self.access.judge(common, data, payload.len() as u16, domain, look_up);
        let fault = judged.is_err();
        let moved = common.route != self.rows[usize::from(path)].rx.route();
        let class = self.visit(&RxPathIn { op: RxOp::Data, ce, fault, ..visit(common, path, now) });
        self.note_arrival(path, common, class, moved, now);
        match class {
            Some(RxClass::Duplicate) => return Err(DropReason::Duplicate),
            Some(RxClass::OutOfWindow) => return Err(DropReason::OutOfWindow),
            _ => {}
        }
        let placement = judged.inspect_err(|reason| self.refuse(conn, path, common, *reason))?;
        self.counters.accepted += 1;
        match placement.opcode.is_answer() {
            true => self.place_answer(arrival, data, &placement, payload, memory),
            false => self.place_message(arrival, data, &placement, payload, memory),
        }
        Ok(())
    }

    fn receive_ack(
        &mut self,
        conn: u16,
        path: u16,
        common: &Common,
        ack: &Ack,
        now: Time32,
    ) -> Result<(), DropReason> {
        let (mut operation, pending) = ack_in::submit(conn, path, common, ack, now);
        operation.reorder = self.guard(path);
        let waiting = self.rows[usize::from(path)].tx.lost();
        let result = self.apply(&operation);
        let news = ack_in::judge(&pending, &result);
        let marked = result.ok && self.congest(&result, waiting, ack);
        self.observe(&result);
        self.believe(&news, now)?;
        if news.done.is_some() {
            self.note_answer(conn);
            self.take_hint(path, ack, news.rtt_ticks.map(|ticks| (ticks, marked)), now);
        }
        if let Some(reason) = news.reason {
            return Err(reason);
        }
        self.note_ack(common, ack, &result);
        self.counters.acks_received += 1;
        let row = &mut self.rows[usize::from(path)].rto;
        row.on_ack(news.rtt_ticks, result.newly, result.inflight, now, &self.config.rto);
        self.probe[usize::from(path) / self.config.paths as usize].on_rto(row.rto_ticks(&self.config.rto));
        self.arm_path(path);
        self.consider_change(path, now);
        self.note_ready(conn);
        Ok(())
    }

    /// One visit of the receive path engine; its result goes to the acknowledgement triggers.
    fn visit(&mut self, input: &RxPathIn) -> Option<RxClass> {
        let result = self.rows[usize::from(input.path)].rx.apply(input);
        let request = self.ack.on_result(&result, input.now);
        self.ask_ack(request);
        self.turns[usize::from(input.path) / self.config.paths as usize].arrived(input.path);
        result.class
    }
}

/// Where and when a DATA packet came in.
pub(super) struct Arrival {
    pub(super) conn: RxConn,
    pub(super) path: u16,
    ce: bool,
    pub(super) now: Time32,
}

fn visit(common: &Common, path: u16, now: Time32) -> RxPathIn {
    RxPathIn {
        op: RxOp::Look,
        path,
        psn: common.psn,
        ce: false,
        fault: false,
        flags: common.flags,
        ts: common.timestamp,
        route: common.route,
        now,
    }
}
