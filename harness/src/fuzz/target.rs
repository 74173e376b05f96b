//! The fuzz targets by name, and what each takes.

use crate::generate::Family;
use std::path::Path;

/// A fuzz target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// Tensor programs: values, verdicts, flags.
    TensorDiff,
    /// Vector programs: values, verdicts and schedules.
    VectorDiff,
    /// Vector programs: schedules alone.
    ScheduleDiff,
    /// One 64-byte record and a generation: the verdict alone.
    DescriptorVerdict,
    /// The JSON form of cases: the reader never panics, and what it reads prints to a fixed point.
    CaseJson,
    /// The text form of programs: the same.
    BundleText,
    /// Does nothing with its input: the speed of the engine itself.
    Empty,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 7] = [
        Self::TensorDiff,
        Self::VectorDiff,
        Self::ScheduleDiff,
        Self::DescriptorVerdict,
        Self::CaseJson,
        Self::BundleText,
        Self::Empty,
    ];

    /// Name of the target: of its binary, its corpus folder and its artifacts folder.
    pub const fn name(self) -> &'static str {
        match self {
            Self::TensorDiff => "tensor_diff",
            Self::VectorDiff => "vector_diff",
            Self::ScheduleDiff => "schedule_diff",
            Self::DescriptorVerdict => "descriptor_verdict",
            Self::CaseJson => "case_json",
            Self::BundleText => "bundle_text",
            Self::Empty => "empty",
        }
    }

    /// The target with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.name() == name)
    }

    /// The target that a file belongs to: the innermost folder of its path that has a target's name.
    pub fn of_path(path: &Path) -> Option<Self> {
        let folders = path.parent()?.components().rev();
        folders.filter_map(|folder| folder.as_os_str().to_str()).find_map(Self::from_name)
    }

    /// The generator that makes cases out of the bytes of this target, if one does.
    pub const fn generator(self) -> Option<Family> {
        match self {
            Self::TensorDiff => Some(Family::Tensor),
            Self::VectorDiff | Self::ScheduleDiff => Some(Family::Vector),
            _ => None,
        }
    }

    /// Whether both models run on the inputs of this target.
    pub const fn has_models(self) -> bool {
        matches!(
            self,
            Self::TensorDiff | Self::VectorDiff | Self::ScheduleDiff | Self::DescriptorVerdict
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_an_artifact_names_its_target() {
        let of = |path: &str| Target::of_path(Path::new(path));
        assert_eq!(of("fuzz/artifacts/vector_diff/crash-1"), Some(Target::VectorDiff));
        assert_eq!(of("corpus/fuzz/case_json/tensor_diff"), Some(Target::CaseJson));
        assert_eq!(of("empty/x/bundle_text/y/crash-1"), Some(Target::BundleText));
        assert_eq!(of("crash-1"), None);
        for target in Target::ALL {
            assert_eq!(Target::from_name(target.name()), Some(target));
        }
    }
}
