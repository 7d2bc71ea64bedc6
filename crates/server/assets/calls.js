// Forms of the pages about calls. A function returns whether the page is loaded again.
const language = document.documentElement.lang;

async function request(method, path, fields) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(path, { method, headers, body: fields && JSON.stringify(fields) });
  if (!answer.ok) throw Object.assign(new Error(`${path}: ${answer.status}`), { status: answer.status });
  return answer.status === 204 ? {} : answer.json();
}

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));

function complain(kind) {
  const problem = document.querySelector('#call-problem');
  problem.textContent = problem.dataset[kind];
  problem.hidden = false;
  return false;
}

// The language and the time zone, so that the server notifies at the right time and in the right language.
const place = () => ({ language, time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone ?? 'UTC' });

// Whether a subscription is for this key of a server. Browsers that do not tell keep the subscription.
function isFor({ options }, key) {
  const own = options?.applicationServerKey;
  return !own || new Uint8Array(own).join() === key.join();
}

async function subscribe() {
  if (!('PushManager' in window) || !navigator.serviceWorker) return complain('unsupported');
  if ((await Notification.requestPermission()) !== 'granted') return complain('blocked');
  const worker = await navigator.serviceWorker.register('/sw.js');
  await navigator.serviceWorker.ready;
  const { key } = await request('GET', '/api/push/key');
  const wish = { userVisibleOnly: true, applicationServerKey: bytes(key) };
  let subscription;
  try {
    // One for an earlier key of the server is of no use, and the browser accepts no other beside it.
    const earlier = await worker.pushManager.getSubscription();
    if (earlier && !isFor(earlier, wish.applicationServerKey)) await earlier.unsubscribe();
    subscription = await worker.pushManager.subscribe(wish);
  } catch {
    // The browser has no push service, or cannot reach it.
    return complain('failed');
  }
  await request('POST', '/api/person/calls', place());
  await request('POST', '/api/person/push', subscription.toJSON());
  return true;
}

async function unsubscribe() {
  const worker = await navigator.serviceWorker?.getRegistration();
  await (await worker?.pushManager?.getSubscription())?.unsubscribe();
  await request('DELETE', '/api/person/push');
  return true;
}

// Minutes after midnight of a field for times.
function minutes(text) {
  const [hours, rest] = text.split(':').map(Number);
  return hours * 60 + rest;
}

async function setQuietHours({ from, to }) {
  const quiet = from && to ? { from: minutes(from), to: minutes(to) } : null;
  await request('POST', '/api/person/calls', { ...place(), quiet });
  return true;
}

// Handles the form `data-calls`.
export async function submit(form, fields) {
  switch (form.dataset.calls) {
    case 'on': return subscribe();
    case 'off': return unsubscribe();
    case 'quiet': return setQuietHours(fields);
    case 'table':
      await request('POST', '/api/person/calls/tables', { table: form.dataset.table, on: form.dataset.on === 'true' });
      return true;
    default:
      await request('DELETE', '/api/person/calendar');
      return true;
  }
}

// Handles the form `data-webhook`. The result is shown below it.
export async function webhook(form, fields) {
  const { api, webhook: action } = form.dataset;
  const result = document.querySelector('#webhook-result');
  const isSet = document.querySelector('#webhook-is-set');
  const tell = (outcome, status) => {
    result.textContent = result.dataset[outcome].replace('%', status);
    result.classList.toggle('problem', outcome !== 'delivered' && outcome !== 'removed');
    result.hidden = false;
  };
  result.hidden = true;
  if (action === 'remove') {
    await request('DELETE', api);
    isSet.hidden = true;
    return tell('removed');
  }
  if (action === 'set') {
    try {
      await request('POST', api, { ...fields, language });
    } catch (why) {
      if (why.status !== 400) throw why;
      return tell('not_allowed');
    }
    form.reset();
    isSet.hidden = false;
  }
  const { outcome, status } = await request('POST', `${api}/test`);
  tell(outcome, status);
}

// The device is subscribed, but its browser blocks notifications.
if (document.querySelector('[data-calls=off]') && window.Notification?.permission === 'denied') complain('blocked');
