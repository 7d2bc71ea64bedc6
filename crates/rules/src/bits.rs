//! Finding the `n`-th set bit of a mask.

/// The position of the `n`-th set bit of a byte.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The position of the `n`-th set bit, counted from 0.
#[inline]
pub(crate) fn nth_bit(mask: u32, n: u32) -> u8 {
    let low = (mask & 0xFFFF).count_ones();
    if n < low {
        nth_space(mask as u16, n)
    } else {
        16 + nth_space((mask >> 16) as u16, n - low)
    }
}

/// The position of the `n`-th set bit of a mask of the sixteen spaces: halved, then looked up.
#[inline]
pub(crate) fn nth_space(mask: u16, n: u32) -> u8 {
    let low = (mask & 0xFF).count_ones();
    let (byte, n, at) = if n < low {
        (mask & 0xFF, n, 0)
    } else {
        (mask >> 8, n - low, 8)
    };
    at + NTH_OF_BYTE[usize::from(byte)][n as usize & 7]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bit_is_found_by_its_number() {
        for space in 0..=u16::MAX {
            let bits = (0..16u8).filter(|bit| space >> bit & 1 == 1);
            for (n, bit) in bits.enumerate() {
                assert_eq!(nth_space(space, n as u32), bit, "{space:016b}");
            }
        }
        for mask in [
            1,
            0x8000_0000,
            0x0001_8000,
            0xF0F0_A5A5,
            0x00FF_0000,
            u32::MAX,
        ] {
            let bits = (0..32u8).filter(|bit| mask >> bit & 1 == 1);
            for (n, bit) in bits.enumerate() {
                assert_eq!(nth_bit(mask, n as u32), bit, "{mask:032b}");
            }
        }
    }
}
