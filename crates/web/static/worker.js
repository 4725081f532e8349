// A computer player: the client's own module in a thread of its own, so that the page never waits for it.
import init, { think, weigh } from './{client.js}';
const ready = init({ module_or_path: './{client.wasm}' });
onmessage = async ({ data }) => {
  await ready;
  let answer = '';
  try {
    answer = data.level === undefined
      ? weigh(data.game, data.at, data.milliseconds)
      : think(data.game, data.level, data.milliseconds);
  } catch (error) {
    answer = '';
  }
  postMessage({ number: data.number, answer });
};
