//! The first game is played to its end in every language.

use towers_rules::{Action, Actions, Actor, Event, Viewer};
use towers_study::texts::Texts;
use towers_study::tutorial::{
    LEARNER, Lesson, LessonVerdict, PointerKind, fit_pointer, steps, text,
};

const FILES: [&str; 3] = [
    include_str!("../texts/tutorial.en.txt"),
    include_str!("../texts/tutorial.de.txt"),
    include_str!("../texts/tutorial.fr.txt"),
];

#[test]
fn the_first_game_is_played_to_its_end_in_every_language() {
    for file in FILES {
        let texts = Texts::read(file);
        let mut lesson = Lesson::new();
        let mut done = 0;
        while let Some(name) = lesson.name() {
            let said = text(&texts, name).unwrap_or_else(|| panic!("no text for {name}"));
            assert!(!said.title.is_empty() && said.text.len() > 20);
            match lesson.expected() {
                Some(action) => {
                    assert!(said.wrong.is_some(), "{name}: wrong taps are explained");
                    assert_eq!(lesson.state().actor(), Actor::Player(LEARNER), "{name}");
                    assert!(lesson.state().is_legal(LEARNER, action), "{name}: {action}");
                    assert_eq!(lesson.act(action), LessonVerdict::Right);
                }
                None => lesson.read_on(),
            }
            done += 1;
            assert!(done <= Lesson::steps());
        }
        assert!(lesson.is_over());
        let outcome = lesson.state().outcome().expect("the last step wins");
        assert!(outcome.winners.contains(LEARNER) && outcome.winners.len() == 1);
        let known: Vec<&str> = steps().collect();
        for key in texts.keys() {
            let name = key.split('.').next().unwrap();
            assert!(known.contains(&name), "no step uses {key}");
        }
    }
}

#[test]
fn everything_a_beginner_needs_happens_once() {
    let mut lesson = Lesson::new();
    let mut events = Vec::new();
    while lesson.advance() {
        events.extend(lesson.take_events());
    }
    let happens = |what: fn(&Event) -> bool| events.iter().any(what);
    assert!(happens(|e| matches!(
        e,
        Event::WizardMoved { onto: Some(_), .. }
    )));
    assert!(happens(|e| matches!(e, Event::TowerMoved { .. })));
    assert!(happens(
        |e| matches!(e, Event::Imprisoned { seat, .. } if *seat == LEARNER)
    ));
    assert!(happens(
        |e| matches!(e, Event::Imprisoned { seat, .. } if *seat != LEARNER)
    ));
    assert!(happens(
        |e| matches!(e, Event::Uncovered { wizards, .. } if !wizards.is_empty())
    ));
    assert!(happens(|e| matches!(e, Event::FlaskFilled { .. })));
    assert!(happens(|e| matches!(e, Event::Rolled { .. })));
    assert!(happens(|e| matches!(e, Event::SpellCast { .. })));
    assert!(happens(|e| matches!(e, Event::CastleMoved { .. })));
    assert!(happens(|e| matches!(e, Event::Over { .. })));
}

#[test]
fn dice_cards_with_two_and_three_dice_are_seen_when_they_are_explained() {
    let mut lesson = Lesson::new();
    let mut explained = Vec::new();
    while !lesson.is_over() {
        let hand = lesson.state().view(Viewer::Seat(LEARNER)).hand;
        let dice = hand.iter().flatten().map(|card| card.dice()).max();
        if let (Some("roll" | "three"), Some(dice)) = (lesson.name(), dice) {
            explained.push(dice);
        }
        lesson.advance();
    }
    assert_eq!(explained, [2, 3]);
}

#[test]
fn any_other_action_is_explained_and_changes_nothing() {
    let mut lesson = Lesson::new();
    let mut list = Actions::new();
    let mut others = 0;
    while !lesson.is_over() {
        if let Some(expected) = lesson.expected() {
            let before = *lesson.state();
            before.legal_actions_into(&mut list);
            let wrong: Vec<Action> = list.iter().filter(|&a| a != expected).collect();
            others += wrong.len();
            for action in wrong {
                assert_eq!(
                    lesson.act(action),
                    LessonVerdict::Wrong(lesson.name().unwrap())
                );
                assert_eq!(*lesson.state(), before);
            }
        } else {
            assert_eq!(lesson.act(Action::End), LessonVerdict::NotNow);
        }
        lesson.advance();
    }
    assert!(others > 50);
}

#[test]
fn a_lesson_goes_on_where_it_stopped() {
    for step in 0..Lesson::steps() {
        let mut walked = Lesson::new();
        for _ in 0..step {
            walked.advance();
        }
        let lesson = Lesson::at(step);
        assert_eq!((lesson.step(), lesson.name()), (step, walked.name()));
        assert_eq!(lesson.state(), walked.state());
    }
    assert_eq!(Lesson::at(99).step(), 0);
}

#[test]
fn a_text_speaks_of_the_pointer_the_learner_has() {
    let text = "Play it: [tap|click] the card, then [tap|click on] the wizard.";
    assert_eq!(
        fit_pointer(text, PointerKind::Finger),
        "Play it: tap the card, then tap the wizard."
    );
    assert_eq!(
        fit_pointer(text, PointerKind::Mouse),
        "Play it: click the card, then click on the wizard."
    );
    for file in FILES {
        assert!(file.contains('['), "some steps name the pointer");
        for pointer in [PointerKind::Finger, PointerKind::Mouse] {
            let fitted = fit_pointer(file, pointer);
            assert!(!fitted.contains(['[', ']', '|']), "{fitted}");
        }
    }
}

#[test]
fn the_last_round_is_played_out_and_dice_are_rolled_again() {
    let mut lesson = Lesson::new();
    let mut rolls = 0;
    while lesson.name() != Some("round") {
        assert!(lesson.advance(), "the last round is told of");
        let events = lesson.take_events();
        rolls += events
            .iter()
            .filter(|e| matches!(e, Event::Rolled { .. }))
            .count();
    }
    assert_eq!(rolls, 2, "a card with two dice is rolled twice");
    assert!(lesson.state().outcome().is_none(), "R11.2");
    lesson.advance();
    assert!(lesson.state().outcome().is_some());
}
