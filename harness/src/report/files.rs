//! Report files: written under a temporary name and renamed, so that a reader never sees half a file
//! and an interrupted run leaves whole ones. A full disk or an unwritable folder is an error with the
//! file's name.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;
use thiserror::Error;

/// A report file could not be written.
#[derive(Debug, Error)]
#[error("cannot write {}: {source}", path.display())]
pub struct WriteError {
    /// The file or folder.
    pub path: PathBuf,
    /// What the system says.
    #[source]
    pub source: std::io::Error,
}

/// Writes a whole file, and the folders above it.
///
/// # Errors
/// [`WriteError`]; the file then holds what it held before.
pub fn write_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let fail = |source| WriteError { path: path.to_path_buf(), source };
    temporary(path, content)?.persist(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// Writes a whole file that must not be there yet, and the folders above it.
///
/// # Errors
/// [`WriteError`], of the kind `AlreadyExists` if the file is there; it then stays as it was.
pub fn write_new_file(path: &Path, content: &[u8]) -> Result<(), WriteError> {
    let fail = |source| WriteError { path: path.to_path_buf(), source };
    temporary(path, content)?.persist_noclobber(path).map_err(|error| fail(error.error))?;
    Ok(())
}

/// The content in a temporary file beside the place that it is for.
fn temporary(path: &Path, content: &[u8]) -> Result<NamedTempFile, WriteError> {
    let fail = |source| WriteError { path: path.to_path_buf(), source };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(fail)?;
    }
    let mut file = tempfile::Builder::new()
        .suffix(".tmp")
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(fail)?;
    file.write_all(content).map_err(fail)?;
    // Temporary files are private; a report is for everyone who may read the folder.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644)).map_err(fail)?;
    }
    Ok(file)
}

/// Text that is safe to look at: words of an external model may hold control characters, or characters
/// that turn the direction of writing round. They become `\u{fffd}`.
pub fn printable(text: &str) -> String {
    text.chars()
        .map(|letter| match letter {
            '\n' | '\t' => letter,
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => {
                '\u{fffd}'
            }
            _ if letter.is_control() => '\u{fffd}',
            _ => letter,
        })
        .collect()
}

/// Takes away a folder that an earlier run left.
///
/// # Errors
/// [`WriteError`].
pub fn remove_folder(path: &Path) -> Result<(), WriteError> {
    match std::fs::remove_dir_all(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(WriteError { path: path.to_path_buf(), source: error })
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_whole_files_and_leaves_no_temporary_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b.json");
        write_file(&path, b"one").unwrap();
        write_file(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(folder.path().join("a")).unwrap().count(), 1);
    }

    #[test]
    fn printable_text_holds_no_control_characters() {
        assert_eq!(printable("a\n\tb é"), "a\n\tb é");
        assert_eq!(printable("a\u{0}\u{1b}[31m\u{202e}"), "a\u{fffd}\u{fffd}[31m\u{fffd}");
    }

    #[test]
    fn an_unwritable_place_is_an_error_that_names_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write_file(&file, b"").unwrap();
        let error = write_file(&file.join("below.json"), b"").unwrap_err();
        assert!(error.to_string().contains("below.json"), "{error}");
    }
}
