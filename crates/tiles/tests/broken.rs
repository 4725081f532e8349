//! Broken files and the messages that they give, one mistake each.

use trencavel_tiles::{MAX_FILE, TileFile};

/// A right file of 12 lines, in which each test breaks something.
const RIGHT: &str = r#"slug = "mine"
prefix = "MY"
[[set]]
id = "mine:1"
[set.tiles]
"MY/RCr" = 2
[[tile]]
id = "MY/RCr"
names = ["gate"]
segments = [
"city N", "road E W", "field EL WR | touches N", "field ER SL SR WL"]
symbols = ["volcano"]
"#;

/// Replaces one text by another in the right file and compares all the errors.
fn check(from: &str, to: &str, expected: &str) {
    assert!(RIGHT.contains(from), "{from} is not in the file");
    check_file(&RIGHT.replacen(from, to, 1), expected);
}

fn check_file(text: &str, expected: &str) {
    let errors = TileFile::read("f.toml", text.as_bytes()).expect_err("the file is broken");
    assert_eq!(errors.to_string(), expected, "in\n{text}");
}

/// A file with one tile that has these segments, all in line 5.
fn check_segments(segments: &str, expected: &str) {
    let text =
        format!("slug = \"m\"\nprefix = \"M\"\n[[tile]]\nid = \"M/T\"\nsegments = [{segments}]\n");
    check_file(&text, expected);
}

#[test]
fn the_right_file_is_read() {
    let file = TileFile::read("f.toml", RIGHT.as_bytes()).unwrap();
    assert_eq!(file.set("mine:1").unwrap().total(), 2);
    assert_eq!(file.tile("MY/RCr").unwrap().code(), "CRFR");
}

#[test]
fn a_file_is_toml_of_the_right_form() {
    check(
        "slug = \"mine\"",
        "slug = mine\"",
        "f.toml:1: missing opening quote, expected `\"`",
    );
    check("names =", "nams =", UNKNOWN_KEY);
    check("slug = \"mine\"\n", "", "f.toml:1: missing field `slug`");
    check(
        "= 2",
        "= \"two\"",
        "f.toml:6: invalid type: string \"two\", expected i64",
    );
    check("= 2", "= 2\n\"MY/RCr\" = 3", "f.toml:7: duplicate key");
}

const UNKNOWN_KEY: &str = "f.toml:9: unknown field `nams`, expected one of `id`, `names`, `segments`, `symbols`, `group`, \
     `limit`, `quadrants`, `wall`, `fits`";

#[test]
fn a_file_is_bounded_and_utf8() {
    let large = vec![b'#'; MAX_FILE + 1];
    let errors = TileFile::read("f.toml", &large).unwrap_err();
    assert_eq!(errors.to_string(), "f.toml:1: larger than 1048576 bytes");
    let errors = TileFile::read("f.toml", b"slug = \"\xff\"").unwrap_err();
    assert_eq!(errors.to_string(), "f.toml:1: not UTF-8");
}

#[test]
fn ids_and_names_have_their_form() {
    check(
        "slug = \"mine\"",
        "slug = \"My Tiles\"",
        "f.toml:1: `My Tiles` is no slug",
    );
    check("prefix = \"MY\"", "prefix = \"\"", EMPTY_PREFIX);
    check(
        "\"gate\"",
        "\"a gate\"",
        "f.toml:9: MY/RCr: `a gate` is no name",
    );
    check(
        "names",
        "group = \"River\"\nnames",
        "f.toml:9: MY/RCr: `River` is no group",
    );
    check(
        "id = \"MY/RCr\"",
        "id = \"YM/RCr\"",
        "f.toml:6: mine:1: no tile MY/RCr is known\n\
         f.toml:8: YM/RCr: the id does not begin with the prefix of the file and `/` or `.`",
    );
}

const EMPTY_PREFIX: &str = "f.toml:2: `` is no prefix\n\
     f.toml:8: MY/RCr: the id does not begin with the prefix of the file and `/` or `.`";

