// The client played in headless Chromium: `cargo xtask test` builds it, starts the server and runs this.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { ADDRESS, PHONE, axe, leave, look, mouse, play, settled, start, stop, visit } from './harness.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RECORD = new URL('../../../records/road-and-city.jcz', import.meta.url).pathname;

/** Starts a game with these expansions, by their names on the cards, and these seats: a person or the weakest computer player. */
async function setUp(page, { cards = [], preset, seats = ['person', 'computer'] }) {
  await page.goto(`${ADDRESS}/#new`);
  await page.waitForSelector('main.setup');
  if (preset) await page.getByRole('button', { name: preset, exact: true }).click();
  for (const card of cards) await page.locator('.card .pick', { hasText: card }).first().click();
  const kinds = page.locator('.seat select');
  for (const [i, seat] of seats.entries()) await kinds.nth(i).selectOption({ index: seat === 'person' ? 0 : 1 });
  await page.getByRole('button', { name: 'Start the game' }).click();
  await page.waitForSelector('main.table');
}

/** All lines of the log that are shown. */
const log = (page) => page.locator('.log li').allInnerTexts();

describe('client', { concurrency: 2, timeout: 600_000 }, () => {
  before(start);
  after(stop);

  test('a board is there at once, and the first press lays nothing', async () => {
    const page = await visit();
    const seen = await settled(page);
    assert.equal(seen.tiles, 1);
    assert.ok(seen.squares.length >= 1);
    await page.mouse.click(seen.squares[0].x, seen.squares[0].y);
    assert.equal((await look(page)).tiles, 1);
    await page.mouse.click(seen.squares[0].x, seen.squares[0].y);
    assert.equal((await look(page)).tiles, 2);
    await page.keyboard.press('Escape');
    assert.equal((await look(page)).tiles, 1, 'Escape takes the tile back');
    await leave(page);
  });

  test('a whole base game by mouse against a computer player', async () => {
    const page = await visit({ seed: 2 });
    await setUp(page, {});
    await play(page, mouse(page));
    assert.ok(await page.locator('.ending table').isVisible());
    assert.ok((await log(page)).some((line) => line.includes('points')));
    const tiles = (await look(page)).tiles;
    assert.ok(tiles >= 70, `${tiles} tiles lie on the board`);
    await leave(page);
  });

  test('a whole base game by keyboard alone', async () => {
    const page = await visit({ seed: 3 });
    await setUp(page, {});
    const key = (name) => page.keyboard.press(name);
    await play(page, async (seen, n) => {
      if (seen.n_squares) {
        await key(['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp'][n % 4]);
        if (n % 3 === 0) await key('r');
        assert.equal((await look(page)).tiles, seen.tiles);
        await key('Enter');
        assert.equal((await look(page)).tiles, seen.tiles + 1, 'Enter lays the tile');
      } else if (seen.groups.length && n % 2) {
        await key('ArrowRight');
        await key('Enter');
      } else {
        await key('Enter');
      }
    });
    await leave(page);
  });

  test('a whole base game on a phone, by touch', async () => {
    const page = await visit({ seed: 4, device: PHONE });
    await setUp(page, {});
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    assert.ok(await wide(), 'nothing is wider than the screen');
    const tap = (at) => page.touchscreen.tap(at.x, at.y);
    const visible = (seen, list) => list.filter((at) => at.y < 844 && at.y > 0);
    await play(page, async (seen, n) => {
      const squares = visible(seen, seen.squares);
      if (seen.n_squares && squares.length) {
        const at = squares[n % squares.length];
        await tap(at);
        assert.equal((await look(page)).tiles, seen.tiles, 'the first touch lays nothing');
        return tap(at);
      }
      if (seen.n_squares) return page.locator('.zoom button').nth(2).tap();
      const targets = visible(seen, seen.targets);
      if (targets.length && n % 2) return tap(targets[n % targets.length]);
      const button = seen.confirm ? '.do .primary' : '.do button';
      return page.locator(button).first().tap();
    });
    assert.ok(await wide());
    await leave(page);
  });

  test('hot seat with the four small sets, where each special thing happens', async () => {
    const wanted = {
      phantom: /deploy phantom/,
      festival: /: festival /,
      'lake or tree': /(Solovei|Vodyanoy) .*catches/,
      diagonal: /: diagonal /,
    };
    const missing = new Set(Object.keys(wanted));
    for (let seed = 5; seed < 9 && missing.size; seed += 1) {
      const page = await visit({ seed, settings: { confirm: 'never' } });
      await setUp(page, { preset: 'The four small sets', seats: ['person', 'person'] });
      const special = (label) => ['phantom', 'trap', 'festival', 'diagonal'].findIndex((word) => label.toLowerCase().includes(word)) + 1;
      const hands = mouse(page, special);
      for (let n = 0, over = false; !over && missing.size; n += 1) {
        const seen = await settled(page);
        over = seen.over;
        if (!over) await hands(seen, n);
        if (!over && n % 25) continue;
        const said = await page.evaluate(() => localStorage.getItem('trencavel.game') + document.querySelector('.log').innerText);
        for (const [name, happened] of Object.entries(wanted)) if (happened.test(said)) missing.delete(name);
      }
      await leave(page);
    }
    assert.deepEqual([...missing], []);
  });

  test('every expansion card can be switched on, and a game with it begins', async () => {
    const page = await visit({ path: '/#new', wait: 'main.setup' });
    const names = await page.locator('.card .pick strong').allInnerTexts();
    assert.ok(names.length >= 11);
    for (const name of names) {
      await setUp(page, { cards: [name], seats: ['person', 'person'] });
      const seen = await settled(page);
      assert.ok(seen.tiles >= 1 && seen.n_squares > 0, `${name}: ${JSON.stringify(seen)}`);
    }
    await leave(page);
  });

  test('after a reload the game is there, and also without a network', async () => {
    const page = await visit({ seed: 6 });
    await page.evaluate(() => navigator.serviceWorker.ready);
    const hands = mouse(page);
    for (let n = 0; n < 12; n += 1) await hands(await settled(page), n);
    const before = await settled(page);
    const text = await page.evaluate(() => localStorage.getItem('trencavel.game'));
    await page.reload();
    await page.waitForSelector('main.table');
    assert.equal(await page.evaluate(() => localStorage.getItem('trencavel.game')), text);
    // Everything is kept by now: a second visit needs no server.
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('main.table');
    const again = await settled(page);
    assert.ok(again.tiles >= before.tiles - 1);
    for (let n = 0; n < 6; n += 1) await hands(await settled(page), n);
    assert.ok((await look(page)).tiles > again.tiles, 'the computer player plays offline');
    page.faults = page.faults.filter((fault) => !/ERR_INTERNET_DISCONNECTED/.test(fault));
    await leave(page);
  });

  test('a .jcz file is looked at, analysed, and played on', async () => {
    const page = await visit();
    await page.locator('header input[type=file]').setInputFiles(RECORD);
    await page.waitForSelector('.study');
    const last = Number(await page.locator('.slider').getAttribute('max'));
    assert.ok(last > 5);
    await page.getByRole('button', { name: 'The present' }).click();
    const end = await look(page);
    assert.ok(end.tiles > 1);
    await page.getByRole('button', { name: 'First position' }).click();
    await page.getByRole('button', { name: 'One step on' }).click();
    assert.equal((await look(page)).tiles, 1);
    assert.ok((await look(page)).n_squares > 0, 'what could be chosen is lit');
    await page.getByRole('button', { name: 'Analyse this position' }).click();
    await page.waitForSelector('.best li');
    assert.ok(await page.locator('.weighed circle').count() > 0, 'the best moves are drawn');
    await page.getByRole('button', { name: 'Play on from here' }).click();
    await page.waitForSelector('.hand:not(.study)');
    const seen = await settled(page);
    assert.equal(seen.tiles, 1);
    assert.ok(seen.n_squares > 0);
    await leave(page);
  });

  test('a broken file and a broken link are told, and nothing is lost', async () => {
    const page = await visit();
    await page.locator('header input[type=file]').setInputFiles({ name: 'x.jcz', mimeType: 'text/plain', buffer: Buffer.from('{"appVersion": 3') });
    await page.getByText('holds no game that can be read').waitFor();
    assert.ok(await page.locator('main.table').isVisible());
    await page.goto(`${ADDRESS}/#game=AAAA`);
    await page.getByRole('alert').getByText('This link holds no game').waitFor();
    await leave(page);
  });

  test('where storage is denied the game can still be played', async () => {
    const page = await visit();
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });
    });
    await page.reload();
    await page.waitForSelector('main.table');
    const hands = mouse(page);
    for (let n = 0; n < 4; n += 1) await hands(await settled(page), n);
    assert.ok((await look(page)).tiles >= 2);
    await leave(page);
  });

  test('without WebAssembly the page says so', async () => {
    const page = await visit();
    await page.addInitScript(() => { delete window.WebAssembly; });
    await page.reload();
    await page.getByRole('alert').getByText('no WebAssembly').waitFor();
    await page.context().close();
  });

  test('the settings close on a press outside, and are kept', async () => {
    const page = await visit();
    await page.locator('.menu summary').click();
    assert.ok(await page.locator('.menu .panel').isVisible());
    await page.locator('.menu select').first().selectOption('dark');
    await page.mouse.click(300, 400);
    await page.locator('.menu .panel').waitFor({ state: 'hidden' });
    await page.reload();
    await page.waitForSelector('main.table');
    assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
    await leave(page);
  });

  test('a forbidden square says which rule forbids it', async () => {
    const page = await visit();
    await settled(page);
    const tile = await page.locator('.tiles > g').first().boundingBox();
    // West of the start tile is a road; the first tile of this game has none.
    await page.mouse.click(tile.x - tile.width / 2, tile.y + tile.height / 2);
    await page.locator('.why .chip').first().click();
    await page.locator('.book .read').waitFor();
    await leave(page);
  });

  test('a server that talks nonsense is told of, and local games go on', async () => {
    const page = await visit();
    await page.route('**/api/tables', (route) => route.fulfill({ status: 200, contentType: 'application/json', body: '{"x": [' }));
    await page.goto(`${ADDRESS}/#online`);
    await page.getByRole('alert').getByText('does not understand').waitFor();
    await page.route('**/api/tables/abc', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<h1>hello</h1>' }));
    await page.goto(`${ADDRESS}/#table=abc`);
    await page.getByRole('alert').getByText('does not understand').waitFor();
    await page.goto(`${ADDRESS}/#play`);
    await page.waitForSelector('main.table');
    await leave(page);
  });

  test('axe-core finds no violation on any page', async () => {
    const page = await visit({ seed: 10 });
    const found = {};
    const check = async (name, include) => {
      const violations = await axe(page, AXE, include);
      if (violations.length) found[name] = violations;
    };
    const hands = mouse(page);
    for (let n = 0; n < 80 && !(await page.locator('.chip').count()); n += 1) await hands(await settled(page), n);
    for (const theme of ['day', 'dark', 'contrast']) {
      await page.evaluate((theme) => { document.documentElement.dataset.theme = theme; }, theme);
      await check(`table, ${theme}`);
    }
    await page.locator('.moves summary').click();
    await page.locator('.remaining summary').click();
    await page.locator('.menu summary').click();
    await check('table with everything open');
    await page.locator('.chip').first().click();
    await page.waitForSelector('.book .page h2');
    await check('rule book');
    for (const route of ['new', 'online', 'learn', 'tiles', 'replay']) {
      await page.goto(`${ADDRESS}/#${route}`);
      await page.waitForTimeout(300);
      // The other tiles are made in the same way, and there are hundreds.
      await check(route, route === 'tiles' ? [['header'], ['main > :not(section)'], ['main section:first-of-type']] : undefined);
    }
    await page.goto(`${ADDRESS}/#online`);
    await page.getByRole('button', { name: 'Make a table' }).click();
    await check('making a table');
    await page.getByRole('button', { name: 'Make a table' }).click();
    await page.waitForSelector('.gathering');
    await check('a table that waits');
    await page.locator('header input[type=file]').setInputFiles(RECORD);
    await page.waitForSelector('.study');
    await check('a game looked at');
    await page.getByRole('button', { name: 'The present' }).click();
    await check('the end of a game');
    assert.deepEqual(found, {});
    await leave(page);
  });

  test('the lesson can be played and left', async () => {
    const page = await visit({ path: '/#learn' });
    await page.getByText('Welcome!').waitFor();
    const hands = mouse(page);
    const texts = new Set();
    await play(page, async (seen, n) => {
      texts.add(await page.locator('.lesson p').first().innerText());
      await hands(seen, n);
    });
    assert.ok(texts.size >= 16, `${texts.size} texts`);
    await page.getByText('That was a whole game').waitFor();
    await page.getByRole('link', { name: 'Leave the lesson' }).click();
    await page.waitForSelector('.player >> text=Trencavel');
    await leave(page);
  });
});
