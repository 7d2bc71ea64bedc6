//! Requests and responses as the page writes and reads them.

use std::time::Duration;

use towers_client::worker::{
    Decision, DecisionRequest, Job, JobRequest, JobResponse, JobResult, Task,
};
use towers_rules::{Seat, Viewer, examples};
use towers_study::puzzle::book;
use towers_table::BotLevel;

use crate::bots::Bots;
use crate::respond_with;

fn request(bots: &mut Bots, job: Job) -> JobResult {
    let request = serde_json::to_string(&JobRequest { id: 7, job }).unwrap();
    let response = respond_with(bots, &|| Duration::ZERO, &request).unwrap();
    let JobResponse { id, result } = serde_json::from_str(&response).unwrap();
    assert_eq!(id, 7);
    result
}

fn opening(task: Task) -> (towers_rules::State, DecisionRequest) {
    let state = examples::opening();
    let seat = state.active();
    let position = DecisionRequest {
        task,
        game: "a".into(),
        seat,
        level: BotLevel::Novice,
        fresh: true,
        view: state.view(Viewer::Seat(seat)),
        events: Vec::new(),
        millis: 0,
    };
    (state, position)
}

#[test]
fn a_bot_answers_with_a_legal_action() {
    let (state, position) = opening(Task::Act);
    let seat = position.seat;
    let result = request(&mut Bots::default(), Job::Decide(Box::new(position)));
    let JobResult::Decision(Decision { action, hints }) = result else {
        panic!("{result:?}")
    };
    assert!(state.is_legal(seat, action.unwrap()));
    assert!(hints.is_empty());
}

#[test]
fn hints_are_legal_and_sorted_with_a_chance_to_win() {
    let (state, position) = opening(Task::Hint);
    let seat = position.seat;
    let result = request(&mut Bots::default(), Job::Decide(Box::new(position)));
    let JobResult::Decision(Decision { action, hints }) = result else {
        panic!("{result:?}")
    };
    assert_eq!(action, None);
    assert!((1..=3).contains(&hints.len()));
    assert!(hints.iter().all(|h| state.is_legal(seat, h.action)));
    assert!(hints.windows(2).all(|two| two[0].win >= two[1].win));
    assert!(hints[0].win.is_some_and(|chance| chance <= 100));
}

#[test]
fn a_bot_of_a_new_game_drops_those_of_the_old_one() {
    let mut bots = Bots::default();
    for game in ["a", "a", "b"] {
        for seat in [0, 1] {
            let (state, mut position) = opening(Task::Act);
            position.game = game.into();
            position.seat = Seat(seat);
            position.view = state.view(Viewer::Seat(Seat(seat)));
            position.task = Task::Offer;
            request(&mut bots, Job::Decide(Box::new(position)));
        }
    }
    assert_eq!(bots.games(), ["b"]);
}

#[test]
fn the_solver_confirms_the_number_of_solutions() {
    let puzzle = book().remove(0);
    let line = puzzle.to_string();
    let job = Job::SolvePuzzle { puzzle: line };
    let JobResult::Solutions(Some(solutions)) = request(&mut Bots::default(), job) else {
        panic!()
    };
    assert_eq!(solutions.len() as u32, puzzle.solutions);
    assert_eq!(solutions[0].len() as u32, puzzle.actions);
}

#[test]
fn malformed_requests_get_no_result() {
    let puzzle = "no puzzle".to_string();
    let result = request(&mut Bots::default(), Job::SolvePuzzle { puzzle });
    assert!(matches!(result, JobResult::Solutions(None)));
    for text in ["{}", r#"{"id":7,"job":{"evaluate":{"replay":{}}}}"#] {
        let refused = respond_with(&mut Bots::default(), &|| Duration::ZERO, text);
        assert!(refused.is_err(), "{text}");
    }
}