#[test]
fn nothing_is_there_twice() {
    let tile = RIGHT.split_at(RIGHT.find("[[tile]]").unwrap()).1;
    let twice = format!("{RIGHT}{tile}");
    check_file(
        &twice,
        "f.toml:14: MY/RCr: the tile MY/RCr is there twice\nf.toml:15: MY/RCr: the name gate is there twice",
    );
    check(
        "\"gate\"",
        "\"gate\", \"gate\"",
        "f.toml:9: MY/RCr: the name gate is there twice",
    );
    let set = "[[set]]\nid = \"mine:1\"\ntiles = { \"MY/RCr\" = 1 }\n";
    check_file(
        &format!("{RIGHT}{set}"),
        "f.toml:14: mine:1: the set mine:1 is there twice",
    );
    check(
        "\"volcano\"",
        "\"volcano\", \"volcano\"",
        "f.toml:8: MY/RCr: the symbol `volcano` is named twice",
    );
}

#[test]
fn a_set_has_known_tiles_in_sensible_numbers() {
    check(
        "\"MY/RCr\" = 2",
        "\"MY/Rr\" = 2",
        "f.toml:6: mine:1: no tile MY/Rr is known",
    );
    check(
        "= 2",
        "= 0",
        "f.toml:6: mine:1: 0 is not a number from 1 to 99",
    );
    check(
        "= 2",
        "= -7",
        "f.toml:6: mine:1: -7 is not a number from 1 to 99",
    );
    check(
        "\"MY/RCr\" = 2\n",
        "",
        "f.toml:4: mine:1: the set has no tiles",
    );
}

#[test]
fn symbols_quadrants_walls_and_fits_are_known() {
    check(
        "\"volcano\"",
        "\"vulcano\"",
        "f.toml:12: MY/RCr: `vulcano` is no symbol",
    );
    check(
        "\"volcano\"",
        "\"wind-rose N\"",
        "f.toml:12: MY/RCr: `wind-rose N` is no symbol",
    );
    check(
        "\"volcano\"",
        "\"crop-circle river\"",
        "f.toml:12: MY/RCr: `crop-circle river` is no symbol",
    );
    check(
        "symbols = [\"volcano\"]",
        "quadrants = [\"city\", \"road\", \"field\"]",
        "f.toml:12: MY/RCr: quadrants are four of city, road, field, monastery",
    );
    check(
        "symbols = [\"volcano\"]",
        "wall = \"NX\"",
        "f.toml:12: MY/RCr: `NX` is no half of a side, or is named twice",
    );
    check(
        "symbols = [\"volcano\"]",
        "fits = \"nothing\"",
        "f.toml:12: MY/RCr: a tile can fit `anything`, not `nothing`",
    );
    check(
        "symbols = [\"volcano\"]",
        "fits = \"anything\"",
        "f.toml:8: MY/RCr: a tile that fits anything has nothing on its border",
    );
}

#[test]
fn a_segment_begins_with_a_kind_and_its_places() {
    check(
        "\"city N\"",
        "\"town N\"",
        "f.toml:11: MY/RCr: `town N`: `town` is no kind of segment",
    );
    check(
        "\"city N\"",
        "\"\"",
        "f.toml:11: MY/RCr: ``: `` is no kind of segment",
    );
    check(
        "\"city N\"",
        "\"city\"",
        "f.toml:11: MY/RCr: `city`: a city needs a side",
    );
    check(
        "\"city N\"",
        "\"city n\"",
        "f.toml:11: MY/RCr: `city n`: a city has sides (N E S W), not `n`",
    );
    check(
        "\"city N\"",
        "\"city N N\"",
        "f.toml:11: MY/RCr: `city N N`: N is named twice",
    );
    check(
        "\"city N\"",
        "\"garden N\"",
        "f.toml:11: MY/RCr: `garden N`: a garden is not on the border, so not on `N`",
    );
    check(
        "\"field ER SL SR WL\"",
        "\"field\"",
        "f.toml:11: MY/RCr: `field`: a field needs a half of a side, or `inner`",
    );
    check(
        "\"field ER SL SR WL\"",
        "\"field S\"",
        "f.toml:11: MY/RCr: `field S`: a field has halves of sides (NL NR EL ER SL SR WL WR) or is `inner`, not `S`",
    );
}

