// The key pair of this device, with which it proves to the server who it is. The private key cannot leave the browser.
const KEYS = 'keys';
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

const result = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

async function store(mode) {
  const opening = indexedDB.open('towers-identity', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(KEYS);
  return (await result(opening)).transaction(KEYS, mode).objectStore(KEYS);
}

const read = async () => result((await store('readonly')).get(KEYS));

async function keys() {
  const kept = await read();
  if (kept) return kept;
  const fresh = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify']);
  // Another window may have been faster: its keys stay.
  await result((await store('readwrite')).add(fresh, KEYS)).catch(() => {});
  return read();
}

export const base64url = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

// Sends a request about the person of this device: `post('name', { name })`. Fails with the server's refusal.
export async function post(path, body = {}) {
  const answer = await fetch(`/api/person/${path}`, { method: 'POST', body: JSON.stringify(body) });
  const content = answer.status === 200 || !answer.ok ? await answer.json() : {};
  if (!answer.ok) throw content;
  return content;
}

// What proves to the server that this device has its key, for one purpose. Without a challenge it gets one.
export async function proof(purpose, given) {
  const { privateKey, publicKey } = await keys();
  const challenge = given ?? (await post('challenge')).challenge;
  const text = new TextEncoder().encode(`towers ${purpose} ${challenge}`);
  return {
    challenge,
    public_key: base64url(await crypto.subtle.exportKey('raw', publicKey)),
    signature: base64url(await crypto.subtle.sign(ALGORITHM, privateKey, text)),
  };
}

// Makes sure that the browser has a cookie of a session. Nothing is signed if it has one. Returns whether the person is new.
export async function session() {
  const { signed_in } = await (await fetch('/api/person/session')).json();
  return !signed_in && (await post('session', await proof('session'))).new;
}

// Forgets the key pair and the subscription for notifications: the next session is that of a new person.
export async function forget() {
  await result((await store('readwrite')).delete(KEYS));
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
}
