// Games of several browsers over the server, in headless Chromium: run by `cargo xtask test`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ADDRESS, eventually, leave, look, mouse, settled, start, stop, visit } from './harness.mjs';

/** A page of somebody at a table. */
const at = (table, more = {}) => visit({ path: `/#table=${table}`, wait: '.gathering, main.table', ...more });

/** A page at the table of an address. */
const follow = (link, more = {}) => {
  const url = new URL(link);
  return visit({ path: url.pathname + url.hash, wait: '.gathering, main.table', ...more });
};

/** Makes a table by the server's API, with Ann on the first seat, in the browser of a page. */
async function make(page, more = {}) {
  const answer = await page.request.post(`${ADDRESS}/api/tables`, {
    data: { setup: 'C2; seats 2', private: true, seats: [{ kind: 'me', name: 'Ann' }, { kind: 'open' }], ...more },
  });
  assert.equal(answer.status(), 201, await answer.text());
  return (await answer.json()).table;
}

/** Ann and Bob at a table that has begun. */
async function pair(more = {}, page = {}) {
  const ann = await visit({ path: '/#online', seed: 7, ...page });
  const table = await make(ann, more);
  await ann.goto(`${ADDRESS}/#table=${table}`);
  await ann.waitForSelector('.gathering');
  const bob = await at(table, { seed: 8, ...page });
  await bob.locator('.your-name').fill('Bob');
  await bob.getByRole('button', { name: 'Sit down' }).click();
  await ann.getByRole('button', { name: 'Begin' }).click();
  await Promise.all([ann, bob].map((page) => page.waitForSelector('main.table')));
  return { table, ann, bob };
}

/** Who is asked, once somebody is. */
async function asked(...pages) {
  return eventually('nobody is asked', async () => {
    for (const page of pages) {
      const seen = await look(page);
      if (seen.over || !seen.thinking) return { page, seen };
    }
    return null;
  });
}

/** Whoever is asked lays a tile and passes. */
async function move(...pages) {
  const { page, seen } = await asked(...pages);
  assert.ok(!seen.over, 'the game is over');
  const hands = mouse(page);
  for (let n = 0; n < 20; n += 1) {
    const now = await look(page);
    if (now.thinking || now.over) return page;
    await hands({ ...now, targets: [], groups: [] }, 0);
  }
  throw new Error('the move does not end');
}

