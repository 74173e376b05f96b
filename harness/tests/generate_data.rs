//! Data files: good ones give their values to cases, bad ones an error that names the file and says
//! what was found.

use contract::case::Case;
use contract::isa::Dtype;
use harness::generate::{
    CaseSeed, DataError, DataSource, Family, Generated, Generator, Options, TensorOptions,
};
use npyz::WriterBuilder;
use safetensors::tensor::{Dtype as TensorDtype, TensorView, serialize_to_file};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn digits() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpus/data/digits.npy")
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("the temporary folder takes files");
    path
}

/// A `.npy` file of one dtype string, any shape text and raw data.
fn npy(descr: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({shape}), }}");
    while !(header.len() + 11).is_multiple_of(64) {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn the_shipped_digits_read_as_1797_images_of_64_pixels() {
    let data = DataSource::open(&digits()).expect("the shipped file is sound");
    assert_eq!(data.values().len(), 1797 * 64);
    assert!(
        data.values().iter().all(|&pixel| (0.0..=16.0).contains(&pixel) && pixel.fract() == 0.0)
    );
    // The first image is a zero: five pixels of its first row are set.
    assert_eq!(data.values()[..8], [0.0, 0.0, 5.0, 13.0, 9.0, 1.0, 0.0, 0.0]);
    assert!(data.name().ends_with("digits.npy"));
}

#[test]
fn every_numeric_npy_type_reads_as_its_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (descr, data, values) in [
        ("|u1", &[1, 255][..], [1.0, 255.0]),
        ("|i1", &[1, 255], [1.0, -1.0]),
        ("<i2", &[1, 0, 0xFE, 0xFF], [1.0, -2.0]),
        (">i2", &[0, 1, 0xFF, 0xFE], [1.0, -2.0]),
        ("<u4", &[1, 0, 0, 0, 0, 0, 0, 0x80], [1.0, 2_147_483_648.0]),
        ("<f2", &[0x00, 0x3C, 0x00, 0xC1], [1.0, -2.5]),
        (">f4", &[0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0], [1.0, -2.5]),
        ("<f8", &[0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0x04, 0xC0], [1.0, -2.5]),
    ] {
        let path = write(folder.path(), "a.npy", &npy(descr, "2,", data));
        let data = DataSource::open(&path).expect(descr);
        assert_eq!(data.values(), values, "{descr}");
    }
    // As the library writes it.
    let path = folder.path().join("library.NPY");
    let file = std::fs::File::create(&path).expect("the temporary folder takes files");
    let mut writer = npyz::WriteOptions::new()
        .default_dtype()
        .shape(&[3])
        .writer(file)
        .begin_nd()
        .expect("a header");
    writer.extend([0.5f32, f32::INFINITY, -0.0]).expect("elements");
    writer.finish().expect("an end");
    let data = DataSource::open(&path).expect("the library's own file");
    assert_eq!(data.values(), [0.5, f64::INFINITY, 0.0]);
}

#[test]
fn every_numeric_tensor_of_a_safetensors_file_is_read_in_name_order() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("m.safetensors");
    let view =
        |dtype, shape: Vec<usize>, data| TensorView::new(dtype, shape, data).expect("a view");
    let tensors = vec![
        ("b", view(TensorDtype::BF16, vec![2], &[0x80, 0x3F, 0x20, 0xC0][..])),
        ("a", view(TensorDtype::I16, vec![1], &[0xFF, 0xFF])),
        ("c", view(TensorDtype::F8_E4M3, vec![2], &[0x38, 0x7E])),
        ("d", view(TensorDtype::F8_E5M2, vec![1], &[0x3C])),
        ("e", view(TensorDtype::BOOL, vec![1], &[1])),
    ];
    serialize_to_file(tensors, &None::<HashMap<String, String>>, &path).expect("a file");
    let data = DataSource::open(&path).expect("the library's own file");
    assert_eq!(data.values(), [-1.0, 1.0, -2.5, 1.0, 448.0, 1.0]);
}

