//! Random well-typed expressions.
use rand::seq::SliceRandom;
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Names a kernel may read, with their widths; `bools` are one-bit signals of type `Bit`.
pub struct Signals {
    pub bits: Vec<(String, usize)>,
    pub bools: Vec<String>,
}

/// Widths of the inputs.
pub const WIDTHS: [usize; 16] = [1, 2, 3, 5, 8, 13, 16, 24, 31, 32, 33, 48, 63, 64, 65, 130];

/// Writes expressions that rust-hdl accepts and evaluates without a panic.
pub struct Writer<'a> {
    pub random: &'a mut ChaCha8Rng,
    pub signals: &'a Signals,
}

impl Writer<'_> {
    fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        *of.choose(self.random).expect("a choice needs an element")
    }

    fn width(&mut self) -> usize {
        self.pick(&WIDTHS)
    }

    fn leaf(&mut self, width: usize) -> String {
        let signals = self.signals;
        let fitting: Vec<_> = signals.bits.iter().filter(|(_, own)| *own == width).collect();
        let (name, _) = fitting.choose(self.random).expect("every width has an input");
        format!("self.{name}.val()")
    }

    fn literal(&mut self, width: usize) -> u64 {
        // Bare literals end at 31 bits in rust-hdl.
        let top = (1u64 << width.min(31)) - 1;
        let any = self.random.gen_range(0..=top);
        self.pick(&[0, 1, top, any])
    }

    /// An index that is always below `limit`.
    fn index(&mut self, limit: usize, depth: usize) -> String {
        let widths: Vec<usize> = [1, 2, 3, 5].into_iter().filter(|width| 1 << width <= limit).collect();
        if widths.is_empty() || self.random.gen_ratio(1, 3) {
            return self.random.gen_range(0..limit).to_string();
        }
        let width = self.pick(&widths);
        let value = if self.random.gen() { self.leaf(width) } else { self.bits(width, depth.min(1)) };
        format!("{value}.index()")
    }

    /// An expression of type `Bits<width>`.
    pub fn bits(&mut self, width: usize, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(width);
        }
        let next = depth - 1;
        match self.random.gen_range(0..100) {
            0..=34 => {
                let left = self.bits(width, next);
                let op = self.pick(&["+", "-", "+", "-", "&", "|", "^"]);
                let right = if self.random.gen_ratio(2, 3) {
                    self.bits(width, next)
                } else {
                    self.literal(width).to_string()
                };
                format!("({left} {op} {right})")
            }
            35..=38 => {
                let (left, right) = (self.literal(width), self.bits(width, next));
                let op = self.pick(&["+", "-", "&", "|", "^"]);
                format!("({left} {op} {right})")
            }
            39..=46 => format!("(!{})", self.bits(width, next)),
            47..=56 => {
                let value = self.bits(width, next);
                let amount = if self.random.gen() {
                    self.random.gen_range(0..width + 2).to_string()
                } else {
                    let of = self.pick(&[1, 2, 5, 8]);
                    self.bits(of, next)
                };
                format!("({value} {} {amount})", self.pick(&["<<", ">>"]))
            }
            57..=70 => {
                let of = self.width();
                format!("bit_cast::<{width}, {of}>({})", self.bits(of, next))
            }
            71..=82 => {
                let of = self.width();
                let value = self.bits(of, next);
                let index = if self.random.gen() {
                    self.random.gen_range(0..=of).to_string()
                } else {
                    self.index(of, next)
                };
                format!("{value}.get_bits::<{width}>({index})")
            }
            83..=90 => {
                let value = self.bits(width, next);
                let index = self.index(width, next);
                format!("{value}.replace_bit({index}, {})", self.bool(next))
            }
            91..=94 if width > 1 => format!("({} + {})", self.bits(width, next), self.bool(next)),
            95..=96 if width == 32 => format!("({} * {})", self.bits(16, next), self.bits(16, next)),
            _ => format!("bits::<{width}>({})", self.literal(width)),
        }
    }

    /// An expression of type `bool`.
    pub fn bool(&mut self, depth: usize) -> String {
        if depth == 0 {
            let signals = self.signals;
            let name = signals.bools.choose(self.random).expect("there are bools");
            return format!("self.{name}.val()");
        }
        let next = depth - 1;
        let of = self.width();
        match self.random.gen_range(0..100) {
            0..=34 => {
                let left = self.bits(of, next);
                let right = if self.random.gen_ratio(3, 5) {
                    self.bits(of, next)
                } else {
                    self.literal(of).to_string()
                };
                format!("({left} {} {right})", self.pick(&["==", "!=", "<", "<=", ">", ">="]))
            }
            35..=49 => format!("{}.{}()", self.bits(of, next), self.pick(&["any", "all", "xor"])),
            50..=61 => {
                let value = self.bits(of, next);
                format!("{value}.get_bit({})", self.index(of, next))
            }
            62..=71 => format!("(!{})", self.bool(next)),
            72..=77 => {
                let of = self.pick(&[8, 16, 24, 48]);
                let op = self.pick(&["<", "<=", ">", ">="]);
                format!("(signed_cast({}) {op} signed_cast({}))", self.bits(of, next), self.bits(of, next))
            }
            // No parentheses inside: Rust's precedence is part of the test.
            _ => format!(
                "({} {} {} {} {})",
                self.bool(next),
                self.pick(&["&", "|", "^"]),
                self.bool(next),
                self.pick(&["&", "|", "^"]),
                self.bool(next)
            ),
        }
    }
}
