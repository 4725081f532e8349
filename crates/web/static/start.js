// Starts the client, or says why it cannot.
const fault = (text) => {
  const p = document.createElement('p');
  p.className = 'fault';
  p.setAttribute('role', 'alert');
  p.textContent = text;
  (document.getElementById('wait') ?? document.body).replaceChildren(p);
};
// The page's texts are in the client, which is not there yet.
const french = () => {
  let language = navigator.language;
  try {
    language = /^language (..)/m.exec(localStorage.getItem('trencavel.settings'))?.[1] ?? language;
  } catch { /* storage is denied */ }
  return language.startsWith('fr');
};
const say = (why) => (french()
  ? `Trencavel n’a pas pu commencer : ${why}. Rechargez la page ; si cela n’aide pas, un navigateur plus récent le fera.`
  : `Trencavel could not start: ${why}. Reload the page; if that does not help, a newer browser will.`);
try {
  if (typeof WebAssembly !== 'object') throw new Error(french() ? 'ce navigateur n’a pas WebAssembly' : 'this browser has no WebAssembly');
  const { default: init, start_page } = await import('./{client.js}');
  await init({ module_or_path: './{client.wasm}' });
  document.getElementById('wait').remove();
  start_page();
} catch (error) {
  fault(say(error.message));
}
if ('serviceWorker' in navigator) navigator.serviceWorker.register('./service.js').catch(() => {});
