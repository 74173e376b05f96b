//! Standard output: buffered, and quiet when the reader has gone (`q7diff generate | head`).

use super::failure::Failure;
use std::io::{self, BufWriter, StdoutLock, Write};

/// Buffered standard output.
pub struct Output {
    out: BufWriter<StdoutLock<'static>>,
    closed: bool,
}

impl Output {
    /// Locks standard output.
    pub fn new() -> Self {
        Self { out: BufWriter::with_capacity(1 << 16, io::stdout().lock()), closed: false }
    }

    /// True if the reader has closed the pipe.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Writes text.
    ///
    /// # Errors
    /// A failing write, as a full disk; a closed pipe is none.
    pub fn text(&mut self, text: &str) -> Result<(), Failure> {
        let result = self.out.write_all(text.as_bytes());
        self.check(result)
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn flush(&mut self) -> Result<(), Failure> {
        let result = self.out.flush();
        self.check(result)
    }

    fn check(&mut self, result: io::Result<()>) -> Result<(), Failure> {
        match result {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(error) => Err(Failure::input(format!("cannot write to standard output: {error}"))),
            Ok(()) => Ok(()),
        }
    }
}

/// Prints a text and gives the exit code back.
///
/// # Errors
/// As [`Output::text`].
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = Output::new();
    out.text(text)?;
    out.flush()
}

/// JSON lines, or with `--json` one array of the same documents.
pub struct Documents {
    out: Output,
    array: bool,
    count: u64,
}

impl Documents {
    /// Documents for standard output.
    pub fn new(array: bool) -> Self {
        Self { out: Output::new(), array, count: 0 }
    }

    /// Writes one document, given as one line without its end.
    ///
    /// # Errors
    /// As [`Output::text`].
    pub fn write(&mut self, document: &str) -> Result<(), Failure> {
        match (self.array, self.count) {
            (false, _) => {}
            (true, 0) => self.out.text("[")?,
            (true, _) => self.out.text(",\n")?,
        }
        self.out.text(document)?;
        if !self.array {
            self.out.text("\n")?;
        }
        self.count += 1;
        Ok(())
    }

    /// True if nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.out.is_closed()
    }

    /// Hands over what was written so far, as a program that answers line by line must.
    ///
    /// # Errors
    /// As [`Output::text`].
    pub fn flush(&mut self) -> Result<(), Failure> {
        self.out.flush()
    }

    /// Ends the array and writes what is buffered.
    ///
    /// # Errors
    /// As [`Output::text`].
    pub fn finish(mut self) -> Result<(), Failure> {
        if self.array {
            self.out.text(if self.count == 0 { "[]\n" } else { "]\n" })?;
        }
        self.out.flush()
    }
}
