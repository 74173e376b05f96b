//! Profile switches: one per contested point of spec 06, plus `engine`. A profile is the full
//! setting under which a case runs; defaults are the seed's readings. Both models obey it.

use thiserror::Error;

/// Why a switch or preset was refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ProfileError {
    /// The key is no switch.
    #[error("unknown switch `{key}` (known: {known})")]
    UnknownSwitch {
        /// The key as given.
        key: String,
        /// Every switch name.
        known: String,
    },
    /// The value is not one of the switch's.
    #[error("switch `{key}` has no value `{value}` (values: {values})")]
    UnknownValue {
        /// The switch.
        key: String,
        /// The value as given.
        value: String,
        /// Every value of the switch.
        values: String,
    },
    /// The preset is unknown.
    #[error("unknown preset `{0}` (presets: seed, val05, vendor)")]
    UnknownPreset(String),
}

/// Declares the switches: field, enum, key text, values with texts; the first value is the default.
macro_rules! switches {
    ($($(#[$meta:meta])* $field:ident : $type:ident = $key:literal { $first:ident $first_text:literal $(, $variant:ident $text:literal)* })*) => {
        $(
            $(#[$meta])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
            #[repr(u8)]
            pub enum $type {
                #[doc = concat!("`", $first_text, "`, the default.")] #[default] $first,
                $(#[doc = concat!("`", $text, "`.")] $variant,)*
            }
            impl $type {
                /// Every value, default first.
                pub const ALL: &'static [Self] = &[Self::$first $(, Self::$variant)*];
                /// The value's text.
                pub const fn name(self) -> &'static str {
                    match self { Self::$first => $first_text $(, Self::$variant => $text)* }
                }
                /// The value with this text.
                pub fn from_name(name: &str) -> Option<Self> {
                    Self::ALL.iter().copied().find(|value| value.name() == name)
                }
            }
        )*

        /// The switch values that a case runs under (spec 06).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub struct Profile { $($(#[$meta])* pub $field: $type,)* }

        impl Profile {
            /// Every switch name in the order of spec 06.
            pub const SWITCHES: &'static [&'static str] = &[$($key),*];

            /// Texts of every value of a switch, default first.
            pub fn values_of(key: &str) -> Option<Vec<&'static str>> {
                match key {
                    $($key => Some($type::ALL.iter().map(|value| value.name()).collect()),)*
                    _ => None,
                }
            }

            /// The text of a switch's value.
            pub fn get(&self, key: &str) -> Option<&'static str> {
                match key { $($key => Some(self.$field.name()),)* _ => None }
            }

            /// Sets one switch from its texts.
            pub fn set(&mut self, key: &str, value: &str) -> Result<(), ProfileError> {
                match key {
                    $($key => {
                        self.$field = $type::from_name(value).ok_or_else(|| ProfileError::UnknownValue {
                            key: key.to_owned(),
                            value: value.to_owned(),
                            values: $type::ALL.iter().map(|v| v.name()).collect::<Vec<_>>().join(", "),
                        })?;
                        Ok(())
                    })*
                    _ => Err(ProfileError::UnknownSwitch {
                        key: key.to_owned(),
                        known: Self::SWITCHES.join(", "),
                    }),
                }
            }

            /// Every switch that differs from its default, in the order of spec 06.
            pub fn non_default(&self) -> Vec<(&'static str, &'static str)> {
                let default = Self::default();
                let mut out = Vec::new();
                $(if self.$field != default.$field { out.push(($key, self.$field.name())); })*
                out
            }
        }
    };
}

switches! {
    /// Which lanes `RB*` flags on a tie (spec 04 V-02).
    rb_tie: RbTie = "rb_tie" { Lowest "lowest", Union "union" }
    /// Whether `ROTR*` moves lanes or bits (spec 04 V-03).
    rotr_mode: RotrMode = "rotr_mode" { Lane "lane", Bit "bit" }
    /// Line that an aligning load fetches (spec 04 V-05).
    la_fresh: LaFresh = "la_fresh" { Next "next", Base "base" }
    /// Stages of crossbar and reduce (spec 05 T-03).
    lat_crossbar: LatCrossbar = "lat_crossbar" { Seed "seed", Formal "formal" }
    /// Unit of gather and scatter offsets (spec 09).
    sg_offset: SgOffset = "sg_offset" { Byte "byte", Element "element" }
    /// When sticky flags are set (spec 08 F-02).
    fsr_gate: FsrGate = "fsr_gate" { Always "always", Enabled "enabled" }
    /// Flag field of a killed lane of a predicated fp compare (spec 08 F-18).
    fcmp_t: FcmpT = "fcmp_t" { Zero "zero", Merge "merge" }
    /// NaN pattern of fp32 to fp16 narrowing (spec 08 F-28).
    narrow_nan: NarrowNan = "narrow_nan" { Canonical "canonical", Carry "carry" }
    /// What CacheReduce writes (spec 03 D-24).
    reduce_emit: ReduceEmit = "reduce_emit" { LastSlot "last_slot", Elementwise "elementwise" }
    /// Side of the accumulator in the running combine (spec 03 D-23).
    op1_order: Op1Order = "op1_order" { AccLeft "acc_left", AccRight "acc_right" }
    /// Rounding of FP32 to integers (spec 03 D-05).
    f2i_round: F2iRound = "f2i_round" { TowardZero "toward_zero", NearestEven "nearest_even" }
    /// Overflow of an FP8 store (spec 03 D-08).
    fp8_overflow: Fp8Overflow = "fp8_overflow" { Infinity "infinity", Saturate "saturate" }
    /// Live fraction bits of FP32R (spec 03 D-06).
    fp32r_fraction: Fp32rFraction = "fp32r_fraction" { Bits13 "13", Bits10 "10", Bits11 "11", Bits23 "23" }
    /// Engine of opcode 0x41 (spec 03 D-02); an option of the case, no contested point.
    engine: Engine = "engine" { Dve "dve", Pool "pool" }
}

impl Fp32rFraction {
    /// The number of live fraction bits.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Bits13 => 13,
            Self::Bits10 => 10,
            Self::Bits11 => 11,
            Self::Bits23 => 23,
        }
    }
}

impl Profile {
    /// Names of the presets.
    pub const PRESETS: &'static [&'static str] = &["seed", "val05", "vendor"];

    /// A named preset (spec 06).
    pub fn preset(name: &str) -> Result<Self, ProfileError> {
        let seed = Self::default();
        let val05 = Self { rb_tie: RbTie::Union, rotr_mode: RotrMode::Bit, ..seed };
        match name {
            "seed" => Ok(seed),
            "val05" => Ok(val05),
            "vendor" => Ok(Self {
                lat_crossbar: LatCrossbar::Formal,
                reduce_emit: ReduceEmit::Elementwise,
                op1_order: Op1Order::AccRight,
                f2i_round: F2iRound::NearestEven,
                ..val05
            }),
            _ => Err(ProfileError::UnknownPreset(name.to_owned())),
        }
    }
}
