// The list of files and the name of the cache are filled in by the build.
const CACHE = 'towers-{{version}}';
const FILES = ['{{files}}'];

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const old = (name) => name.startsWith('towers-') && name !== CACHE;
  event.waitUntil(
    caches.keys()
      .then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    // The newest page if there is a network, the kept one if not.
    event.respondWith(fetch(request).catch(() => caches.match('index.html')));
  } else if (FILES.some((file) => url.pathname.endsWith(file))) {
    event.respondWith(caches.match(request, { ignoreSearch: true }).then((kept) => kept || fetch(request)));
  }
});

// Whoever clicks a notification is led to the table it is about.
self.addEventListener('notificationclick', (event) => {
  const place = event.notification.data || '';
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: 'window', includeUncontrolled: true }).then((pages) => {
      const page = pages.find((open) => open.url.endsWith(place));
      return page ? page.focus() : self.clients.openWindow('/' + place);
    }),
  );
});
