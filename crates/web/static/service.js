// Keeps the client's files, so that it starts without a network.
const NAME = 'trencavel-{version}';
const FILES = {files};
oninstall = (event) => event.waitUntil((async () => {
  const kept = await caches.open(NAME);
  await kept.addAll(['./', ...FILES]);
  await self.skipWaiting();
})());
onactivate = (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) {
    if (name.startsWith('trencavel-') && name !== NAME) await caches.delete(name);
  }
  await self.clients.claim();
})());
onfetch = (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== 'GET' || url.origin !== location.origin) return;
  const path = url.pathname.slice(new URL('./', location.href).pathname.length);
  if (FILES.includes(path)) {
    event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
  } else if (event.request.mode === 'navigate') {
    event.respondWith(fetch(event.request).catch(() => caches.match('./', { cacheName: NAME })));
  }
};
