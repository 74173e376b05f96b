//! Which models a command runs. A [`ModelFactory`] makes one model per worker; [`Selection`] is what
//! `--candidate` and `--model` name. A model that panics is a failed model, not a failed harness: see
//! [`Guarded`].

use contract::case::Case;
use contract::model::{Model, ModelError};
use contract::outcome::Outcome;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Once};
use thiserror::Error;

/// A model that can move to a worker thread.
pub type BoxedModel = Box<dyn Model + Send>;

/// Makes models, one per worker.
pub trait ModelFactory: Send + Sync {
    /// Name in messages and reports.
    fn name(&self) -> &str;

    /// Makes a model in its initial state.
    fn make(&self) -> BoxedModel;
}

/// A shared factory.
pub type SharedFactory = Arc<dyn ModelFactory>;

struct FnFactory<F> {
    name: String,
    make: F,
}

impl<F: Fn() -> BoxedModel + Send + Sync> ModelFactory for FnFactory<F> {
    fn name(&self) -> &str {
        &self.name
    }

    fn make(&self) -> BoxedModel {
        (self.make)()
    }
}

/// A factory made of a function.
pub fn factory(
    name: impl Into<String>,
    make: impl Fn() -> BoxedModel + Send + Sync + 'static,
) -> SharedFactory {
    Arc::new(FnFactory { name: name.into(), make })
}

/// The built-in reference model.
pub fn oracle() -> SharedFactory {
    factory("oracle", || Box::new(oracle::model()))
}

/// The built-in optimised model.
pub fn candidate() -> SharedFactory {
    factory("candidate", || Box::new(candidate::model()))
}

/// Why a model cannot be selected.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SelectionError {
    /// The text is no model.
    #[error("no model is called `{0}` (models: builtin, oracle, candidate)")]
    Unknown(String),
    /// A form of the contract that this build does not run.
    #[error("external models (`{0}`) are not supported by this version yet")]
    External(String),
}

/// The model that a SPEC names: `builtin` or `candidate`, `oracle`.
///
/// # Errors
/// See [`SelectionError`].
pub fn select(spec: &str) -> Result<SharedFactory, SelectionError> {
    match spec {
        "builtin" | "candidate" => Ok(candidate()),
        "oracle" => Ok(oracle()),
        _ if spec.starts_with("cmd:") || spec.starts_with("dylib:") => {
            Err(SelectionError::External(spec.to_owned()))
        }
        _ => Err(SelectionError::Unknown(spec.to_owned())),
    }
}

/// A model that failed to answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("model `{model}` failed: {message}")]
pub struct ModelFailure {
    /// Name of the model.
    pub model: String,
    /// What happened.
    pub message: String,
}

/// Runs a model and turns its panics into errors. After a panic the next case gets a fresh model.
pub struct Guarded {
    factory: SharedFactory,
    model: Option<BoxedModel>,
}

impl Guarded {
    /// Guards models of a factory.
    pub fn new(factory: SharedFactory) -> Self {
        silence_guarded_panics();
        Self { factory, model: None }
    }

    /// Name of the model.
    pub fn name(&self) -> &str {
        self.factory.name()
    }

    /// Runs a case into a reused outcome.
    ///
    /// # Errors
    /// What the model reports; a panic comes back as [`ModelError::Failed`].
    pub fn run_into(&mut self, case: &Case, outcome: &mut Outcome) -> Result<(), ModelError> {
        GUARDED.with(|guarded| guarded.set(true));
        let model = &mut self.model;
        let result = catch_unwind(AssertUnwindSafe(|| {
            model.get_or_insert_with(|| self.factory.make()).run_into(case, outcome)
        }));
        GUARDED.with(|guarded| guarded.set(false));
        result.unwrap_or_else(|_| {
            self.model = None;
            *outcome = Outcome::Tensor(Box::default());
            let message = LAST_PANIC.with(|last| last.take());
            Err(ModelError::Failed(format!("it panicked: {message}")))
        })
    }
}

thread_local! {
    /// True while this thread runs a model.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// Message and place of the last panic in a model on this thread.
    static LAST_PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps the message of a panic inside a model for the report instead of printing it; panics elsewhere
/// go to the hook that was installed before.
fn silence_guarded_panics() {
    static INSTALL: Once = Once::new();
    INSTALL.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if !GUARDED.with(Cell::get) {
                return before(info);
            }
            let payload = info.payload();
            let text = payload
                .downcast_ref::<&str>()
                .map(|text| (*text).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned());
            let place = info
                .location()
                .map(|place| format!(" ({}:{})", place.file(), place.line()))
                .unwrap_or_default();
            LAST_PANIC.with(|last| *last.borrow_mut() = format!("{text}{place}"));
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::case::TensorCase;
    use contract::isa::Generation;
    use contract::profile::Profile;
    use std::collections::BTreeMap;

    struct PanicsOnce(bool);

    impl Model for PanicsOnce {
        fn name(&self) -> &str {
            "panics"
        }

        fn run_into(&mut self, _: &Case, _: &mut Outcome) -> Result<(), ModelError> {
            assert!(!self.0, "lane {} is wrong", 7);
            Ok(())
        }
    }

    fn empty_case() -> Case {
        Case::Tensor(TensorCase {
            id: String::new(),
            generation: Generation::Sunda,
            profile: Profile::default(),
            memory: Vec::new(),
            registers: BTreeMap::new(),
            program: Vec::new(),
        })
    }

    #[test]
    fn a_panic_is_an_error_with_its_message_and_the_model_is_made_anew() {
        let made = std::sync::atomic::AtomicUsize::new(0);
        let mut guarded = Guarded::new(factory("panics", move || {
            let number = made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Box::new(PanicsOnce(number == 0))
        }));
        let mut outcome = Outcome::Tensor(Box::default());
        let error = guarded.run_into(&empty_case(), &mut outcome).unwrap_err();
        let ModelError::Failed(message) = error else { panic!("{error}") };
        assert!(message.starts_with("it panicked: lane 7 is wrong ("), "{message}");
        assert_eq!(guarded.run_into(&empty_case(), &mut outcome), Ok(()));
    }

    #[test]
    fn refuses_external_models_clearly() {
        assert!(matches!(select("cmd:./mine"), Err(SelectionError::External(_))));
        assert!(matches!(select("orakle"), Err(SelectionError::Unknown(_))));
    }
}
