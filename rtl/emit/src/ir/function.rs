//! Helper functions a module declares for what Verilog-2005 has no operator for.
//!
//! Bits that a function drops go to a variable called `unused`, which lint tools know.

/// A bit selection of something that is not a plain net.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Function {
    /// Bits `lo .. lo + width` of `of` bits.
    Slice { of: usize, lo: usize, width: usize },
    /// `width` bits from a run-time index up, zeros past the top.
    SliceAt { of: usize, index: usize, width: usize },
    /// One bit replaced at a run-time index.
    SetBit { of: usize, index: usize },
    /// Sign extension.
    Extend { of: usize, width: usize },
}

impl Function {
    pub fn width(&self) -> usize {
        match *self {
            Function::Slice { width, .. }
            | Function::SliceAt { width, .. }
            | Function::Extend { width, .. } => width,
            Function::SetBit { of, .. } => of,
        }
    }

    pub fn name(&self) -> String {
        match *self {
            Function::Slice { of, lo: 0, width } => format!("low_{width}_of_{of}"),
            Function::Slice { of, lo, width } => format!("bits_{}_{lo}_of_{of}", lo + width - 1),
            Function::SliceAt { of, index, width: 1 } => format!("bit_at_{index}_of_{of}"),
            Function::SliceAt { of, index, width } => format!("bits_{width}_at_{index}_of_{of}"),
            Function::SetBit { of, index } => format!("set_bit_at_{index}_of_{of}"),
            Function::Extend { of, width } => format!("sign_extend_{of}_to_{width}"),
        }
    }

    /// Declaration, without indentation.
    pub fn text(&self) -> String {
        let name = self.name();
        let (inputs, unused, body) = match *self {
            Function::Slice { of, lo, width } => {
                let high = of - lo - width;
                let mut unused = vec![];
                if high > 0 {
                    unused.push(("unused_high", high));
                }
                if lo > 0 {
                    unused.push(("unused_low", lo));
                }
                let target = match (high > 0, lo > 0) {
                    (true, true) => format!("{{unused_high, {name}, unused_low}}"),
                    (true, false) => format!("{{unused_high, {name}}}"),
                    (false, _) => format!("{{{name}, unused_low}}"),
                };
                (vec![("f_value", of)], unused, format!("{target} = f_value;"))
            }
            Function::SliceAt { of, index, width } => {
                let inputs = vec![("f_value", of), ("f_index", index)];
                if width == of {
                    (inputs, vec![], format!("{name} = f_value >> f_index;"))
                } else {
                    let unused = vec![("unused_high", of - width)];
                    (inputs, unused, format!("{{unused_high, {name}}} = f_value >> f_index;"))
                }
            }
            Function::SetBit { of, index } => {
                let one = if of == 1 { "1'b1".to_string() } else { format!("{{{}'d0, 1'b1}}", of - 1) };
                let new = if of == 1 { "f_bit".to_string() } else { format!("{{{}'d0, f_bit}}", of - 1) };
                let body = format!("{name} = (f_value & ~({one} << f_index)) | ({new} << f_index);");
                (vec![("f_value", of), ("f_index", index), ("f_bit", 1)], vec![], body)
            }
            Function::Extend { of, width } => {
                let sign = format!("{{{}{{f_value[{}]}}}}", width - of, of - 1);
                (vec![("f_value", of)], vec![], format!("{name} = {{{sign}, f_value}};"))
            }
        };
        let mut text = format!("function {}{name};\n", range(self.width()));
        for (argument, width) in inputs {
            text += &format!("  input {}{argument};\n", range(width));
        }
        for (argument, width) in unused {
            text += &format!("  reg {}{argument};\n", range(width));
        }
        text + &format!("  {body}\nendfunction\n")
    }
}

fn range(width: usize) -> String {
    if width == 1 {
        String::new()
    } else {
        format!("[{}:0] ", width - 1)
    }
}
