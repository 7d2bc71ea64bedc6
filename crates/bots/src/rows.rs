//! Sums of rows of weights, which take most of the evaluation's time.

/// A row of weights.
pub(crate) type Row = [i16; 64];

/// The active features as a list of at most `MAX` rows to add up.
pub(crate) struct List<const MAX: usize> {
    rows: [u16; MAX],
    len: usize,
}

impl<const MAX: usize> List<MAX> {
    pub(crate) fn new() -> List<MAX> {
        List {
            rows: [0; MAX],
            len: 0,
        }
    }

    #[inline]
    pub(crate) fn push(&mut self, row: usize, times: u8) {
        for _ in 0..times {
            if let Some(slot) = self.rows.get_mut(self.len) {
                *slot = row as u16;
                self.len += 1;
            }
        }
    }

    /// The sum of these rows, computed in narrow strips that stay in registers.
    #[inline]
    pub(crate) fn sum(&self, rows: &[Row], bias: &Row) -> Row {
        const WIDTH: usize = 32;
        let list = &self.rows[..self.len];
        let mut sum = *bias;
        for (i, strip) in sum.as_chunks_mut::<WIDTH>().0.iter_mut().enumerate() {
            let mut total = *strip;
            for &row in list {
                let row = &rows[usize::from(row)].as_chunks::<WIDTH>().0[i];
                for (t, r) in total.iter_mut().zip(row) {
                    *t = t.wrapping_add(*r);
                }
            }
            *strip = total;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_rows_are_added_repeatedly() {
        let rows: Vec<Row> = (0..3).map(|i| [10i16.pow(i); 64]).collect();
        let mut list = List::<8>::new();
        list.push(0, 2);
        list.push(2, 3);
        assert_eq!(list.sum(&rows, &[7; 64]), [309; 64]);
    }
}