#[test]
fn marks_are_known_and_go_with_their_segment() {
    check(
        "\"city N\"",
        "\"city N | \"",
        "f.toml:11: MY/RCr: `city N | `: a mark is missing after `|` or `,`",
    );
    check(
        "\"city N\"",
        "\"city N | penant\"",
        "f.toml:11: MY/RCr: `city N | penant`: `penant` is no mark",
    );
    check("\"city N\"", "\"city N | pennants 1\"", PENNANTS);
    check(
        "\"city N\"",
        "\"city N | inn\"",
        "f.toml:11: MY/RCr: `city N | inn`: a city cannot have `inn`",
    );
    check(
        "\"city N\"",
        "\"city N | wine, wine\"",
        "f.toml:11: MY/RCr: `city N | wine, wine`: `wine` is named twice",
    );
    check("\"road E W\"", "\"road E W | touches N\"", ROAD_TOUCHES);
    check(
        "\"city N\"",
        "\"city N | to X\"",
        "f.toml:11: MY/RCr: `city N | to X`: `to X`: the word wants points of the border",
    );
    check(
        "\"city N\"",
        "\"city N | link 1\"",
        "f.toml:11: MY/RCr: `city N | link 1`: `link 1`: the word wants small letters",
    );
    check_segments(
        r#""city N E | no-castle", "field SL SR WL WR | touches N""#,
        "f.toml:5: M/T: `city N E | no-castle`: `no-castle` does not agree with its sides",
    );
}

const PENNANTS: &str = "f.toml:11: MY/RCr: `city N | pennants 1`: `pennants 1` is no mark";
const ROAD_TOUCHES: &str =
    "f.toml:11: MY/RCr: `road E W | touches N`: a road cannot have `touches`";

#[test]
fn the_border_is_covered_exactly_once() {
    check(
        "\"field ER SL SR WL\"",
        "\"field ER SL SR\"",
        "f.toml:8: MY/RCr: nothing is on WL",
    );
    check(
        "\"field ER SL SR WL\"",
        "\"field EL ER SL SR WL\"",
        "f.toml:11: MY/RCr: `field EL ER SL SR WL`: another field, or a wall, is on EL as well",
    );
    check(
        "\"field ER SL SR WL\"",
        "\"field NL ER SL SR WL\"",
        "f.toml:11: MY/RCr: `field NL ER SL SR WL`: NL belongs to the city on side N",
    );
    check(
        "\"road E W\"",
        "\"road N E W\"",
        "f.toml:11: MY/RCr: `road N E W`: another segment is on side N as well",
    );
}

#[test]
fn what_a_field_touches_follows_from_the_border() {
    check(
        " | touches N",
        "",
        "f.toml:11: MY/RCr: `field EL WR`: lies beside `city N`, but does not say that it touches it",
    );
    check(
        "SR WL\"",
        "SR WL | touches N\"",
        "f.toml:11: MY/RCr: `field ER SL SR WL | touches N`: does not lie beside `city N`",
    );
    check(
        "SR WL\"",
        "SR WL | reaches N\"",
        "f.toml:11: MY/RCr: `field ER SL SR WL | reaches N`: is cut off from `city N`",
    );
    check(
        "touches N",
        "reaches N",
        "f.toml:11: MY/RCr: `field EL WR | reaches N`: lies beside `city N`, so it `touches` it",
    );
    check(
        "SR WL\"",
        "SR WL | across N\"",
        "f.toml:11: MY/RCr: `field ER SL SR WL | across N`: `city N` passes neither over nor under anything",
    );
    check(
        "touches N",
        "touches S",
        "f.toml:11: MY/RCr: `field EL WR | touches S`: no city is on side S",
    );
    check(
        "touches N",
        "touches N N",
        "f.toml:11: MY/RCr: `field EL WR | touches N N`: the city on side N is named twice",
    );
}

