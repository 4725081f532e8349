// Starts the client, or says why it cannot.
const fault = (text) => {
  const p = document.createElement('p');
  p.className = 'fault';
  p.setAttribute('role', 'alert');
  p.textContent = text;
  (document.getElementById('wait') ?? document.body).replaceChildren(p);
};
try {
  if (typeof WebAssembly !== 'object') throw new Error('this browser has no WebAssembly');
  const { default: init, start_page } = await import('./{client.js}');
  await init({ module_or_path: './{client.wasm}' });
  document.getElementById('wait').remove();
  start_page();
} catch (error) {
  fault(`Trencavel could not start: ${error.message}. Reload the page; if that does not help, a newer browser will.`);
}
if ('serviceWorker' in navigator) navigator.serviceWorker.register('./service.js').catch(() => {});
