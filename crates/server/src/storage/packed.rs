//! Logs of finished games, kept as compressed chunks of entries.

use std::io::{Read, Write};

use super::StorageError;

/// The maximum number of entries in a chunk, so that a page of a long log can be read without unpacking all of it.
pub const CHUNK: u32 = 1024;
/// The compression quality, at most 11.
const QUALITY: u32 = 9;
/// The size of the compression window, as a power of two.
const WINDOW: u32 = 18;
const BUFFER: usize = 4096;

#[derive(Clone, Debug)]
pub struct LogPart {
    /// The number of the entry, or of the last one in the chunk.
    pub number: i64,
    pub content: LogContent,
}

#[derive(Clone, Debug)]
pub enum LogContent {
    Entry(String),
    Chunk(Vec<u8>),
}

impl LogPart {
    /// Builds a part from the columns of a row, exactly one of which is not NULL.
    pub fn new(number: i64, line: Option<String>, chunk: Option<Vec<u8>>) -> LogPart {
        let content = match (line, chunk) {
            (Some(line), _) => LogContent::Entry(line),
            (None, chunk) => LogContent::Chunk(chunk.unwrap_or_default()),
        };
        LogPart { number, content }
    }
}

pub fn pack(lines: &[String]) -> Result<Vec<u8>, StorageError> {
    let failed = |why: std::io::Error| StorageError::Failed(why.to_string());
    let mut packed = Vec::new();
    {
        let mut writer = brotli::CompressorWriter::new(&mut packed, BUFFER, QUALITY, WINDOW);
        writer
            .write_all(lines.join("\n").as_bytes())
            .map_err(failed)?;
    }
    Ok(packed)
}

fn unpack(chunk: &[u8]) -> Result<String, StorageError> {
    let mut text = String::new();
    let read = brotli::Decompressor::new(chunk, BUFFER).read_to_string(&mut text);
    read.map_err(|why| StorageError::Corrupt(why.to_string()))?;
    Ok(text)
}

/// The lines after a number. Parts are ordered by number and may overlap, because packed entries are deleted later.
pub fn lines_after(parts: Vec<LogPart>, after: u64) -> Result<Vec<String>, StorageError> {
    let mut lines = Vec::with_capacity(parts.len());
    let mut last = super::signed(after);
    for part in parts {
        match part.content {
            _ if part.number <= last => {}
            LogContent::Entry(line) => {
                lines.push(line);
                last = part.number;
            }
            LogContent::Chunk(chunk) => {
                let text = unpack(&chunk)?;
                let new = usize::try_from(part.number - last).unwrap_or(usize::MAX);
                let all: Vec<&str> = text.split('\n').collect();
                let old = all.len().checked_sub(new);
                let old =
                    old.ok_or_else(|| StorageError::Corrupt("packed entries are missing".into()))?;
                lines.extend(all[old..].iter().map(ToString::to_string));
                last = part.number;
            }
        }
    }
    Ok(lines)
}

/// A page of lines being read. Since parts may overlap, it may take more parts than lines.
pub struct PageReader {
    after: u64,
    most: usize,
    lines: Vec<String>,
    is_complete: bool,
}

impl PageReader {
    /// A page of at most `most` lines after a number.
    pub fn new(after: u64, most: u32) -> PageReader {
        PageReader {
            after,
            most: most as usize,
            lines: Vec::new(),
            is_complete: most == 0,
        }
    }

    /// The number after which to read the next parts, as many as the page has lines; `None` if the page is complete.
    pub fn next_after(&self) -> Option<u64> {
        let last = self.after + self.lines.len() as u64;
        (!self.is_complete).then_some(last)
    }

    pub fn add(&mut self, parts: Vec<LogPart>) -> Result<(), StorageError> {
        let is_end = parts.len() < self.most;
        let new = lines_after(parts, self.after + self.lines.len() as u64)?;
        self.is_complete = is_end || new.is_empty();
        self.lines.extend(new);
        self.is_complete |= self.lines.len() >= self.most;
        Ok(())
    }

    pub fn into_lines(mut self) -> Vec<String> {
        self.lines.truncate(self.most);
        self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(numbers: std::ops::RangeInclusive<u32>) -> Vec<String> {
        numbers.map(|n| format!("{{\"number\":{n}}}")).collect()
    }

    fn chunk(numbers: std::ops::RangeInclusive<u32>) -> LogPart {
        let number = i64::from(*numbers.end());
        let packed = pack(&lines(numbers)).unwrap();
        LogPart::new(number, None, Some(packed))
    }

    fn entry(number: u32) -> LogPart {
        let line = lines(number..=number).remove(0);
        LogPart::new(i64::from(number), Some(line), None)
    }

    #[test]
    fn a_log_is_put_together_from_chunks_and_entries_that_may_overlap() {
        let packed = || vec![chunk(1..=4), chunk(5..=7), entry(8), entry(9)];
        assert_eq!(lines_after(packed(), 0).unwrap(), lines(1..=9));
        assert_eq!(lines_after(packed(), 2).unwrap(), lines(3..=9));
        assert_eq!(lines_after(packed(), 8).unwrap(), lines(9..=9));
        // The state before packed entries are deleted, and after two servers have packed the same log.
        let twice = vec![entry(1), entry(2), chunk(1..=2), chunk(1..=3), entry(4)];
        assert_eq!(lines_after(twice, 0).unwrap(), lines(1..=4));
        assert!(lines_after(vec![chunk(3..=4)], 0).is_err(), "a gap");
    }

    #[test]
    fn a_page_has_all_its_lines_even_if_parts_overlap() {
        let all = [entry(1), entry(2), chunk(1..=2), chunk(3..=5), entry(6)];
        let read = |after: u64, most: u32| {
            let mut page = PageReader::new(after, most);
            while let Some(after) = page.next_after() {
                let parts = all
                    .iter()
                    .filter(|part| part.number > super::super::signed(after));
                page.add(parts.take(most as usize).cloned().collect())
                    .unwrap();
            }
            page.into_lines()
        };
        for most in 1..=6 {
            assert_eq!(read(0, most), lines(1..=most));
        }
        assert_eq!(read(0, 20), lines(1..=6));
        assert_eq!(read(3, 2), lines(4..=5));
        assert!(read(6, 3).is_empty());
    }

    #[test]
    fn a_chunk_that_cannot_be_unpacked_is_an_error() {
        let broken = LogPart::new(2, None, Some(vec![0xff; 20]));
        assert!(lines_after(vec![broken], 0).is_err());
    }
}
