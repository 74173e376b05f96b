//! How a command ends when it cannot do what was asked: one sentence, a hint where there is one, and an
//! exit code of the external contract.

use crate::corpus::CorpusError;
use crate::family::SelectionError;
use crate::faults::UnknownFault;
use crate::generate::DataError;
use crate::models;
use crate::report::files::WriteError;
use crate::triage::KnownError;
use contract::json::JsonError;
use contract::profile::ProfileError;

/// All agree.
pub const AGREE: u8 = 0;
/// A divergence, a missed golden vector, or something that compared nothing.
pub const DIVERGENCE: u8 = 1;
/// Bad usage or bad input.
pub const BAD_INPUT: u8 = 2;
/// A model failed.
pub const MODEL_FAILED: u8 = 3;
/// Interrupted; the partial report is written.
pub const INTERRUPTED: u8 = 130;

/// Why a command ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Exit code.
    pub code: u8,
    /// One sentence.
    pub message: String,
    /// Advice.
    pub hint: Option<String>,
}

impl Failure {
    /// Bad usage or bad input.
    pub fn input(message: impl Into<String>) -> Self {
        Self { code: BAD_INPUT, message: message.into(), hint: None }
    }

    /// A JSON document at a place that lacks its form.
    pub fn document(place: &str, error: &JsonError) -> Self {
        let message = match error {
            // The place has the line already.
            JsonError::Syntax { line: 1, column, message } => {
                format!("{place}: not JSON: {message} at column {column}")
            }
            error => format!("{place}: {error}"),
        };
        Self::input(message).maybe_hint(error.hint())
    }

    /// A model that gave no outcome.
    pub fn model(message: impl Into<String>) -> Self {
        Self { code: MODEL_FAILED, message: message.into(), hint: None }
    }

    /// Adds advice.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }

    /// Prints the sentence and the hint on standard error.
    pub fn print(&self) {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        let bold = anstyle::Style::new().bold();
        anstream::eprintln!("{red}error{red:#}: {}", self.message);
        if let Some(hint) = &self.hint {
            anstream::eprintln!("  {bold}hint{bold:#}: {hint}");
        }
    }
}

impl From<CorpusError> for Failure {
    fn from(error: CorpusError) -> Self {
        match &error {
            CorpusError::Form { place, error } => Self::document(place, error),
            error => Self::input(error.to_string()).maybe_hint(error.hint()),
        }
    }
}

impl From<KnownError> for Failure {
    fn from(error: KnownError) -> Self {
        match error {
            KnownError::Read(error) => error.into(),
            error @ KnownError::Form { .. } => Self::input(error.to_string())
                .hint("an entry is [[known]] with bucket, reason, owner and expires = YYYY-MM-DD"),
        }
    }
}

impl From<SelectionError> for Failure {
    fn from(error: SelectionError) -> Self {
        let hint = match &error {
            SelectionError::Unknown { nearest: Some(nearest), .. } => {
                Some(format!("did you mean `{nearest}`?"))
            }
            SelectionError::Unknown { .. } => {
                Some("names, hex opcodes (0x9a), mnemonics and globs are understood".to_owned())
            }
            _ => None,
        };
        Self::input(error.to_string()).maybe_hint(hint)
    }
}

impl From<UnknownFault> for Failure {
    fn from(error: UnknownFault) -> Self {
        let hint = match error.nearest {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "q7diff faults --list shows them".to_owned(),
        };
        Self::input(format!("--fault: {error}")).hint(hint)
    }
}

impl From<models::SelectionError> for Failure {
    fn from(error: models::SelectionError) -> Self {
        Self::input(error.to_string())
    }
}

impl From<DataError> for Failure {
    fn from(error: DataError) -> Self {
        Self::input(format!("--data: {error}"))
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Self::input(error.to_string()).hint("choose another folder with --report DIR")
    }
}

impl From<ProfileError> for Failure {
    fn from(error: ProfileError) -> Self {
        let error = JsonError::Profile { path: "--set".to_owned(), error };
        Self::input(error.to_string()).maybe_hint(error.hint())
    }
}
