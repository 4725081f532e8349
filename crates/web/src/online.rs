//! A table of the server: who sits there, joining, the game, what is said, clocks and agreements.

use leptos::ev::SubmitEvent;
use leptos::html;
use leptos::prelude::*;
use trencavel_art::seat_style;
use trencavel_proto::{
    Absence, Aids, Clock, Enter, Entered, Join, Seated, Stage, Table, What, Wish,
};
use wasm_bindgen_futures::spawn_local;

use crate::http;
use crate::link::{Link, Status, gone_text, remember, secret, setup_of};
use crate::route;
use crate::settings::Settings;
use crate::store;
use crate::table::Table as TableView;
use crate::text::{say, tr};
use crate::words;

/// The answer to a wish: nothing.
#[derive(serde::Deserialize)]
struct Nothing {}

/// A table of the server.
#[component]
pub(crate) fn Online(
    /// The table's id.
    id: String,
    /// The secret of a seat, from a link that moves it here.
    secret: Option<String>,
    settings: RwSignal<Settings>,
) -> impl IntoView {
    let link = Link::new(id.clone(), settings);
    let fault = RwSignal::new(String::new());
    let address = format!("/api/tables/{id}");
    spawn_local(async move {
        if let Some(secret) = secret {
            let entered: Result<Entered, _> = http::post(
                &format!("{address}/enter"),
                &Enter {
                    secret: secret.clone(),
                },
            )
            .await;
            match entered {
                Ok(_) => {
                    remember(&link.id(), &secret);
                    route::replace(&format!("#table={}", link.id()));
                }
                Err(refusal) => fault.set(words::refusal(&refusal)),
            }
        }
        match http::get::<Table>(&address).await {
            Ok(_) => link.connect(),
            Err(refusal) => fault.set(words::refusal(&refusal)),
        }
    });
    on_cleanup(move || link.close());
    let rematch = Callback::new(move |()| link.wish(Wish::Rematch));
    let playing = Memo::new(move |_| {
        matches!(
            link.stage(),
            Some(Stage::Playing | Stage::Over | Stage::Abandoned)
        )
    });
    view! {
        {move || (!fault.get().is_empty()).then(|| view! {
            <main class="page-of-text">
                <h2>{tr("table")}</h2>
                <p class="fault" role="alert">{fault.get()}</p>
                <p><a class="button" href="#online">{tr("to-lobby")}</a></p>
            </main>
        })}
        {move || match (playing.get(), link.desk.get()) {
            _ if !fault.get().is_empty() => ().into_any(),
            (true, Some(desk)) => view! { <TableView desk=desk rematch=rematch/> }.into_any(),
            _ => view! { <Gathering link=link/> }.into_any(),
        }}
    }
}

/// What the connection is doing, when there is something to say.
#[component]
pub(crate) fn State(link: Link) -> impl IntoView {
    view! {
        <p class="notice connection" role="status">
            {move || match link.status.get() {
                Status::Connected => String::new(),
                Status::Connecting | Status::Lost => tr("connecting"),
                Status::Broken => tr("strange-server"),
            }}
        </p>
        <p class="fault" role="alert">{move || link.refused.get()}</p>
    }
}

