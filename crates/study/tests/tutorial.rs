//! The first game is walked to its end in every language.

use rules::{Action, Actions, Actor, Event};
use study::texts::Texts;
use study::tutorial::{Answer, LEARNER, Lesson, steps, text};

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
                    assert_eq!(lesson.act(action), Answer::Right);
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
            assert!(known.contains(&name), "nobody says {key}");
        }
    }
}

#[test]
fn everything_a_beginner_needs_happens_once() {
    let mut lesson = Lesson::new();
    let mut events = Vec::new();
    while lesson.go_on() {
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
fn whatever_else_is_done_is_answered_and_changes_nothing() {
    let mut lesson = Lesson::new();
    let mut list = Actions::new();
    let mut others = 0;
    while !lesson.is_over() {
        if let Some(expected) = lesson.expected() {
            let before = *lesson.state();
            before.legal_actions(&mut list);
            let wrong: Vec<Action> = list.iter().filter(|&a| a != expected).collect();
            others += wrong.len();
            for action in wrong {
                assert_eq!(lesson.act(action), Answer::Wrong(lesson.name().unwrap()));
                assert_eq!(*lesson.state(), before);
            }
        } else {
            assert_eq!(lesson.act(Action::End), Answer::NotNow);
        }
        lesson.go_on();
    }
    assert!(others > 50);
}

#[test]
fn a_lesson_goes_on_where_it_stopped() {
    for step in 0..Lesson::steps() {
        let mut walked = Lesson::new();
        for _ in 0..step {
            walked.go_on();
        }
        let lesson = Lesson::at(step);
        assert_eq!((lesson.step(), lesson.name()), (step, walked.name()));
        assert_eq!(lesson.state(), walked.state());
    }
    assert_eq!(Lesson::at(99).step(), 0);
}
