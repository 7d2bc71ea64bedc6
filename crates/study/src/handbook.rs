//! The rules for players: topics, clauses as link targets, and pictures as board positions.
//!
//! There is one file per language, with these lines:
//!
//! - `# topic Title`: a topic begins; its name is the same in all languages.
//! - `! board Caption`: a picture, its board in notation.
//! - `R7.3 Text`: the text of a clause. Errors name clauses, so every clause is an anchor.
//! - anything else: a paragraph.

/// The rules in one language.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Handbook {
    /// The topics, in order.
    pub topics: Vec<Topic>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Topic {
    /// Its name in links, the same in all languages.
    pub name: String,
    pub title: String,
    /// Its paragraphs, clauses and pictures.
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    Paragraph(String),
    /// The text of a clause.
    Clause {
        /// The clause, such as `R7.3`: the anchor.
        clause: String,
        text: String,
    },
    Picture {
        /// The board, in notation.
        board: String,
        caption: String,
    },
}

impl Handbook {
    /// Parses a file of rules.
    pub fn read(file: &str) -> Handbook {
        let mut topics: Vec<Topic> = Vec::new();
        for line in file.lines().map(str::trim).filter(|l| !l.is_empty()) {
            if let Some(head) = line.strip_prefix("# ") {
                let (name, title) = head.split_once(' ').unwrap_or((head, head));
                topics.push(Topic {
                    name: name.into(),
                    title: title.into(),
                    parts: Vec::new(),
                });
            } else if let Some(topic) = topics.last_mut() {
                topic.parts.push(part(line));
            }
        }
        Handbook { topics }
    }

    /// The topic of a clause; for a section such as `R19`, that of its first clause.
    pub fn topic_of(&self, clause: &str) -> Option<&Topic> {
        let has = |part: &Part| matches!(part, Part::Clause { clause: c, .. } if c == clause);
        self.topics.iter().find(|t| t.parts.iter().any(has))
    }

    /// All clauses, in order.
    pub fn clauses(&self) -> impl Iterator<Item = &str> {
        let parts = self.topics.iter().flat_map(|t| &t.parts);
        parts.filter_map(|part| match part {
            Part::Clause { clause, .. } => Some(clause.as_str()),
            _ => None,
        })
    }

    /// The parts that contain all of these words, ignoring case, by topic.
    pub fn search(&self, words: &str) -> Vec<(&Topic, Vec<&Part>)> {
        let words: Vec<String> = words.split_whitespace().map(towers_table::folded).collect();
        let fits = |text: &str| {
            let text = towers_table::folded(text);
            words.iter().all(|w| text.contains(w.as_str()))
        };
        self.topics
            .iter()
            .filter_map(|topic| {
                let whole = fits(&topic.title);
                let parts: Vec<&Part> = topic
                    .parts
                    .iter()
                    .filter(|p| whole || fits(&p.words()))
                    .collect();
                (!parts.is_empty()).then_some((topic, parts))
            })
            .collect()
    }
}

impl Part {
    /// The searchable text.
    pub fn words(&self) -> String {
        match self {
            Part::Paragraph(text) => text.clone(),
            Part::Clause { clause, text } => format!("{clause} {text}"),
            Part::Picture { caption, .. } => caption.clone(),
        }
    }
}

fn part(line: &str) -> Part {
    if let Some(picture) = line.strip_prefix("! ") {
        let (board, caption) = picture.split_once(' ').unwrap_or((picture, ""));
        return Part::Picture {
            board: board.into(),
            caption: caption.into(),
        };
    }
    match line.split_once(' ') {
        Some((clause, text)) if is_clause(clause) => Part::Clause {
            clause: clause.into(),
            text: text.into(),
        },
        _ => Part::Paragraph(line.into()),
    }
}

/// `R7.3` or `R19`.
fn is_clause(word: &str) -> bool {
    word.strip_prefix('R').is_some_and(|number| {
        number.starts_with(|c: char| c.is_ascii_digit())
            && number.chars().all(|c| c.is_ascii_digit() || c == '.')
    })
}