/// The seats of a table that waits for players.
#[component]
fn Gathering(link: Link) -> impl IntoView {
    let name = RwSignal::new(store::kept(store::NAME).unwrap_or_default());
    let address = move || {
        let here = window().location().href().unwrap_or_default();
        let here = here.split('#').next().unwrap_or("").to_string();
        format!("{here}#table={}", link.id())
    };
    // Takes a seat, the first open one if none is said; who has one already leaves it.
    let sit = move |seat: Option<u8>| {
        let own = link.seats.get_untracked();
        let name = match own.first() {
            Some(seat) => link.name_of(*seat).unwrap_or_default(),
            None => name.get_untracked().trim().to_string(),
        };
        if name.is_empty() {
            link.refused.set(tr("name-first"));
            return;
        }
        store::keep(store::NAME, &name);
        spawn_local(async move {
            let table = format!("/api/tables/{}", link.id());
            if !own.is_empty() {
                let left = http::post::<Nothing>(&format!("{table}/wish"), &Wish::Leave).await;
                if let Err(refusal) = left {
                    link.refused.set(words::refusal(&refusal));
                    return;
                }
            }
            let join = Join {
                name,
                seat,
                invite: None,
            };
            match http::post::<Seated>(&format!("{table}/join"), &join).await {
                // The cookie says who we are from now on.
                Ok(seated) => {
                    link.refused.set(String::new());
                    remember(&link.id(), &seated.secret);
                    link.connect();
                }
                Err(refusal) => link.refused.set(words::refusal(&refusal)),
            }
        });
    };
    let join = move |event: SubmitEvent| {
        event.prevent_default();
        sit(None);
    };
    let open = move || {
        link.table.with(|table| {
            let seats = table.iter().flat_map(|table| &table.seats);
            seats.filter(|seat| seat.name.is_none()).count()
        })
    };
    view! {
        {move || link.table.with(Option::is_none).then(|| view! {
            <main class="page-of-text gathering">
                <h2>{tr("table")}</h2>
                <State link=link/>
                <p><a class="button" href="#online">{tr("to-lobby")}</a></p>
            </main>
        })}
        {move || link.table.get().map(|table| {
            let waits = table.seats.iter().filter(|seat| seat.name.is_none()).count();
            let private = table.private;
            view! {
                <main class="page-of-text gathering">
                    <h2>{if table.name.is_empty() { tr("table") } else { table.name.clone() }}</h2>
                    <State link=link/>
                    <p>{describe(&table)}</p>
                    <p class="row">
                        <label class="link">{tr("invite")}
                            <input type="text" readonly class="address" prop:value=address()/>
                        </label>
                        <Copy text=Signal::derive(address)/>
                    </p>
                    {private.then(|| view! { <p class="quiet">{tr("private-table")}</p> })}
                    <ul class="seats">
                        {(1u8..).zip(&table.seats).map(|(number, seat)| {
                            let style = seat_style(number - 1);
                            let own = link.seats.get().contains(&number);
                            let free = seat.name.is_none() && !seat.kept;
                            let person = seat.name.is_some() && seat.computer.is_none() && !own;
                            view! {
                                <li class="seat" style=format!("--seat:{};--on:{}", style.colour, style.on)>
                                    <span class="badge" title=words::colour(style)>{style.letter.to_string()}</span>
                                    <span>{match (&seat.name, &seat.computer) {
                                        (Some(_), Some(level)) => say("computer", &[("level", words::level(level).into())]),
                                        (Some(name), None) => name.clone(),
                                        (None, _) => tr("seat-open"),
                                    }}</span>
                                    <span class="quiet">{if own { tr("you") } else if person && !seat.here { tr("away") } else { String::new() }}
                                    {free.then(|| view! {
                                        <button aria-label=say("sit-on", &[("n", number.into())]) on:click=move |_| sit(Some(number))>{tr("sit-here")}</button>
                                    })}
                                    {(person && link.host.get()).then(|| view! {
                                        <button on:click=move |_| link.wish(Wish::Remove { seat: number, ban: false })>{tr("free-seat")}</button>
                                    })}
                                    </span>
                                </li>
                            }
                        }).collect_view()}
                    </ul>
                    {move || (link.seats.with(Vec::is_empty) && open() > 0).then(|| view! {
                        <form class="row" on:submit=join>
                            <label>{tr("your-name")}" "
                                <input type="text" class="your-name" maxlength="30" required prop:value=name on:input=move |e| name.set(event_target_value(&e))/>
                            </label>
                            <button class="primary" type="submit">{tr("join")}</button>
                        </form>
                    })}
                    {move || if link.host.get() {
                        view! {
                            <p class="row">
                                <button class="primary big" disabled=move || { open() > 0 } on:click=move |_| link.wish(Wish::Start)>{tr("begin")}</button>
                                <button on:click=move |_| link.wish(Wish::Close)>{tr("close-table")}</button>
                            </p>
                            {(waits > 0).then(|| view! { <p class="quiet" role="status">{say("awaited", &[("n", waits.into())])}</p> })}
                        }.into_any()
                    } else {
                        view! { <p class="quiet">{tr("wait-for-host")}</p> }.into_any()
                    }}
                    <Chat link=link/>
                </main>
            }
        })}
    }
}

/// A button that copies a text.
#[component]
pub(crate) fn Copy(text: Signal<String>) -> impl IntoView {
    let copied = RwSignal::new(false);
    view! {
        <button type="button" on:click=move |_| {
            let _ = window().navigator().clipboard().write_text(&text.get_untracked());
            copied.set(true);
        }>{move || tr(if copied.get() { "copied" } else { "copy" })}</button>
    }
}

/// The rules and the time of a table in a line.
pub(crate) fn describe(table: &Table) -> String {
    let clock = match table.clock {
        Clock::None => tr("clock-none"),
        Clock::Fischer { seconds, increment } => say(
            "clock-fischer-is",
            &[
                ("minutes", (seconds / 60).into()),
                ("increment", increment.into()),
            ],
        ),
        Clock::Days { days } => say("clock-days-is", &[("days", days.into())]),
    };
    let absence = match table.absence {
        Absence::Computer => "absence-computer",
        Absence::Wait => "absence-wait",
        Absence::Pass => "absence-pass",
        Absence::End => "absence-end",
    };
    let setup = setup_of(table);
    let mut parts = vec![
        setup
            .as_ref()
            .map_or_else(|_| table.setup.clone(), words::setup),
    ];
    if !table.tiles.is_empty() {
        parts.push(say("with-own-tiles", &[("n", table.tiles.len().into())]));
    }
    parts.extend([clock, tr("absence-who") + " " + &tr(absence)]);
    parts.extend(aids_text(table.aids));
    parts.join(" · ")
}

