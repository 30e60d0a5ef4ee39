//! The Heddle wire format: one source for model, RTL, dissector and documents.
