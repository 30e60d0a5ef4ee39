//! Verilog identifiers.
use std::collections::BTreeSet;

/// Reserved in Verilog-2005 or SystemVerilog (tools read `.v` files as either).
const KEYWORDS: &str = "\
    always and assert assign assume automatic begin bit break buf bufif0 bufif1 byte case casex \
    casez cell checker class cmos config const constraint context continue cover deassign default \
    defparam design disable do edge else end endcase endclass endconfig endfunction endgenerate \
    endmodule endpackage endprimitive endprogram endspecify endtable endtask enum event expect \
    export extends extern final for force foreach forever fork function generate genvar global if \
    iff ifnone implies import incdir include initial inout input inside instance int integer \
    interface join large let liblist library local localparam logic longint macromodule matches \
    medium modport module nand negedge nettype new nmos nor noshowcancelled not notif0 notif1 null \
    or output package packed parameter pmos posedge primitive priority program property protected \
    pull0 pull1 pulldown pullup pure rand real realtime ref reg release repeat return rnmos rpmos \
    rtran scalared sequence shortint shortreal signed small specify specparam static string strong \
    strong0 strong1 struct super supply0 supply1 table tagged task this throughout time \
    timeprecision timeunit tran tri tri0 tri1 triand trior trireg type typedef union unique \
    unsigned until use var vectored virtual void wait wand weak weak0 weak1 while wildcard wire \
    with within wor xnor xor";

/// A legal identifier for a rust-hdl path.
pub(crate) fn legal(path: &str) -> String {
    let name = path.replace('$', "_");
    if KEYWORDS.split(' ').any(|word| word == name) {
        name + "_"
    } else {
        name
    }
}

/// The identifiers taken in one name space.
#[derive(Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    /// Takes `want`; false when it is taken already.
    pub fn claim(&mut self, want: &str) -> bool {
        self.0.insert(want.to_string())
    }

    /// Takes `want` or, when it is taken, the first free `want_2`, `want_3` and so on.
    pub fn take(&mut self, want: &str) -> String {
        let mut name = want.to_string();
        let mut count = 1;
        while !self.claim(&name) {
            count += 1;
            name = format!("{want}_{count}");
        }
        name
    }
}