#[test]
fn bad_files_are_refused_with_their_name_and_what_was_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let empty = folder.path().join("empty.safetensors");
    let none: Vec<(&str, TensorView<'_>)> = Vec::new();
    serialize_to_file(none, &None, &empty).expect("a file");
    let flags = folder.path().join("flags.safetensors");
    let view = TensorView::new(TensorDtype::BOOL, vec![2], &[0, 1]).expect("a view");
    serialize_to_file(vec![("flags", view)], &None, &flags).expect("a file");
    let cases: Vec<(PathBuf, &str, &str)> = vec![
        (folder.path().join("missing.npy"), "Unreadable", "missing.npy"),
        (folder.path().to_owned(), "UnknownExtension", "no extension"),
        (write(folder.path(), "values.csv", b"1,2"), "UnknownExtension", ".csv"),
        (write(folder.path(), "garbage.npy", b"hello, world"), "Malformed", "no NumPy header"),
        (write(folder.path(), "nothing.npy", b""), "Malformed", "no NumPy header"),
        (
            write(folder.path(), "cut.npy", &npy("<f4", "9,", &[0; 8])),
            "Malformed",
            "8 bytes of data",
        ),
        (
            write(folder.path(), "vast.npy", &npy("<f4", "4294967296, 4294967296, 4", &[])),
            "Malformed",
            "beyond 64 bits",
        ),
        (write(folder.path(), "text.npy", &npy("<U3", "1,", &[0; 12])), "NotNumeric", "<U3"),
        (write(folder.path(), "complex.npy", &npy("<c8", "1,", &[0; 8])), "NotNumeric", "<c8"),
        (write(folder.path(), "bool.npy", &npy("|b1", "1,", &[1])), "NotNumeric", "|b1"),
        (write(folder.path(), "zero.npy", &npy("<f4", "0, 3", &[])), "Empty", "[0, 3]"),
        (write(folder.path(), "bad.safetensors", b"nonsense"), "Malformed", "safetensors"),
        (empty, "Empty", "0 tensors"),
        (flags, "NotNumeric", "BOOL"),
    ];
    for (path, variant, found) in cases {
        let error = DataSource::open(&path).expect_err(variant);
        let text = error.to_string();
        let kind = match error {
            DataError::Unreadable { .. } => "Unreadable",
            DataError::UnknownExtension { .. } => "UnknownExtension",
            DataError::Malformed { .. } => "Malformed",
            DataError::NotNumeric { .. } => "NotNumeric",
            DataError::Empty { .. } => "Empty",
        };
        assert_eq!(kind, variant, "{text}");
        assert!(text.contains(&path.display().to_string()), "{text}");
        assert!(text.contains(found), "{text} lacks {found}");
    }
}

#[test]
fn cut_and_damaged_npy_files_never_panic() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sound = npy("<f4", "2, 3", &[7; 24]);
    for length in 0..sound.len() {
        let path = write(folder.path(), "cut.npy", &sound[..length]);
        assert!(DataSource::open(&path).is_err(), "{length} bytes");
    }
    for at in 0..sound.len() - 24 {
        for value in [0, b'9', b'(', 0xFF] {
            let mut damaged = sound.clone();
            damaged[at] = value;
            // Either verdict will do; it must be one.
            let _ = DataSource::open(&write(folder.path(), "damaged.npy", &damaged));
        }
    }
}

#[test]
fn data_values_reach_the_memory_of_cases() {
    let data = DataSource::from_values("test", vec![1234.0]).expect("one value");
    let options = Options {
        near_valid: 0.0,
        outside: 0.0,
        data: Some(Arc::new(data)),
        tensor: TensorOptions { opcodes: vec![0x4E], ..TensorOptions::DEFAULT },
        ..Options::default()
    };
    let mut generator = Generator::new(options);
    let mut out = Generated::default();
    let (mut with, mut steps) = (0, 0);
    for index in 0..400 {
        generator.seeded(Family::Tensor, CaseSeed::of(3, index), &mut out);
        let Case::Tensor(case) = &out.case else { panic!("a tensor case") };
        let first = &case.program[0];
        if first[32] == Dtype::Fp32.wire() {
            steps += 1;
            let pattern = 1234f32.to_bits().to_le_bytes();
            let held = |data: &Vec<u8>| data.windows(4).any(|bytes| bytes == pattern);
            with += u32::from(case.memory.iter().any(|region| held(&region.data)));
        }
    }
    assert!(steps > 50 && with * 2 > steps, "{with} of {steps}");
}
