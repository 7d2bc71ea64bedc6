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
    // The newest page if the server can be reached, otherwise the cached one.
    event.respondWith(fetch(request).catch(() => caches.match('index.html')));
  } else if (FILES.some((file) => url.pathname.endsWith(file))) {
    event.respondWith(caches.match(request, { ignoreSearch: true }).then((kept) => kept || fetch(request)));
  }
});

// The number of tables that wait for this person, on the icon of the installed game.
const setBadge = async (waiting) => {
  if (!self.navigator.setAppBadge) return;
  await (waiting > 0 ? self.navigator.setAppBadge(waiting) : self.navigator.clearAppBadge());
};

const show = async (message) => {
  await self.registration.showNotification(message.title, {
    tag: message.tag,
    renotify: true,
    body: message.body,
    lang: message.lang,
    icon: 'icon-192.png',
    data: message.place,
  });
};

const close = async (tag) => {
  const shown = await self.registration.getNotifications({ tag });
  shown.forEach((notification) => notification.close());
};

// A message of the server: a decision has opened, or was taken on another device.
self.addEventListener('push', (event) => {
  const message = event.data ? event.data.json() : {};
  const done = message.kind === 'call' ? show(message) : close(message.tag);
  // Without a place for badges the notification is enough.
  event.waitUntil(Promise.all([done, setBadge(message.waiting || 0).catch(() => {})]));
});

// The browser has replaced its subscription: the server needs the new one.
self.addEventListener('pushsubscriptionchange', (event) => {
  const renew = async () => {
    const old = event.oldSubscription;
    const fresh = event.newSubscription || (old && await self.registration.pushManager.subscribe(old.options));
    if (!fresh) return;
    await fetch('/api/person/push', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fresh),
    });
  };
  event.waitUntil(renew());
});

// A click on a notification opens its table, in a window that already shows it if there is one.
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
