//! Narrows the list of legal actions to one decision: an intent and its pieces, picked in either order.

use towers_rules::{Action, Colour};

pub use crate::intent::{Hover, Intent, Pick, parts};

/// A decision being made. It can be changed until it is confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    options: Vec<(Intent, Vec<Pick>, Action)>,
    intent: Option<Intent>,
    picks: Vec<Pick>,
    variant: usize,
    /// The piece chosen before an intent, as every pick that refers to it.
    held: Vec<Pick>,
}

impl Choice {
    /// A decision between these actions.
    pub fn new(legal: &[Action], own: Colour) -> Choice {
        let options = legal
            .iter()
            .map(|&action| {
                let (intent, picks) = parts(action, own);
                (intent, picks, action)
            })
            .collect();
        let mut choice = Choice {
            options,
            ..Choice::default()
        };
        choice.reset();
        choice
    }

    /// Clears all picks.
    pub fn reset(&mut self) {
        self.picks.clear();
        self.held.clear();
        self.variant = 0;
        // After a roll the only intent is to use it.
        self.intent = [Intent::Roll, Intent::Return]
            .into_iter()
            .find(|&i| self.can(i));
        self.settle();
    }

    /// Whether there is nothing to decide.
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// The available intents, without duplicates.
    pub fn intents(&self) -> Vec<Intent> {
        let mut list = Vec::new();
        for &(intent, ..) in &self.options {
            if !list.contains(&intent) {
                list.push(intent);
            }
        }
        list
    }

    /// Whether this intent is available.
    pub fn can(&self, intent: Intent) -> bool {
        self.options.iter().any(|o| o.0 == intent)
    }

    pub fn intent(&self) -> Option<Intent> {
        self.intent
    }

    /// Whether an intent or a piece is chosen.
    pub fn is_begun(&self) -> bool {
        self.intent.is_some() || !self.held.is_empty()
    }

    /// The picks made so far.
    pub fn picks(&self) -> &[Pick] {
        &self.picks
    }

    /// Starts an intent and picks the held piece for it if possible. Returns whether the intent is available.
    pub fn begin(&mut self, intent: Intent) -> bool {
        if !self.can(intent) {
            return false;
        }
        let held = std::mem::take(&mut self.held);
        self.intent = Some(intent);
        self.picks.clear();
        self.variant = 0;
        self.settle();
        let offers = self.alternatives();
        let mut meant = held.into_iter().filter(|pick| offers.contains(pick));
        // The castle can move in two directions; the player has yet to choose one.
        if let (Some(only), None) = (meant.next(), meant.next()) {
            self.pick(only);
        }
        true
    }

    /// Whether a piece can be chosen now, before an intent.
    pub fn is_piece_first(&self) -> bool {
        self.intent.is_none() && !self.is_empty()
    }

    /// Chooses a piece before an intent; `piece` is every pick that refers to it. Returns whether it has an intent.
    pub fn hold(&mut self, piece: &[Pick]) -> bool {
        if !self.is_piece_first() || self.intents_for(piece).is_empty() {
            return false;
        }
        self.held = piece.to_vec();
        true
    }

    /// The piece chosen before an intent, as every pick that refers to it; empty if there is none.
    pub fn held(&self) -> &[Pick] {
        &self.held
    }

    /// The intents available for a piece, without duplicates.
    pub fn intents_for(&self, piece: &[Pick]) -> Vec<Intent> {
        let mut list = Vec::new();
        for (intent, picks, _) in &self.options {
            if picks.iter().any(|p| piece.contains(p)) && !list.contains(intent) {
                list.push(*intent);
            }
        }
        list
    }

    /// The intents available for the held piece.
    pub fn intents_for_held(&self) -> Vec<Intent> {
        self.intents_for(&self.held)
    }

    /// Every pick on the board that has an intent.
    pub fn pieces(&self) -> Vec<Pick> {
        let mut list = Vec::new();
        for pick in self.options.iter().flat_map(|(_, picks, _)| picks) {
            let on_board = matches!(pick, Pick::Wizard(..) | Pick::Tower(_));
            if on_board && !list.contains(pick) {
                list.push(*pick);
            }
        }
        list
    }

    /// What can be chosen on the board now: pieces for the current intent, or any piece if there is none.
    pub fn targets(&self) -> Vec<Pick> {
        if self.is_piece_first() {
            self.pieces()
        } else {
            self.alternatives()
        }
    }

    /// The decision with the hovered item applied; `None` if hovering changes nothing. A pending action is kept.
    pub fn with(&self, hover: &Hover) -> Option<Choice> {
        if self.pending().is_some() {
            return None;
        }
        let mut choice = self.clone();
        let changed = match hover {
            Hover::Intent(intent) => choice.intent != Some(*intent) && choice.begin(*intent),
            Hover::Piece(piece) => {
                let offers = choice.alternatives();
                let only = piece.iter().find(|p| offers.contains(p));
                only.is_some_and(|&pick| choice.pick(pick)) || choice.hold(piece)
            }
        };
        changed.then_some(choice)
    }

