//! Previews of links in chats.
mod painter;
mod picture;
mod plain_svg;

#[cfg(test)]
mod try_out {
    use super::picture::*;
    use towers_art::Scene;
    use towers_rules::Colour;
    #[test]
    fn try_it() {
        let t = std::time::Instant::now();
        let mut board = Scene::new("-/yH/-/byDr/-/CbEAyF/byr/-/B/Gbyrggo/-/p/I*/-/g/y".parse().unwrap());
        board.middle.draw = 41;
        board.middle.die = 5;
        let names = ["Ann", "Bertram der Große", "Cléo", "Dag", "Evangeline Lilly", "Ф"];
        let seats = names.iter().zip(Colour::ALL).enumerate().map(|(i, (name, colour))| SeatLabel { colour, name: name.to_string(), other: "Purple".into(), is_free: i == 3, is_marked: i == 1 }).collect();
        let p = Picture { board, title: "Ann, Bertram and Cléo play".into(), state: "Against each other · Capstone · Ann to move".into(), seats };
        let d = p.drawing().unwrap();
        std::fs::write("/tmp/d21/share-try.svg", &d).unwrap();
        println!("drawing {} bytes {:?}", d.len(), t.elapsed());
        let t = std::time::Instant::now();
        let png = Picture::paint(&d).unwrap();
        println!("first {} bytes {:?}", png.len(), t.elapsed());
        let t = std::time::Instant::now();
        Picture::paint(&d).unwrap();
        println!("second {:?}", t.elapsed());
        std::fs::write("/tmp/d21/share-try.png", png).unwrap();
    }
}
