//! Hardware generations (spec 01 section 1) and their memory geometry (spec 01 section 7).

use std::fmt;

/// A hardware generation. Ordered `Sunda < Cayman < Mariana < MarianaPlus < Maverick`; Mariana and
/// Mariana-plus are the same machine as far as chapters 01 and 02 go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Generation {
    /// NC version 2.
    Sunda,
    /// NC version 3.
    Cayman,
    /// NC version 4.
    Mariana,
    /// NC version 4, the Mariana interface definitions.
    MarianaPlus,
    /// NC version 5.
    Maverick,
}

impl Generation {
    /// Every generation, oldest first.
    pub const ALL: &'static [Self] =
        &[Self::Sunda, Self::Cayman, Self::Mariana, Self::MarianaPlus, Self::Maverick];

    /// The name used in cases and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sunda => "sunda",
            Self::Cayman => "cayman",
            Self::Mariana => "mariana",
            Self::MarianaPlus => "mariana_plus",
            Self::Maverick => "maverick",
        }
    }

    /// The generation with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|generation| generation.name() == name)
    }

    /// NC version number of the interface.
    pub const fn nc_version(self) -> u8 {
        match self {
            Self::Sunda => 2,
            Self::Cayman => 3,
            Self::Mariana | Self::MarianaPlus => 4,
            Self::Maverick => 5,
        }
    }

    /// Memory geometry of the generation.
    pub const fn geometry(self) -> &'static Geometry {
        match self {
            Self::Sunda => &SUNDA,
            Self::Cayman => &CAYMAN,
            Self::Mariana | Self::MarianaPlus => &MARIANA,
            Self::Maverick => &MAVERICK,
        }
    }
}

impl fmt::Display for Generation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Memory geometry constants, all in bytes but the counts (spec 01 section 7).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Geometry {
    /// Partitions of either memory.
    pub partitions: u32,
    /// First SBUF address.
    pub sbuf_base: u32,
    /// Size of the SBUF region.
    pub sbuf_region: u32,
    /// Address distance of two SBUF partitions.
    pub sbuf_stride: u32,
    /// Backed bytes of an SBUF partition.
    pub sbuf_active: u32,
    /// First PSUM address.
    pub psum_base: u32,
    /// Size of the PSUM region; 0 means that no PSUM exists.
    pub psum_region: u32,
    /// Address distance of two PSUM partitions.
    pub psum_stride: u32,
    /// Backed bytes of a PSUM partition.
    pub psum_active: u32,
    /// Banks of a PSUM partition.
    pub psum_banks: u32,
    /// Bytes of a PSUM bank.
    pub psum_bank_bytes: u32,
}

const SUNDA: Geometry = Geometry {
    partitions: 128,
    sbuf_base: 0,
    sbuf_region: 0x0200_0000,
    sbuf_stride: 0x4_0000,
    sbuf_active: 0x3_0000,
    psum_base: 0x0200_0000,
    psum_region: 0x40_0000,
    psum_stride: 0x8000,
    psum_active: 0x4000,
    psum_banks: 16,
    psum_bank_bytes: 1024,
};
const CAYMAN: Geometry =
    Geometry { sbuf_active: 0x3_8000, psum_banks: 8, psum_bank_bytes: 2048, ..SUNDA };
const MARIANA: Geometry = Geometry { sbuf_active: 0x4_0000, ..CAYMAN };
const MAVERICK: Geometry = Geometry {
    sbuf_region: 0x0800_0000,
    sbuf_stride: 0x10_0000,
    sbuf_active: 0x8_0000,
    psum_region: 0,
    ..MARIANA
};
