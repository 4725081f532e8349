// A computer player: the client's own module in a thread of its own, so that the page never waits for it.
import init, { survey, think, weigh } from './{client.js}';
const ready = init({ module_or_path: './{client.wasm}' });
onmessage = async ({ data }) => {
  await ready;
  let answer = '';
  try {
    if (data.survey) answer = survey(data.game, data.milliseconds, (told) => postMessage({ number: data.number, told }));
    else if (data.level === undefined) answer = weigh(data.game, data.at, data.milliseconds);
    else answer = think(data.game, data.level, data.milliseconds);
  } catch (error) {
    answer = '';
  }
  postMessage({ number: data.number, answer });
};
