//! Hex digits of byte strings, both ways, by table.

/// Value of each ASCII hex digit; 0xff for any other byte.
const VALUES: [u8; 256] = {
    let mut table = [0xff; 256];
    let mut digit = 0;
    while digit < 16 {
        table[b"0123456789abcdef"[digit] as usize] = digit as u8;
        table[b"0123456789ABCDEF"[digit] as usize] = digit as u8;
        digit += 1;
    }
    table
};

/// Reads exactly `bytes.len()` bytes; false if the text has another length or another character.
pub(super) fn read_exact(text: &str, bytes: &mut [u8]) -> bool {
    let digits = text.as_bytes();
    if digits.len() != 2 * bytes.len() {
        return false;
    }
    let mut seen = 0;
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let (high, low) = (VALUES[pair[0] as usize], VALUES[pair[1] as usize]);
        // Values of digits have no bit above 3.
        seen |= high | low;
        *byte = high << 4 | low & 15;
    }
    seen < 16
}

/// Reads an even number of digits.
pub(super) fn read(text: &str) -> Option<Vec<u8>> {
    let mut bytes = vec![0; text.len() / 2];
    read_exact(text, &mut bytes).then_some(bytes)
}

/// Appends two lower-case digits per byte.
pub(super) fn write(out: &mut String, bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.reserve(2 * bytes.len());
    for chunk in bytes.chunks(64) {
        let mut digits = [0; 128];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(chunk) {
            pair[0] = DIGITS[(byte >> 4) as usize];
            pair[1] = DIGITS[(byte & 15) as usize];
        }
        // Every byte of the prefix was taken from `DIGITS`, which is ASCII.
        out.push_str(std::str::from_utf8(&digits[..2 * chunk.len()]).expect("ASCII digits"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_survives_both_ways_in_either_case() {
        let bytes: Vec<u8> = (0..=255).collect();
        let mut text = String::new();
        write(&mut text, &bytes);
        assert!(text.starts_with("000102") && text.ends_with("fdfeff"));
        assert_eq!(read(&text), Some(bytes.clone()));
        assert_eq!(read(&text.to_uppercase()), Some(bytes));
    }

    #[test]
    fn odd_length_and_other_characters_are_refused() {
        for text in ["0", "000", "0g", "g0", "0x", " 0", "é", "00é"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(""), Some(Vec::new()));
        assert!(!read_exact("0000", &mut [0; 1]));
        assert!(!read_exact("00", &mut [0; 2]));
    }
}
