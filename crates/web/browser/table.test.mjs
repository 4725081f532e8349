// Not yet part of `cargo xtask test`: a game of two browsers over the server. Page and server must be built from the same source.
// Run by hand: `TRENCAVEL_URL=http://127.0.0.1:8420 node --test more.test.mjs`.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { leave, look, mouse, settled, start, stop, visit } from './harness.mjs';

describe('client', { timeout: 600_000 }, () => {
  before(start);
  after(stop);

  test('two browsers play at a table; one is reloaded in the middle of a turn', async () => {
    const ann = await visit({ path: '/#online', seed: 7 });
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.getByRole('textbox', { name: 'Name of player 1' }).fill('Ann');
    await ann.getByRole('button', { name: 'Make a table' }).click();
    await ann.waitForSelector('.gathering');
    const link = await ann.locator('.address').inputValue();
    const bob = await visit({ path: new URL(link).pathname + new URL(link).hash, wait: '.gathering', seed: 8 });
    await bob.locator('.your-name').fill('Bob');
    await bob.getByRole('button', { name: 'Sit down' }).click();
    await ann.getByText('Bob').first().waitFor();
    await ann.getByRole('button', { name: 'Begin' }).click();
    await Promise.all([ann, bob].map((page) => page.waitForSelector('main.table')));
    const hands = { ann: mouse(ann), bob: mouse(bob) };
    let reloaded = 0;
    for (let n = 0; n < 60; n += 1) {
      const [a, b] = await Promise.all([ann, bob].map(look));
      const [name, page, seen] = !a.thinking && !a.over ? ['ann', ann, a] : ['bob', bob, b];
      if (seen.thinking) {
        await Promise.race([ann, bob].map((p) => p.waitForSelector('.hand:not(.waits)', { timeout: 20_000 }).catch(() => {})));
        continue;
      }
      if (name === 'bob' && seen.tiles > 5 && !reloaded && !seen.n_squares) {
        // The tile is laid and not confirmed: after a reload it is in the hand again, and the game goes on.
        await bob.reload();
        await bob.waitForSelector('main.table');
        reloaded = (await settled(bob)).tiles;
        assert.equal(reloaded, seen.tiles - 1);
        continue;
      }
      await hands[name](seen, n);
    }
    assert.ok(reloaded > 0, 'the page was reloaded in the middle of a turn');
    await bob.getByRole('textbox', { name: 'Say something' }).fill('a good game');
    await bob.keyboard.press('Enter');
    await ann.getByText('a good game').waitFor();
    const eve = await visit({ path: new URL(link).pathname + new URL(link).hash, wait: 'main.table', seed: 9 });
    await eve.getByText('You are watching').waitFor();
    await bob.getByRole('button', { name: 'Resign' }).click();
    await bob.getByRole('button', { name: 'Really resign?' }).click();
    await ann.getByText('has resigned').first().waitFor();
    for (const page of [ann, bob, eve]) await leave(page);
  });
});