/// Which aids are missing, where some are.
pub(crate) fn aids_text(aids: Aids) -> Option<String> {
    if aids == Aids::NONE {
        return Some(tr("aids-none"));
    }
    let missing = aids.named().into_iter().filter(|(_, on)| !on);
    let missing: Vec<String> = missing
        .map(|(name, _)| tr(&format!("aid-{name}")))
        .collect();
    (!missing.is_empty()).then(|| say("aids-without", &[("list", missing.join(", ").into())]))
}

/// What is said at the table.
#[component]
pub(crate) fn Chat(link: Link) -> impl IntoView {
    let text = RwSignal::new(String::new());
    let list: NodeRef<html::Ol> = NodeRef::new();
    Effect::new(move |_| {
        link.said.track();
        if let Some(list) = list.get() {
            list.set_scroll_top(list.scroll_height());
        }
    });
    view! {
        <section class="chat">
            <h2>{tr("chat")}</h2>
            <ol node_ref=list tabindex="0" aria-label=tr("chat") aria-live="polite">
                {move || link.said.get().into_iter().map(|line| {
                    let colour = line.seat.and_then(|seat| seat.checked_sub(1)).map(|seat| format!("--seat:{}", seat_style(seat).colour));
                    view! { <li style=colour><strong>{line.name}</strong>" "{line.text}</li> }
                }).collect_view()}
            </ol>
            <form class="row" on:submit=move |event: SubmitEvent| {
                event.prevent_default();
                let said = text.get_untracked().trim().to_string();
                if !said.is_empty() {
                    link.wish(Wish::Say { text: said });
                    text.set(String::new());
                }
            }>
                <input type="text" maxlength="300" aria-label=tr("say-something") placeholder=tr("say-something")
                    prop:value=text on:input=move |e| text.set(event_target_value(&e))/>
                <button type="submit">{tr("say")}</button>
            </form>
        </section>
    }
}

/// For so long what somebody else has just said stands over the board, in milliseconds.
const HEARD_MS: u32 = 6000;

/// What somebody else has just said: the talk itself may be out of sight.
#[component]
pub(crate) fn Heard(link: Link) -> impl IntoView {
    let heard = RwSignal::new(None);
    let known = StoredValue::new(link.said.with_untracked(Vec::len));
    Effect::new(move |_| {
        let last = link.said.with(|said| {
            let before = known.get_value();
            known.set_value(said.len());
            // What comes at once on connecting was said before.
            (said.len() == before + 1).then(|| said.last().cloned())?
        });
        let own = |seat: u8| link.seats.with_untracked(|own| own.contains(&seat));
        if let Some(line) = last.filter(|line| !line.seat.is_some_and(own)) {
            heard.set(Some(line));
            gloo_timers::callback::Timeout::new(HEARD_MS, move || {
                let _ = heard.try_set(None);
            })
            .forget();
        }
    });
    // The list of what was said is read out already.
    view! {
        {move || heard.get().map(|line| view! {
            <p class="heard" aria-hidden="true"><strong>{line.name}</strong>" "{line.text}</p>
        })}
    }
}

