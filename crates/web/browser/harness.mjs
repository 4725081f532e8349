// What the browser tests share: one Chromium, a fresh profile for each test, and hands that play.
import assert from 'node:assert/strict';
import { chromium } from 'playwright-core';

export const ADDRESS = process.env.TRENCAVEL_URL ?? 'http://127.0.0.1:8420';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--disable-default-apps', '--disable-extensions',
];

const DESKTOP = { viewport: { width: 1280, height: 800 } };
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

/** What the tests set: computer players answer at once. */
const QUICK = { theme: 'day', language: 'en', confirm: 'always', pace: 'quick' };

let browser;

export async function start() {
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });
}

export async function stop() {
  await browser?.close();
}

/**
 * A page of a new visitor. `seed` makes the dealer's draws and all else that is left to chance the same in each run; for that the
 * clock stands still, unless `clock` is `runs`.
 */
export async function visit({ path = '/', device = DESKTOP, settings = {}, seed = 1, context, wait = 'main', clock = 'still', locale = 'en-GB' } = {}) {
  context ??= await browser.newContext({ ...device, locale });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  page.faults = [];
  page.on('pageerror', (error) => page.faults.push(`${error}`));
  page.on('console', (message) => {
    if (message.type() === 'error') page.faults.push(message.text());
  });
  const lines = Object.entries({ ...QUICK, ...settings }).map(([key, value]) => `${key} ${value}\n`).join('');
  await page.addInitScript(({ lines, seed, clock }) => {
    try {
      if (!localStorage.getItem('trencavel.settings')) localStorage.setItem('trencavel.settings', lines);
    } catch { /* storage is denied */ }
    let a = seed;
    Math.random = () => {
      a = (a + 0x6d2b79f5) | 0;
      let t = Math.imul(a ^ (a >>> 15), 1 | a);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
    if (clock === 'runs') return;
    const began = 1_800_000_000_000;
    Date.now = () => began;
  }, { lines, seed, clock });
  await page.goto(ADDRESS + path);
  await page.waitForSelector(wait);
  return page;
}

/** Nothing went wrong on the page; then it is closed with its profile. */
export async function leave(page) {
  assert.deepEqual(page.faults, [], 'errors on the page');
  await page.context().close();
}

/** What can be done at the table, with places on the screen. */
export function look(page) {
  return page.evaluate(() => {
    const middle = (element) => {
      const box = element.getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    };
    // Only what is really there under the pointer.
    const reachable = (selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
      const at = middle(element);
      const hit = document.elementFromPoint(at.x, at.y);
      return hit && element.contains(hit) ? [at] : [];
    });
    const [pass, back, confirm] = document.querySelectorAll('.do button');
    const on = (button) => (button && !button.disabled ? middle(button) : null);
    return {
      over: Boolean(document.querySelector('.ending')),
      thinking: Boolean(document.querySelector('.hand.waits')),
      squares: reachable('.square'),
      n_squares: document.querySelectorAll('.square').length,
      targets: reachable('.target'),
      others: reachable('.others button'),
      groups: [...document.querySelectorAll('.hand .figure:not(.grey)')].map((b) => b.getAttribute('aria-label')),
      pressed: [...document.querySelectorAll('.hand .figure:not(.grey)')].map((b) => b.getAttribute('aria-pressed') === 'true'),
      pass: on(pass), back: on(back), confirm: on(confirm),
      now: document.querySelector('.now')?.textContent ?? '',
      tiles: document.querySelectorAll('.tiles > g').length,
      version: document.querySelector('main.table')?.dataset.version,
    };
  });
}

/** What each page has that the others do not. */
const PAGES = { new: 'main.setup', online: 'main.lobby', learn: '.lesson', tiles: 'main.gallery', replay: 'main.page-of-text:not(.gallery, .lobby)' };

/** Goes to another page of the client. */
export async function go(page, route) {
  await page.goto(`${ADDRESS}/#${route}`);
  await page.waitForSelector(PAGES[route]);
}

/** What `ask` gives once that is something: the machine may be slow. */
export async function eventually(what, ask, patience = 60_000) {
  const until = performance.now() + patience;
  for (;;) {
    const got = await ask();
    if (got) return got;
    if (performance.now() > until) throw new Error(`in vain waited: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** Waits until a person can do something, or the game is over. */
export async function settled(page, patience = 60_000) {
  // Asked in the page itself: Playwright's own polling would need `eval`, which the server's policy forbids.
  const came = await page.evaluate((patience) => new Promise((resolve) => {
    const until = performance.now() + patience;
    const ask = () => {
      if (document.querySelector('.ending') || document.querySelector('main.table .hand:not(.waits)')) resolve(true);
      else if (performance.now() > until) resolve(false);
      else setTimeout(ask, 10);
    };
    ask();
  }), patience);
  assert.ok(came, 'nobody came to move');
  return look(page);
}

/** Plays until the game is over; `act(seen, n)` does one thing. */
export async function play(page, act, most = 3000) {
  for (let n = 0; n < most; n += 1) {
    const seen = await settled(page);
    if (seen.over) return n;
    await act(seen, n);
  }
  throw new Error('the game does not end');
}

/** Hands with a mouse. They prefer what `wants` says of the labels of figures and actions. */
export function mouse(page, wants = () => 0) {
  const click = (at) => page.mouse.click(at.x, at.y);
  return async (seen, n) => {
    if (seen.confirm && !seen.squares.length && !seen.targets.length) return click(seen.confirm);
    if (seen.n_squares) {
      if (!seen.squares.length) return page.locator('.zoom button').nth(2).click();
      const at = seen.squares[n % seen.squares.length];
      await click(at);
      if (seen.squares.length > 1 || seen.tiles < 2) assert.equal((await look(page)).tiles, seen.tiles, 'the first press only shows the tile');
      return page.mouse.click(at.x, at.y);
    }
    const ranked = seen.groups.map((label, i) => ({ i, want: wants(label) })).sort((a, b) => b.want - a.want);
    const best = ranked[0];
    if (best && best.want > 0 && !seen.pressed[best.i]) {
      await page.locator('.hand .figure:not(.grey)').nth(best.i).click();
      seen = await look(page);
    }
    if (seen.targets.length && (n % 2 || (best && best.want > 0))) return click(seen.targets[n % seen.targets.length]);
    if (seen.pass) return click(seen.pass);
    if (seen.targets.length) return click(seen.targets[0]);
    if (seen.others.length) return click(seen.others[0]);
    if (seen.confirm) return click(seen.confirm);
    if (seen.groups.length) return page.locator('.hand .figure:not(.grey)').first().click();
    throw new Error(`nothing can be done: ${JSON.stringify(seen)}`);
  };
}

/** All violations that axe-core finds, in the whole page or in parts of it. */
export async function axe(page, source, include) {
  await page.evaluate(source);
  // What is inside a drawing has no meaning of its own; its label, or that it is hidden, is on the drawing itself.
  const context = { exclude: [['svg > g'], ['svg > path']], ...(include && { include }) };
  const result = await page.evaluate((context) => window.axe.run(context, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  }), context);
  return result.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.slice(0, 3).map((node) => node.target.join(' ')).join(' | ')}`);
}
