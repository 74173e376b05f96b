//! Why a JSON document was refused, with the place.

use crate::nearest::nearest;
use crate::profile::{Profile, ProfileError};
use crate::text::TextError;
use std::fmt;
use thiserror::Error;

/// A document that does not have the form of version 1.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JsonError {
    /// The text is no JSON.
    #[error("not JSON: {message} at line {line}, column {column}")]
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the JSON reader says.
        message: String,
    },
    /// A field does not hold what it must.
    #[error("{path}: {found}, expected {expected}")]
    Field {
        /// Path of the field, as `memory[1].data`.
        path: String,
        /// What it holds, shortened.
        found: String,
        /// What it must hold.
        expected: String,
    },
    /// An object has a key that the form lacks.
    #[error("{path}: unknown key, expected one of {known}")]
    UnknownKey {
        /// Path of the key.
        path: String,
        /// The known key that it resembles.
        nearest: Option<&'static str>,
        /// Every known key.
        known: String,
    },
    /// A profile switch or preset is unknown, or has no such value.
    #[error("{path}: {error}")]
    Profile {
        /// Path of the switch.
        path: String,
        /// What is wrong.
        #[source]
        error: ProfileError,
    },
    /// A bundle's text lies outside the grammar.
    #[error("{path}, {error}")]
    Bundle {
        /// Path of the bundle, as `program[3]`.
        path: String,
        /// What is wrong.
        #[source]
        error: TextError,
    },
    /// Two regions hold the same byte.
    #[error("{path}: overlaps {other} in {space} partition {partition} at offset {offset:#x}")]
    Overlap {
        /// Path of the later region.
        path: String,
        /// Path of the earlier region.
        other: String,
        /// Memory that they share.
        space: &'static str,
        /// First partition that they share.
        partition: u32,
        /// First byte of a partition that they share.
        offset: u32,
    },
}

impl JsonError {
    /// Advice for a person, if there is any.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::UnknownKey { nearest, .. } => nearest.map(|key| format!("did you mean `{key}`?")),
            Self::Bundle { error, .. } => Some(error.hint().to_owned()),
            Self::Profile { error, .. } => {
                let near = match error {
                    ProfileError::UnknownSwitch { key, .. } => {
                        nearest(key, Profile::SWITCHES.iter().copied())
                    }
                    ProfileError::UnknownValue { key, value, .. } => {
                        nearest(value, Profile::values_of(key).unwrap_or_default())
                    }
                    ProfileError::UnknownPreset(name) => {
                        nearest(name, Profile::PRESETS.iter().copied())
                    }
                };
                near.map(|word| format!("did you mean `{word}`?"))
            }
            _ => None,
        }
    }
}

impl From<serde_json::Error> for JsonError {
    fn from(error: serde_json::Error) -> Self {
        let full = error.to_string();
        // The reader appends the place, which stands in fields of its own here.
        let message = full.split(" at line ").next().unwrap_or(&full).to_owned();
        Self::Syntax { line: error.line(), column: error.column(), message }
    }
}

/// Place in a document; built on the stack while reading, printed only when something is wrong.
#[derive(Debug, Clone, Copy)]
pub(super) enum Path<'a> {
    /// The document, by what it is.
    Root(&'static str),
    /// A key of an object.
    Key(&'a Path<'a>, &'a str),
    /// An element of an array.
    Index(&'a Path<'a>, usize),
}

impl<'a> Path<'a> {
    /// The place of a key of this object.
    pub(super) const fn key(&'a self, key: &'a str) -> Self {
        Self::Key(self, key)
    }

    /// The place of an element of this array.
    pub(super) const fn index(&'a self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The error of a field here.
    pub(super) fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> JsonError {
        JsonError::Field { path: self.to_string(), found: found.into(), expected: expected.into() }
    }
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Root(name) => f.write_str(name),
            Self::Key(Self::Root(_), key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