    /// Whether every option of the intent needs exactly one pick.
    pub fn takes_one_pick(&self) -> bool {
        let mut of_intent = self.options.iter().filter(|o| Some(o.0) == self.intent);
        of_intent.all(|(_, picks, _)| picks.len() == 1)
    }

    /// The possible next picks.
    pub fn offers(&self) -> Vec<Pick> {
        let mut list = Vec::new();
        for (_, picks, _) in self.matching() {
            for pick in picks {
                if !self.picks.contains(pick) && !list.contains(pick) {
                    list.push(*pick);
                }
            }
        }
        list
    }

    /// Every pick of the current intent, including those that would replace the current one.
    pub fn alternatives(&self) -> Vec<Pick> {
        let mut list = Vec::new();
        for (intent, picks, _) in &self.options {
            for pick in picks.iter().filter(|_| Some(*intent) == self.intent) {
                if !list.contains(pick) {
                    list.push(*pick);
                }
            }
        }
        list
    }

    /// Makes a pick and returns whether it is possible. A pick that does not fit the earlier ones replaces them.
    pub fn pick(&mut self, pick: Pick) -> bool {
        if self.picks.contains(&pick) {
            return true;
        }
        if !self.offers().contains(&pick) {
            if !self.alternatives().contains(&pick) {
                return false;
            }
            self.picks.clear();
        }
        self.variant = 0;
        self.picks.push(pick);
        true
    }

    /// The actions that match all picks; more than one if a detail is open, such as Piggyback.
    pub fn variants(&self) -> Vec<Action> {
        self.matching()
            .filter(|(_, picks, _)| picks.len() == self.picks.len())
            .map(|&(_, _, action)| action)
            .collect()
    }

    /// Selects one of the variants.
    pub fn vary(&mut self, variant: usize) {
        self.variant = variant;
    }

    /// The index of the selected variant.
    pub fn variant(&self) -> usize {
        self.variant
    }

    /// The action that awaits confirmation.
    pub fn pending(&self) -> Option<Action> {
        let variants = self.variants();
        variants.get(self.variant).or(variants.first()).copied()
    }

    fn matching(&self) -> impl Iterator<Item = &(Intent, Vec<Pick>, Action)> {
        self.options.iter().filter(|(intent, picks, _)| {
            Some(*intent) == self.intent && self.picks.iter().all(|p| picks.contains(p))
        })
    }

