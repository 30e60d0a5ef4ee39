use super::*;

const REMOTE: u64 = (1 << 40) + 3;

fn request(wr_id: u64, stream: u8, at: u64, length: u32) -> WorkRequest {
    WorkRequest { wr_id, stream, conn: 5, remote_address: REMOTE + at, length, ..WorkRequest::default() }
}

fn done(wr_id: u64, stream: u8, byte_count: u32) -> Completion {
    Completion { wr_id, stream, conn: 5, byte_count, ..Completion::default() }
}

fn requests() -> Vec<WorkRequest> {
    vec![request(0, 0, 0, 4), request(1, 1, 4, 4), request(2, 0, 8, 2)]
}

#[test]
fn completions_in_stream_order_with_every_byte_in_place_verify_the_file() {
    let file = b"0123456789";
    let mut check = Check::new(file, REMOTE, &requests());
    let memory = HostMemory::new(REMOTE, file);
    for completion in [done(1, 1, 4), done(0, 0, 4), done(2, 0, 2)] {
        assert!(!check.is_complete());
        check.on_completion(&completion, &memory).unwrap();
    }
    assert!(check.is_complete());
    assert_eq!((check.completed(), check.completed_bytes()), (3, 10));
    assert_eq!(check.finish(&memory), Verified { file_bytes: 10, bytes: 10, sha256_match: true });
}

#[test]
fn a_message_completed_before_its_bytes_are_there_is_not_verified() {
    let file = b"0123456789";
    let mut check = Check::new(file, REMOTE, &requests());
    let early = HostMemory::new(REMOTE, b"0123456.89");
    let late = HostMemory::new(REMOTE, file);
    check.on_completion(&done(0, 0, 4), &early).unwrap();
    check.on_completion(&done(1, 1, 4), &early).unwrap();
    check.on_completion(&done(2, 0, 2), &early).unwrap();
    assert_eq!(check.finish(&late), Verified { file_bytes: 10, bytes: 6, sha256_match: true });
    // Damage after the completion is found too.
    let damaged = HostMemory::new(REMOTE, b"X123456789");
    assert_eq!(check.finish(&damaged), Verified { file_bytes: 10, bytes: 5, sha256_match: false });
}

#[test]
fn a_completion_that_is_not_owed_is_refused_with_what_was_seen() {
    let file = b"0123456789";
    let memory = HostMemory::new(REMOTE, file);
    let refused = |completion: Completion| {
        let mut check = Check::new(file, REMOTE, &requests());
        check.on_completion(&completion, &memory).unwrap_err()
    };
    assert_eq!(refused(done(2, 0, 2)), "stream 0 completed wr_id 2 where 0 is next");
    assert_eq!(refused(done(7, 3, 2)), "wr_id 7 is completed, but stream 3 is owed nothing");
    assert_eq!(refused(Completion { status: 7, ..done(0, 0, 4) }), "wr_id 0 ended with status LOCAL_MEMORY");
    let short = "wr_id 0 moved 3 bytes on connection 5, asked for were 4 on 5";
    assert_eq!(refused(done(0, 0, 3)), short);
    let check = Check::new(file, REMOTE, &requests());
    assert_eq!(check.missing_text(), "stream 0 lacks 2, stream 1 lacks 1");
}
