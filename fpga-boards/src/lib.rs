//! Boards, flows and resource reports for the Heddle core.
