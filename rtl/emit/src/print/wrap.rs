//! Breaks long lines at spaces.

/// Columns.
pub(super) const LIMIT: usize = 100;

/// One line, or several with the continuation indented by four more.
pub(super) fn wrap(line: &str) -> String {
    if line.len() <= LIMIT || line.trim_start().starts_with("//") {
        return format!("{line}\n");
    }
    let indent = line.len() - line.trim_start().len();
    let continued = " ".repeat(indent + 4);
    let (code, comment) = line.split_once(" // ").unwrap_or((line, ""));
    let mut text = String::new();
    let mut current = " ".repeat(indent);
    for word in code.trim_start().split(' ') {
        if current.len() + word.len() > LIMIT && !current.trim().is_empty() {
            text += current.trim_end();
            text += "\n";
            current = continued.clone();
        }
        current += word;
        current += " ";
    }
    text += current.trim_end();
    if !comment.is_empty() {
        text += &format!(" // {comment}");
    }
    text + "\n"
}