    /// Picks nothing or the die if that is the only option.
    fn settle(&mut self) {
        let offers = self.offers();
        if let [only @ (Pick::Nothing | Pick::Dice)] = offers[..] {
            self.picks.push(only);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use towers_rules::{Direction, Space, Spell, Tower};

    fn choice(texts: &[&str]) -> Choice {
        let legal: Vec<Action> = texts.iter().map(|t| t.parse().unwrap()).collect();
        Choice::new(&legal, Colour::Blue)
    }

    fn space(n: u8) -> Space {
        Space::new(n).unwrap()
    }

    #[test]
    fn a_card_then_a_piece_is_an_action() {
        let mut it = choice(&["w1t5:w3", "w1t5:tC", "w2:w3", "refresh:-", "refresh:tA"]);
        assert_eq!(it.pending(), None);
        assert!(it.begin(Intent::Card("w1t5".parse().unwrap())));
        assert_eq!(it.offers().len(), 2);
        assert!(it.pick(Pick::Tower(Tower::from_letter('C').unwrap())));
        assert_eq!(it.pending(), Some("w1t5:tC".parse().unwrap()));
        // Picking another piece for the same card replaces the first.
        assert!(it.pick(Pick::Wizard(space(3), Colour::Blue)));
        assert_eq!(it.pending(), Some("w1t5:w3".parse().unwrap()));
        assert!(!it.pick(Pick::Tower(Tower::from_letter('A').unwrap())));
    }

    #[test]
    fn piggyback_is_a_variant_of_the_same_move() {
        let mut it = choice(&["w3:w5", "w3:w5+"]);
        it.begin(Intent::Card("w3".parse().unwrap()));
        it.pick(Pick::Wizard(space(5), Colour::Blue));
        assert_eq!(it.variants().len(), 2);
        assert_eq!(it.pending(), Some("w3:w5".parse().unwrap()));
        it.vary(1);
        assert_eq!(it.pending(), Some("w3:w5+".parse().unwrap()));
    }

    #[test]
    fn a_swap_is_picked_in_either_order() {
        let mut it = choice(&["SW:3,7", "SW:3,9", "SW:7,9"]);
        it.begin(Intent::Spell(Spell::SwapTowers));
        it.pick(Pick::Space(space(9)));
        assert_eq!(it.pending(), None);
        assert_eq!(it.offers(), [Pick::Space(space(3)), Pick::Space(space(7))]);
        it.pick(Pick::Space(space(3)));
        assert_eq!(it.pending(), Some("SW:3,9".parse().unwrap()));
    }

    #[test]
    fn the_only_possible_pick_is_made_automatically() {
        let mut it = choice(&["w3:-", "t??"]);
        it.begin(Intent::Card("w3".parse().unwrap()));
        assert_eq!(it.pending(), Some("w3:-".parse().unwrap()));
        it.begin(Intent::Card("t??".parse().unwrap()));
        assert_eq!(it.pending(), Some("t??".parse().unwrap()));
        let rolled = choice(&["reroll", ":w5", ":tC"]);
        assert_eq!(rolled.intent(), Some(Intent::Roll));
    }

    #[test]
    fn a_piece_then_a_card_is_an_action() {
        let mut it = choice(&[
            "w1t5:w3",
            "w1t5:tC",
            "w2:w3",
            "t2:tC",
            "t2:tA",
            "AT:A",
            "refresh:tA",
        ]);
        let wizard = Pick::Wizard(space(3), Colour::Blue);
        let tower = |letter| Pick::Tower(Tower::from_letter(letter).unwrap());
        let card = |text: &str| Intent::Card(text.parse().unwrap());
        assert_eq!(it.targets(), [wizard, tower('C'), tower('A')]);
        assert!(it.hold(&[wizard]));
        assert_eq!(it.intents_for_held(), [card("w1t5"), card("w2")]);
        assert_eq!(it.pending(), None);
        // Another piece replaces it.
        assert!(it.hold(&[tower('A'), Pick::Space(space(4))]));
        let spell = Intent::Spell(Spell::AdvanceTower);
        assert_eq!(it.intents_for_held(), [card("t2"), spell, Intent::Refresh]);
        assert!(it.begin(card("t2")));
        assert_eq!(it.pending(), Some("t2:tA".parse().unwrap()));
        assert!(it.held().is_empty());
        // A card that cannot move the held piece can still be played.
        it.reset();
        assert!(it.hold(&[tower('A')]));
        assert!(it.begin(card("w2")));
        assert_eq!((it.pending(), it.offers()), (None, vec![wizard]));
        // Once a card is chosen, pieces are picked for it.
        assert!(!it.hold(&[tower('A')]));
        it.reset();
        assert!(!it.hold(&[tower('I')]));
        assert!(it.held().is_empty());
    }

    #[test]
    fn hovering_previews_and_chooses_nothing() {
        let mut it = choice(&["w1t5:w3", "w1t5:tC", "w2:w3"]);
        let wizard = Pick::Wizard(space(3), Colour::Blue);
        let card = Intent::Card("w1t5".parse().unwrap());
        let lit = it.with(&Hover::Intent(card)).unwrap();
        assert_eq!((lit.offers().len(), it.intent()), (2, None));
        let held = it.with(&Hover::Piece(vec![wizard])).unwrap();
        assert_eq!(held.intents_for_held().len(), 2);
        it.begin(card);
        let seen = it.with(&Hover::Piece(vec![wizard])).unwrap();
        assert_eq!(seen.pending(), Some("w1t5:w3".parse().unwrap()));
        assert_eq!(it.pending(), None);
        let elsewhere = Hover::Piece(vec![Pick::Tower(Tower::from_letter('I').unwrap())]);
        assert_eq!(it.with(&elsewhere), None);
        // A pointer on its way to the button does not hide the pending action.
        it.pick(wizard);
        assert_eq!(it.with(&Hover::Intent(card)), None);
    }

    #[test]
    fn a_topmost_tower_is_also_the_top_of_its_space() {
        let mut it = choice(&["SW:3,7", "SW:3,9", "NC:+", "NC:-"]);
        assert!(it.hold(&[
            Pick::Tower(Tower::from_letter('B').unwrap()),
            Pick::Space(space(3))
        ]));
        assert!(it.begin(Intent::Spell(Spell::SwapTowers)));
        assert_eq!(it.picks(), [Pick::Space(space(3))]);
        assert!(!it.takes_one_pick());
        it.reset();
        let castle = [Direction::Clockwise, Direction::CounterClockwise].map(Pick::Direction);
        assert!(it.hold(&castle));
        assert!(it.begin(Intent::Spell(Spell::NudgeCastle)));
        assert_eq!((it.picks(), it.takes_one_pick()), (&[][..], true));
    }
}