describe('tables of the server', { concurrency: 2, timeout: 600_000 }, () => {
  before(start);
  after(stop);

  test('two browsers play at a table; one is reloaded in the middle of a turn', async () => {
    const ann = await visit({ path: '/#online', seed: 7 });
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.getByRole('textbox', { name: 'Name of player 1' }).fill('Ann');
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.waitForSelector('.gathering');
    const link = await ann.locator('.address').inputValue();
    const bob = await follow(link, { seed: 8 });
    await bob.locator('.your-name').fill('Bob');
    await bob.getByRole('button', { name: 'Sit down' }).click();
    await ann.getByText('Bob').first().waitFor();
    await ann.getByRole('button', { name: 'Begin' }).click();
    await Promise.all([ann, bob].map((page) => page.waitForSelector('main.table')));
    const hands = new Map([ann, bob].map((page) => [page, mouse(page)]));
    let reloaded = 0;
    for (let n = 0; n < 60; n += 1) {
      const { page, seen } = await asked(ann, bob);
      if (page === bob && seen.tiles > 5 && !reloaded && !seen.n_squares) {
        // The tile is laid and not confirmed: after a reload it is in the hand again, and the game goes on.
        await bob.reload();
        await bob.waitForSelector('main.table');
        reloaded = (await settled(bob)).tiles;
        assert.equal(reloaded, seen.tiles - 1);
      } else {
        await hands.get(page)(seen, n);
      }
    }
    assert.ok(reloaded > 0, 'the page was reloaded in the middle of a turn');
    await bob.getByRole('textbox', { name: 'Say something' }).fill('a good game');
    await bob.keyboard.press('Enter');
    await ann.locator('.heard').getByText('a good game').waitFor();
    await ann.locator('.chat').getByText('a good game').waitFor();
    const eve = await follow(link, { seed: 9 });
    await eve.getByText('You are watching').waitFor();
    await bob.getByRole('button', { name: 'Resign' }).click();
    await bob.getByRole('button', { name: 'Really resign?' }).click();
    await ann.getByText('has resigned').first().waitFor();
    for (const page of [ann, bob, eve]) await leave(page);
  });

  test('a connection that breaks comes back by itself, and the game goes on', async () => {
    const { table, ann, bob } = await pair();
    let broken = 0;
    await bob.routeWebSocket(/\/ws$/, (socket) => {
      let heard = 0;
      const server = socket.connectToServer();
      server.onMessage((message) => {
        heard += 1;
        socket.send(message);
        // Every connection breaks after a while.
        if (heard === 12) {
          broken += 1;
          server.close();
          socket.close();
        }
      });
    });
    await bob.goto(`${ADDRESS}/#table=${table}`);
    await bob.reload();
    await bob.waitForSelector('main.table');
    // What was sent when the connection broke may be lost; then it is chosen again.
    for (let n = 0; n < 20 && (await look(ann)).tiles < 9; n += 1) await move(ann, bob);
    assert.ok(broken > 1, `${broken} connections broke`);
    await eventually('they do not see the same', async () => (await look(bob)).tiles === (await look(ann)).tiles);
    await asked(ann, bob);
    for (const page of [ann, bob]) await leave(page);
  });

  test('both see the clocks, and who runs out of time is told', async () => {
    // Long enough for a slow machine to look at the clocks before the end.
    const clock = { kind: 'fischer', seconds: 15, increment: 0 };
    const { ann, bob } = await pair({ clock, absence: 'end' }, { clock: 'runs' });
    const { page } = await asked(ann, bob);
    const other = page === ann ? bob : ann;
    for (const each of [ann, bob]) {
      assert.equal(await each.locator('.clock').count(), 2);
      assert.equal(await each.locator('.clock.running').count(), 1);
    }
    const seconds = async (each) => Number((await each.locator('.clock.running').innerText()).split(':')[1]);
    const before = await seconds(other);
    await eventually('the clock stands still', async () => await seconds(other) < before);
    await other.getByText('ran out of time').first().waitFor();
    await page.locator('.now').getByText('The game was ended without a result.').waitFor();
    for (const each of [ann, bob]) await leave(each);
  });

  test('a move is taken back when the other agrees, and not when not', async () => {
    const { ann, bob } = await pair();
    const first = await move(ann, bob);
    const second = first === ann ? bob : ann;
    await asked(second);
    assert.equal((await look(second)).tiles, 2);
    await first.getByRole('button', { name: 'Ask to take back' }).click();
    await second.getByText('asks to take the last choice back').waitFor();
    await second.getByRole('button', { name: 'Refuse' }).click();
    await second.locator('.question').waitFor({ state: 'detached' });
    assert.equal((await look(second)).tiles, 2);
    await first.getByRole('button', { name: 'Ask to take back' }).click();
    await second.getByRole('button', { name: 'Agree' }).click();
    // The last choice was to pass: the tile lies there still, and its player chooses again.
    await first.waitForSelector('.hand:not(.waits)');
    await second.waitForSelector('.hand.waits');
    assert.equal((await look(first)).tiles, 2);
    assert.equal((await look(first)).n_squares, 0);
    await move(first);
    await asked(second);
    for (const page of [ann, bob]) await leave(page);
  });

  test('after the game the same players play again', async () => {
    const { table, ann, bob } = await pair({ setup: 'C2; seats 2; bag BA/RFr*2' });
    await move(ann, bob);
    await move(ann, bob);
    await Promise.all([ann, bob].map((page) => page.waitForSelector('.ending')));
    await ann.getByRole('button', { name: 'Play again' }).click();
    await bob.getByText('wants to play again').waitFor();
    await bob.getByRole('button', { name: 'Agree' }).click();
    for (const page of [ann, bob]) {
      await page.getByRole('button', { name: 'To the new game' }).click();
      await page.waitForFunction((table) => location.hash.includes('table=') && !location.hash.includes(table), table, { polling: 100 })
        .catch(() => {});
    }
    await Promise.all([ann, bob].map((page) => page.waitForSelector('main.table .hand')));
    await asked(ann, bob);
    assert.equal(await ann.evaluate(() => location.hash), await bob.evaluate(() => location.hash));
    await move(ann, bob);
    await move(ann, bob);
    await Promise.all([ann, bob].map((page) => page.waitForSelector('.ending')));
    for (const page of [ann, bob]) await leave(page);
  });

  test('seats are changed in the lobby, freed by the host, and moved to another device', async () => {
    const ann = await visit({ path: '/#online', seed: 7 });
    const open = { kind: 'open' };
    const table = await make(ann, { setup: 'C2; seats 3', seats: [{ kind: 'me', name: 'Ann' }, open, open] });
    await ann.goto(`${ADDRESS}/#table=${table}`);
    await ann.waitForSelector('.gathering');
    const bob = await at(table, { seed: 8 });
    await bob.locator('.your-name').fill('Bob');
    await bob.getByRole('button', { name: 'Sit on seat 3' }).click();
    const sits = (page, seat, text) => page.locator('.gathering li.seat').nth(seat - 1).getByText(text).waitFor();
    await sits(ann, 3, 'Bob');
    await bob.getByRole('button', { name: 'Sit on seat 2' }).click();
    await sits(ann, 2, 'Bob');
    await sits(ann, 3, 'open');
    await sits(bob, 2, 'you');
    // The host frees the seat; Bob comes again.
    await ann.getByRole('button', { name: 'Free the seat' }).click();
    await sits(ann, 2, 'open');
    await bob.getByRole('button', { name: 'Sit on seat 3' }).click();
    await sits(ann, 3, 'Bob');
    // The host moves, too, and is the host still.
    await ann.getByRole('button', { name: 'Sit on seat 2' }).click();
    await sits(ann, 2, 'Ann');
    const eve = await at(table, { seed: 9 });
    await eve.locator('.your-name').fill('Eve');
    await eve.getByRole('button', { name: 'Sit down' }).click();
    await sits(ann, 1, 'Eve');
    await ann.getByRole('button', { name: 'Begin' }).click();
    await Promise.all([ann, bob, eve].map((page) => page.waitForSelector('main.table')));
    const names = await bob.locator('.player .name').allInnerTexts();
    assert.deepEqual(names.map((name) => name.trim().split(/\s/)[0]), ['Eve', 'Ann', 'Bob']);
    // Bob goes on at another device, by his link.
    await bob.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await bob.getByText('Play on another device').click();
    await bob.locator('.agreements details button').click();
    const link = await bob.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.includes('secret='));
    await leave(bob);
    const phone = await follow(link, { seed: 11 });
    await phone.waitForSelector('main.table');
    assert.ok(!(await phone.evaluate(() => location.href)).includes('secret'), 'the secret does not stay in the address');
    assert.equal(await phone.getByText('You are watching').count(), 0);
    for (let n = 0; n < 3; n += 1) await move(eve, ann, phone);
    assert.equal((await look(phone)).tiles, 4);
    for (const page of [ann, eve, phone]) await leave(page);
  });

  test('who resigns is played for by a computer player, and finds the table again', async () => {
    const { table, ann, bob } = await pair();
    await move(ann, bob);
    // A seat can be moved after a reload, too.
    await bob.reload();
    await bob.getByText('Play on another device').waitFor();
    const lobby = await bob.context().newPage();
    await lobby.goto(`${ADDRESS}/#online`);
    await lobby.locator('.tables').getByRole('link', { name: 'Return' }).waitFor();
    assert.ok((await lobby.getByRole('link', { name: 'Return' }).getAttribute('href')).endsWith(table));
    await lobby.close();
    await bob.getByRole('button', { name: 'Resign' }).click();
    await bob.getByRole('button', { name: 'Really resign?' }).click();
    await bob.getByText('You are out of this game').waitFor();
    assert.equal(await bob.getByRole('button', { name: 'Resign' }).count(), 0);
    for (const page of [ann, bob]) await page.locator('.player').nth(1).getByText('computer').waitFor();
    for (const page of [ann, bob]) await leave(page);
  });

  test('a game that is ended without a result asks nobody, and can be played again', async () => {
    const { ann, bob } = await pair({ absence: 'end' });
    await move(ann, bob);
    await bob.getByRole('button', { name: 'Resign' }).click();
    await bob.getByRole('button', { name: 'Really resign?' }).click();
    for (const page of [ann, bob]) {
      await page.locator('.now').getByText('ended without a result').waitFor();
      await page.waitForSelector('.ending');
      const seen = await look(page);
      assert.equal(seen.n_squares, 0);
    }
    // Who resigned may play again.
    await ann.getByRole('button', { name: 'Play again' }).click();
    await bob.getByRole('button', { name: 'Agree' }).click();
    for (const page of [ann, bob]) {
      await page.getByRole('button', { name: 'To the new game' }).waitFor();
      await leave(page);
    }
  });

  test('an account has its tables on every device', async () => {
    const name = `Ann ${Date.now() % 1e7}`;
    const enter = async (page, button) => {
      await page.getByText('Your account').click();
      await page.getByRole('textbox', { name: 'Name:' }).fill(name);
      await page.locator('.account input[type=password]').fill('a long passphrase');
      await page.getByRole('button', { name: button }).click();
      await page.getByText(`Logged in as ${name}`).waitFor();
    };
    const ann = await visit({ path: '/#online', seed: 7 });
    await enter(ann, 'Make an account');
    const table = await make(ann, { name: 'Tea' });
    const phone = await visit({ path: '/#online', seed: 8 });
    await enter(phone, 'Log in');
    await phone.locator('.account .tables a').click();
    await phone.waitForSelector('.gathering');
    assert.ok((await phone.evaluate(() => location.hash)).includes(table));
    await phone.locator('.gathering li.seat').first().getByText('you').waitFor();
    await ann.reload();
    await ann.getByText(`Logged in as ${name}`).waitFor();
    await ann.locator('.account .tables').getByText('Tea').waitFor();
    await ann.getByRole('button', { name: 'Log out' }).click();
    await ann.getByRole('button', { name: 'Make an account' }).waitFor();
    // A wrong passphrase is told.
    await ann.getByRole('textbox', { name: 'Name:' }).fill(name);
    await ann.locator('.account input[type=password]').fill('another passphrase');
    await ann.getByRole('button', { name: 'Log in' }).click();
    await ann.locator('.account .fault').getByText(/./).waitFor();
    ann.faults = ann.faults.filter((fault) => !/40[13]/.test(fault));
    for (const page of [ann, phone]) await leave(page);
  });

  test('a tournament allows no aids, and everybody sees that', async () => {
    const ann = await visit({ path: '/#online', seed: 7 });
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.getByRole('textbox', { name: 'Name of player 1' }).fill('Ann');
    await ann.getByRole('button', { name: 'Tournament', exact: true }).click();
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.waitForSelector('.gathering');
    await ann.getByText('no aids are allowed').waitFor();
    await ann.getByText('15 min + 0 s').waitFor();
    const bob = await follow(await ann.locator('.address').inputValue(), { seed: 8 });
    await bob.getByText('no aids are allowed').waitFor();
    await bob.locator('.your-name').fill('Bob');
    await bob.getByRole('button', { name: 'Sit down' }).click();
    await ann.getByRole('button', { name: 'Begin' }).click();
    for (const page of [ann, bob]) {
      await page.waitForSelector('main.table');
      await page.getByText('no aids are allowed').waitFor();
      assert.equal(await page.locator('.remaining').count(), 0);
      assert.equal(await page.locator('.score small').count(), 0);
      await page.locator('.zoom button').nth(4).click();
      assert.equal(await page.locator('.fields path').count(), 0);
    }
    for (const page of [ann, bob]) await leave(page);
  });

  test('tiles that a player made are played with at a table', async () => {
    const ann = await visit({ path: '/#online', seed: 7 });
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.locator('.own-tiles summary').click();
    await ann.locator('.own-tiles input[type=file]').setInputFiles({ name: 'my-village.toml', mimeType: 'text/plain', buffer: Buffer.from(VILLAGE) });
    await ann.locator('.own-tiles li').getByText('my-village.toml').waitFor();
    await ann.getByText('75 tiles').waitFor();
    await ann.getByRole('textbox', { name: 'Name of player 1' }).fill('Ann');
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.waitForSelector('.gathering');
    await ann.getByText('with 1 tiles of its own').waitFor();
    const bob = await follow(await ann.locator('.address').inputValue(), { seed: 8 });
    await bob.locator('.your-name').fill('Bob');
    await bob.getByRole('button', { name: 'Sit down' }).click();
    await ann.getByRole('button', { name: 'Begin' }).click();
    for (const page of [ann, bob]) {
      await page.waitForSelector('main.table');
      await page.locator('.remaining summary').click();
      await page.locator('.bag [aria-label*="(MV/RCr)"]').waitFor();
    }
    await move(ann, bob);
    await move(ann, bob);
    for (const page of [ann, bob]) await leave(page);
  });

  for (const [name, say, expected] of [
    ['no JSON', 'hello', 'does not understand'],
    ['no message', '{"x":1}', 'does not understand'],
    ['a message that is not known', '{"n":7,"news":"dance"}', ''],
    ['an input that is not legal', '{"n":7,"news":"input","seq":9,"number":1,"input":"lay 99,99","at":0,"hash":null,"clocks":null}', 'does not understand'],
    ['a number from far away', '{"n":7,"news":"input","seq":9,"number":99999,"input":"pass","at":0,"hash":null,"clocks":null}', 'does not understand'],
    ['a table with a broken setup', '', ''],
  ]) {
    test(`a server that sends ${name} harms nothing`, async () => {
      const page = await visit({ path: '/#online', seed: 7 });
      const table = await make(page);
      await page.routeWebSocket(/\/ws$/, (socket) => {
        const server = socket.connectToServer();
        server.onMessage((message) => {
          let text = `${message}`;
          if (!say) text = text.replace('"setup":"C2; seats 2"', '"setup":"C9; seats 77"');
          socket.send(text);
          if (say && text.includes('"hello"')) socket.send(say);
        });
      });
      await page.goto(`${ADDRESS}/#table=${table}`);
      // Sockets are routed from the next page on.
      await page.reload();
      if (expected) await page.locator('.connection').getByText(expected).waitFor();
      else if (!say) await page.getByRole('alert').getByText('C9').waitFor();
      else await page.waitForSelector('.gathering .seat');
      // The page is there still, and a game at this screen goes on.
      await page.getByRole('link', { name: 'Play', exact: true }).click();
      const seen = await settled(page);
      assert.ok(seen.n_squares > 0);
      await leave(page);
    });
  }
});

/** The example of docs/tiles.md, without its second tile. */
const VILLAGE = `
slug = "my-village"
prefix = "MV"

[[set]]
id = "my-village"
[set.tiles]
"MV/RCr" = 3

[[tile]]
id = "MV/RCr"
names = ["gate"]
segments = ["road E W", "city N | pennant", "field EL WR | touches N", "field ER SL SR WL"]
`;
