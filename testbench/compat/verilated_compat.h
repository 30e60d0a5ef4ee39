// Lets the crate `verilated` 0.1.2, written for Verilator 4, build its runtime from Verilator 5.
// .cargo/config.toml includes it in front of every C++ file that a build script compiles.

// The crate chooses the flush and exit callbacks by `MAJOR == 4 && MINOR >= 38`. Verilator 5 kept the
// interface that 4.038 introduced, so the crate is told a late 4.x number.
#ifdef VERILATOR_VERSION_MAJOR
#undef VERILATOR_VERSION_MAJOR
#undef VERILATOR_VERSION_MINOR
#define VERILATOR_VERSION_MAJOR 4
#define VERILATOR_VERSION_MINOR 200
#endif

// VerilatedVcdC::rolloverMB(megabytes) became rolloverSize(bytes).
#define rolloverMB(mb) rolloverSize((mb) * 1000000ULL)
