//! Tests of the client in a real browser; see `tests/`.