/// What can be asked of the others, and what they ask.
#[component]
pub(crate) fn Agreements(link: Link) -> impl IntoView {
    let sits = move || link.seats.with(|seats| !seats.is_empty());
    // Who resigned still sits there, and may play again.
    let plays = move || {
        link.table.with(|table| {
            let gone = |seat: &u8| {
                let seat = table
                    .as_ref()?
                    .seats
                    .get(usize::from(*seat).checked_sub(1)?)?;
                seat.gone
            };
            link.seats
                .with(|own| own.iter().any(|seat| gone(seat).is_none()))
        })
    };
    let stage = move |stage: Stage| link.stage() == Some(stage);
    let sure = RwSignal::new(false);
    view! {
        <section class="agreements">
            <State link=link/>
            {move || link.table.with(|table| {
                let table = table.as_ref()?;
                let question = table.question.as_ref()?;
                let asks = table.seats.get(usize::from(question.seat).checked_sub(1)?)?.name.clone().unwrap_or_default();
                let what = tr(match question.what {
                    What::TakeBack => "asks-take-back",
                    What::Abandon => "asks-abandon",
                    What::Rematch => "asks-rematch",
                });
                let own = link.seats.get();
                let mine = own.contains(&question.seat);
                let answers = own.iter().any(|seat| *seat != question.seat && !question.agreed.contains(seat));
                Some(view! {
                    <p class="question" role="alert">
                        <span>{if mine { tr("asked-others") } else { say("asks", &[("name", asks.into()), ("what", what.into())]) }}</span>
                        {answers.then(|| view! {
                            <button class="primary" on:click=move |_| link.wish(Wish::Answer { agree: true })>{tr("agree")}</button>
                            <button on:click=move |_| link.wish(Wish::Answer { agree: false })>{tr("refuse")}</button>
                        })}
                    </p>
                })
            })}
            {move || link.table.with(|table| {
                let next = table.as_ref()?.rematch.clone()?;
                Some(view! {
                    <p class="question">
                        <button class="primary" on:click=move |_| {
                            let next = next.clone();
                            spawn_local(async move {
                                let followed: Result<Entered, _> = http::post(&format!("/api/tables/{}/follow", link.id()), &()).await;
                                match followed {
                                    Ok(entered) => route::go(&format!("#table={}", entered.table)),
                                    // Who had no seat watches.
                                    Err(_) => route::go(&format!("#table={next}")),
                                }
                            });
                        }>{tr("to-rematch")}</button>
                    </p>
                })
            })}
            {move || (!sits()).then(|| view! {
                <p class="quiet">{tr(if link.gave_up.get() { "you-gave-up" } else { "you-watch" })}</p>
            })}
            {move || (stage(Stage::Over) || stage(Stage::Abandoned)).then(|| view! {
                <p><a class="button" href="#online">{tr("to-lobby")}</a></p>
            })}
            {move || aids_text(link.aids()).map(|text| view! { <p class="quiet">{text}</p> })}
            {move || (plays() && stage(Stage::Playing)).then(|| view! {
                <div class="row">
                    <button on:click=move |_| link.wish(Wish::TakeBack)>{tr("ask-take-back")}</button>
                    <button on:click=move |_| link.wish(Wish::Abandon)>{tr("ask-abandon")}</button>
                    <button on:click=move |_| if sure.get_untracked() { sure.set(false); link.wish(Wish::Resign) } else { sure.set(true) }>
                        {move || tr(if sure.get() { "resign-sure" } else { "resign" })}
                    </button>
                </div>
            })}
            {secret(&link.id()).map(|secret| {
                let here = window().location().href().unwrap_or_default();
                let here = here.split('#').next().unwrap_or("").to_string();
                let address = format!("{here}#table={}&secret={secret}", link.id());
                view! {
                    <details>
                        <summary>{tr("move-seat")}</summary>
                        <p class="quiet">{tr("move-seat-about")}</p>
                        <Copy text=Signal::stored(address)/>
                    </details>
                }
            })}
            <p class="quiet">{move || match link.spectators.get() { 0 => String::new(), n => say("spectators", &[("n", n.into())]) }}</p>
        </section>
    }
}

/// What a player's row says beside the name: the clock, and whether the player is there.
pub(crate) fn presence(link: Link, seat: usize, running: bool, tick: Signal<u32>) -> impl IntoView {
    let told = move || {
        link.table.with(|table| {
            let seat = table.as_ref()?.seats.get(seat)?;
            let gone = seat.gone.map(gone_text);
            let computer = || seat.computer.as_ref().map(|_| tr("computer-player"));
            gone.or_else(computer)
                .or_else(|| (!seat.here).then(|| tr("away")))
        })
    };
    let time = move || {
        link.table
            .with(|table| table.as_ref()?.seats.get(seat)?.left_ms)?;
        let left = link.clocks.with(|clocks| {
            tick.get();
            let spent = if running {
                (js_sys::Date::now() - clocks.told) as i64
            } else {
                0
            };
            clocks.left.get(seat).map(|left| (left - spent).max(0))
        })?;
        Some(clock_text(left))
    };
    view! {
        <span class="quiet presence">{told}</span>
        {move || time().map(|time| view! { <span class="clock" class:running=running>{time}</span> })}
    }
}

/// Time left as a clock shows it.
pub(crate) fn clock_text(ms: i64) -> String {
    let seconds = ms / 1000;
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    if days > 0 {
        say(
            "days-hours",
            &[("days", days.into()), ("hours", hours.into())],
        )
    } else if hours > 0 {
        format!("{hours}:{minutes:02}:{:02}", seconds % 60)
    } else {
        format!("{minutes}:{:02}", seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_show_what_is_left() {
        assert_eq!(clock_text(0), "0:00");
        assert_eq!(clock_text(61_500), "1:01");
        assert_eq!(clock_text(3_600_000 + 5_000), "1:00:05");
        assert_eq!(clock_text(2 * 86_400_000 + 3 * 3_600_000), "2 d 3 h");
    }
}
