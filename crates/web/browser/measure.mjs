// Measures what players feel: how soon the first board is there, how soon a press is answered, what panning costs.
// Run by hand: `TRENCAVEL_URL=http://127.0.0.1:8420 node measure.mjs`; the figures are in docs/client.md.
import { readFileSync } from 'node:fs';
import { leave, mouse, settled, start, stop, visit } from './harness.mjs';

/** A folder with games of 150 and 300 tiles (`150.game`, `300.game`); without one they are played first, which takes minutes. */
const BOARDS = process.env.TRENCAVEL_BOARDS;

const MEGA = 'abbot river inns-and-cathedrals traders-and-builders phantom princess-and-dragon tower abbey-and-mayor festival russian-promos hungarian-promo';

/** A game of computer players, played in the page until so many tiles lie on the board. */
async function board(tiles, sets) {
  const page = await visit({ seed: 20 });
  await page.evaluate(({ MEGA, sets }) => localStorage.setItem('trencavel.game',
    `trencavel game 1\nsetup C2; seats 2; with ${MEGA}${sets}\nnames A; B\nnote player-1 computer greedy\nnote player-2 computer greedy\n`), { MEGA, sets });
  await page.reload();
  await page.evaluate((tiles) => new Promise((resolve) => {
    const ask = () => {
      if (document.querySelectorAll('.tiles > g').length >= tiles || document.querySelector('.ending')) resolve();
      else setTimeout(ask, 200);
    };
    ask();
  }), tiles);
  const text = await page.evaluate(() => localStorage.getItem('trencavel.game'));
  await leave(page);
  // From now on people play it.
  return text.replace(/^note player-.*\n/gm, '');
}

/** Script, style and layout in a stretch of time, by the browser's tracing, in milliseconds of processor time for each frame. */
async function traced(page, act) {
  const client = await page.context().newCDPSession(page);
  const events = [];
  client.on('Tracing.dataCollected', ({ value }) => events.push(...value));
  await client.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories: ['devtools.timeline', 'disabled-by-default-devtools.timeline'] } });
  await act();
  const done = new Promise((resolve) => { client.once('Tracing.tracingComplete', resolve); });
  await client.send('Tracing.end');
  await done;
  const sum = (names) => events.filter((e) => e.ph === 'X' && names.includes(e.name)).reduce((ms, e) => ms + (e.tdur ?? e.dur) / 1000, 0);
  const frames = events.filter((e) => e.name === 'BeginMainThreadFrame' || e.name === 'Commit').length;
  // All that the page's own thread did, in processor time: what else runs on the machine does not count.
  const thread = events.find((e) => e.name === 'Commit' || e.name === 'BeginMainThreadFrame')?.tid;
  const own = events.filter((e) => e.ph === 'X' && e.name === 'RunTask' && e.tid === thread);
  const busy = own.reduce((ms, e) => ms + (e.tdur ?? e.dur) / 1000, 0);
  const of = {
    busy,
    script: sum(['FunctionCall', 'EvaluateScript', 'RunMicrotasks']),
    style: sum(['UpdateLayoutTree', 'RecalculateStyles']),
    layout: sum(['Layout']),
    prepaint: sum(['PrePaint', 'UpdateLayerTree']),
    paint: sum(['Paint', 'Layerize']),
  };
  return { frames, ...Object.fromEntries(Object.entries(of).map(([k, ms]) => [k, +(ms / Math.max(frames, 1)).toFixed(2)])) };
}

await start();

// 1. The first board from a cold cache.
const times = [];
for (let i = 0; i < 5; i += 1) {
  const page = await visit({ wait: '.tiles > g' });
  await settled(page);
  times.push(await page.evaluate(() => new Promise((resolve) => {
    requestAnimationFrame(() => resolve(performance.now()));
  })));
  if (i === 0) {
    const bytes = await page.evaluate(() => performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation'))
      .reduce((sum, entry) => sum + (/worker|book/.test(entry.name) ? 0 : entry.encodedBodySize), 0));
    console.log(`first move: ${(bytes / 1000).toFixed(0)} KB`);
  }
  await leave(page);
}
console.log(`first board, cold: ${times.map((t) => t.toFixed(0)).join(', ')} ms`);

// 2. A press on a large board.
for (const [tiles, sets] of [[150, ''], [300, '; sets basic:2=3']]) {
  const text = BOARDS ? readFileSync(`${BOARDS}/${tiles}.game`, 'utf8') : await board(tiles, sets);
  const page = await visit({ seed: 21, settings: { 'auto-fit': 'false' } });
  await page.evaluate((text) => localStorage.setItem('trencavel.game', text), text);
  await page.reload();
  let seen = await settled(page);
  console.log(`board of ${seen.tiles} tiles`);
  const answers = [];
  const hands = mouse(page);
  for (let n = 0; n < 30 && !seen.squares.length; n += 1) {
    await hands(seen, n);
    seen = await settled(page);
  }
  const press = seen.squares[0];
  const work = await traced(page, async () => {
    await page.mouse.click(press.x, press.y);
    await page.waitForTimeout(300);
  });
  console.log(`a press, milliseconds of processor time in all its ${work.frames} frames: ${(work.busy * Math.max(work.frames, 1)).toFixed(1)}`);
  await page.keyboard.press('Escape');
  await settled(page);
  for (const at of seen.squares.slice(0, 12)) {
    await page.evaluate(() => {
      window.answered = new Promise((resolve) => {
        addEventListener('pointerdown', (down) => {
          // The frame that shows the answer, and the task after it.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - down.timeStamp)));
        }, { once: true, capture: true });
      });
    });
    await page.mouse.click(at.x, at.y);
    answers.push(await page.evaluate(() => window.answered));
    await page.keyboard.press('Escape');
    seen = await settled(page);
  }
  console.log(`press to frame: ${answers.map((t) => t.toFixed(0)).join(', ')} ms`);
  const box = await page.locator('.board > .over').boundingBox();
  const cost = await traced(page, async () => {
    await page.mouse.move(box.x + 200, box.y + 300);
    await page.mouse.down();
    for (let i = 0; i < 120; i += 1) {
      await page.mouse.move(box.x + 200 + i * 3, box.y + 300 + Math.sin(i / 9) * 90);
    }
    await page.mouse.up();
  });
  console.log(`panning, milliseconds a frame: ${JSON.stringify(cost)}`);
  await leave(page);
}
await stop();
