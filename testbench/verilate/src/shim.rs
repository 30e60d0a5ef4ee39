//! The C++ between a model and Rust: a handle that owns the model with its own context.

use crate::header::{Port, ProbePort};
use std::fmt::Write as _;

/// C++ text for one design. Every function is named `heddle_<design>_*`; all take the handle.
///
/// `new(seed)` sets every register and memory word without an initial value from `seed`, so a block that
/// needs a reset it does not have fails. `eval` is false once a `$stop` ran. `address(i)` is the i-th port, then the probes.
pub fn cpp(design: &str, ports: &[Port], probes: &[ProbePort]) -> String {
    let mut addresses = String::new();
    let port_addresses = ports.iter().map(|p| format!("&h->top->{}", p.name));
    for (i, address) in port_addresses.chain(probes.iter().map(|p| p.address.clone())).enumerate() {
        // Probes are read only; the cast drops the constness of wide words.
        writeln!(addresses, "    case {i}: return (void*)({address});").expect("writing to a string");
    }
    let symbols = if probes.is_empty() { "" } else { "  auto* const s = h->top->rootp->vlSymsp;\n" };
    format!(
        r#"#include "V{design}.h"
#include "V{design}__Syms.h"
#include <verilated.h>
#include <verilated_vcd_c.h>

namespace {{
struct {design}_handle {{
  VerilatedContext* context;
  V{design}* top;
}};
}}

extern "C" {{
void* heddle_{design}_new(uint32_t seed) {{
  auto* h = new {design}_handle;
  h->context = new VerilatedContext;
  h->context->randReset(2);
  h->context->randSeed(static_cast<int>(seed | 1));
  h->context->traceEverOn(true);
  // $stop is reported by `eval`, instead of ending the process.
  h->context->fatalOnError(false);
  h->top = new V{design}{{h->context, "TOP"}};
  return h;
}}
void heddle_{design}_delete({design}_handle* h) {{
  h->top->final();
  delete h->top;
  // A thread remembers the last context it saw: leave it one that is never deleted.
  static VerilatedContext* const resting = new VerilatedContext;
  Verilated::threadContextp(resting);
  delete h->context;
  delete h;
}}
bool heddle_{design}_eval({design}_handle* h) {{
  // The model may have moved to a thread that knows another context, or one that is no more.
  if (Verilated::threadContextp() != h->context) Verilated::threadContextp(h->context);
  h->top->eval();
  return !h->context->gotError();
}}
void heddle_{design}_trace({design}_handle* h, VerilatedVcdC* vcd) {{ h->top->trace(vcd, 99); }}
void* heddle_{design}_address({design}_handle* h, uint32_t index) {{
{symbols}  switch (index) {{
{addresses}    default: return nullptr;
  }}
}}
}}
"#
    )
}