#[test]
fn fields_are_parted_and_ways_do_not_cross() {
    check_segments(
        r#""city N", "field EL ER SL SR | touches N", "field WL WR | touches N""#,
        "f.toml:5: M/T: `field WL WR | touches N`: two fields meet at SW, and nothing parts them",
    );
    check_segments(
        r#""city N | to SW SE", "field EL ER SL SR | touches N", "field WL WR | touches N""#,
        "f.toml:5: M/T: `city N | to SE SW`: the city parts no fields at SE",
    );
    check_segments(
        r#""city N | to E", "road E", "field EL ER SL SR WL WR | touches N""#,
        "f.toml:5: M/T: `city N | to E`: something else is at E",
    );
    check_segments(
        r#""city N", "city S", "road E", "road W", "field EL | touches N", "field ER | touches S, reaches N", "field WL | touches S, reaches N", "field WR | touches N, reaches S""#,
        "f.toml:5: M/T: `field WL | touches S, reaches N`: the way to `city N` crosses another way or link\n\
         f.toml:5: M/T: `field WR | touches N, reaches S`: the way to `city S` crosses another way or link",
    );
    check_segments(
        r#""city N W | link a", "city S", "road E | link a", "field EL | touches N, reaches S", "field ER | touches S""#,
        "f.toml:5: M/T: `field EL | touches N, reaches S`: the way to `city S` crosses another way or link",
    );
}

#[test]
fn segments_cross_only_over_or_under() {
    check_segments(
        r#""road N S", "road E W", "field NL WR", "field NR EL", "field ER SL", "field SR WL""#,
        "f.toml:5: M/T: `road E W`: crosses `road N S`, so one must pass `over` or `under`",
    );
    check_segments(
        r#""road N S | over", "field NL WL WR SR", "field NR EL ER SL""#,
        "f.toml:5: M/T: `road N S | over`: passes over or under, but crosses nothing",
    );
}

#[test]
fn enclosed_fields_fill_a_place() {
    check_segments(
        r#""city N E S W", "field inner | touches N""#,
        "f.toml:5: M/T: `field inner | touches N`: no place is enclosed by just the cities that it touches",
    );
    check_segments(
        r#""city N", "city E S W", "field inner | touches N E", "field inner | touches N E""#,
        "f.toml:5: M/T: `field inner | touches N E`: no place is enclosed by just the cities that it touches",
    );
}

#[test]
fn links_join_what_comes_together() {
    check(
        "\"road E W\"",
        "\"road E W | link a\"",
        "f.toml:11: MY/RCr: `road E W | link a`: no other segment has the link a",
    );
    check_segments(
        r#""city N | link a", "river E W", "road S | link a", "field EL WR | touches N", "field ER SL", "field SR WL""#,
        "f.toml:5: M/T: `city N | link a`: the link a leads to a segment that it is cut off from\n\
         f.toml:5: M/T: `road S | link a`: the link a leads to a segment that it is cut off from",
    );
    check(
        "SR WL\"",
        "SR WL | link a\"",
        "f.toml:11: MY/RCr: `field ER SL SR WL | link a`: a field has no links",
    );
}

#[test]
fn all_mistakes_of_a_file_are_told_in_order_up_to_a_bound() {
    let mut text = RIGHT.to_owned();
    for i in 0..100 {
        text += &format!("[[tile]]\nid = \"MY/{i}\"\n");
    }
    let errors = TileFile::read("f.toml", text.as_bytes()).unwrap_err();
    assert_eq!(errors.0.len(), trencavel_tiles::MAX_ERRORS);
    assert!(errors.0.is_sorted_by_key(|error| error.line));
}
