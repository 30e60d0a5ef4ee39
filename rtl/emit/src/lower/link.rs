//! Interface links and joins: which field drives which.
use rust_hdl::core::ast::{VerilogLink, VerilogLinkDetails};

/// One field of a link.
pub(crate) struct LinkEnds {
    pub driven: String,
    pub driver: String,
}

/// The two ends, or `None` for a bidirectional field.
pub(crate) fn ends(link: &VerilogLink) -> Option<LinkEnds> {
    match link {
        VerilogLink::Forward(d) => Some(LinkEnds { driven: other(d), driver: owner(d) }),
        VerilogLink::Backward(d) => Some(LinkEnds { driven: owner(d), driver: other(d) }),
        VerilogLink::Bidirectional(_) => None,
    }
}

fn owner(details: &VerilogLinkDetails) -> String {
    join(&details.owner_name, &details.my_name)
}

fn other(details: &VerilogLinkDetails) -> String {
    join(&details.other_name, &details.my_name)
}

fn join(interface: &str, field: &str) -> String {
    if field.is_empty() {
        interface.to_string()
    } else {
        format!("{interface}${}", field.trim_start_matches('.'))
    }
}
