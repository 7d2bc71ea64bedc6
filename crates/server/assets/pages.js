// Forms of the pages: each is sent to the API as JSON, then the page is loaded again.

const problem = document.querySelector('#problem');

// The preferences chosen in the client; none without storage.
function preferences() {
  try {
    return JSON.parse(localStorage.getItem('towers.preferences')) ?? {};
  } catch {
    return {};
  }
}

const { theme, language, name } = preferences();
const isDark = theme === 'night' || (theme !== 'day' && matchMedia('(prefers-color-scheme: dark)').matches);
document.body.className = isDark ? 'wt-night' : 'wt-day';

// The client's language, where the address names none.
if (language && language !== document.documentElement.lang && !new URLSearchParams(location.search).has('lang')) {
  location.replace(`?lang=${language}${location.hash}`);
}

// The client's settings have the name of this device: other tables and games begin with it.
function keepName(name) {
  try {
    localStorage.setItem('towers.preferences', JSON.stringify({ ...preferences(), name }));
  } catch {
    // Without storage the client asks again.
  }
}

// Who is known here or on the server is not asked again: each takes the name from the other.
const player = document.querySelector(':is(form[data-meet], form[data-api="/api/person/name"]) input[name="name"]');
if (player?.value && !name) keepName(player.value);
if (player && name) player.value ||= name;

// What needs passkeys is hidden where the browser has none.
if (window.PublicKeyCredential) {
  for (const part of document.querySelectorAll('[data-if-passkeys]')) part.hidden = false;
}

// Browsers make keys only for pages by https and on the server itself.
const withKey = document.querySelectorAll(':is([data-begin], [data-recover], [data-passkey], [data-meet]) button');
if (!isSecureContext && withKey.length > 0) {
  document.querySelector('#insecure').hidden = false;
  for (const button of withKey) button.disabled = true;
}

async function send(path, fields) {
  const body = JSON.stringify(fields);
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.status === 204 ? {} : answer.json();
}

// Copies the text of an element. Pages without TLS have no clipboard: there it is selected.
async function copy(element, button) {
  getSelection().selectAllChildren(element);
  if (!navigator.clipboard) return;
  await navigator.clipboard.writeText(element.textContent);
  button.textContent = button.dataset.done;
}

// Shows the page about the person of whom this browser is a device now.
function showJoined() {
  const isThere = location.pathname === '/me';
  location.assign(`/me${location.search}#joined`);
  if (isThere) location.reload();
}

// Forgets what belongs to a person who was deleted: the keys, and which tables and results the client has noted.
async function forget() {
  for (const name of ['tables', 'board', 'board.sent']) localStorage.removeItem(`towers.${name}`);
  await (await import('/identity.js')).forget();
}

// Submits a form: by a script of its own if it has one, otherwise to the API.
async function submit(form) {
  const { api, begin, recover, show, sure, next, go, calls, webhook, scores, passkey, file, copy: copied } = form.dataset;
  if (sure && !confirm(sure)) return;
  if (form.dataset.print !== undefined) return print();
  if (copied) return copy(document.querySelector(`#${copied}`), form.querySelector('button'));
  const fields = { ...Object.fromEntries(new FormData(form)), ...JSON.parse(form.dataset.json ?? '{}') };
  if (fields.name && (form.dataset.meet !== undefined || api === '/api/person/name')) keepName(fields.name.trim());
  if (form.dataset.meet !== undefined) return (await import('/pages/meet.js')).meet(form);
  if (webhook) return (await import('/pages/calls.js')).webhook(form, fields);
  if (scores) await (await import('/pages/scores.js')).keep(scores === 'true');
  if (calls) {
    if (!(await (await import('/pages/calls.js')).submit(form, fields))) return;
  } else if (begin !== undefined) {
    // Somebody who is known keeps their name.
    const isNew = await (await import('/identity.js')).session();
    if (isNew && name) await send('/api/person/name', { name }).catch(() => {});
  } else if (passkey) {
    await (await import('/passkeys.js'))[passkey]();
    if (passkey === 'use') return showJoined();
  } else if (file) {
    return (await import('/devices.js'))[file](fields.file);
  } else if (recover !== undefined) {
    await (await import('/devices.js')).recover(fields.code);
    return showJoined();
  } else {
    const answer = await send(api, fields);
    if (form.dataset.forget !== undefined) await forget().catch(() => {});
    if (go) return location.assign(answer[go]);
    if (show) {
      const shown = answer[show];
      document.querySelector(`#${show}`).textContent = shown.startsWith('/') ? location.origin + shown : shown;
      form.hidden = true;
      form.parentElement.querySelector('[data-result]').hidden = false;
      return;
    }
  }
  if (next) location.assign(next);
  else location.reload();
}

// Deals of the day that were played here and have not been sent are sent now, if the server keeps them.
if (document.querySelector('form[data-scores]')) (await import('/pages/scores.js')).show();
if (document.querySelector('#call-problem')) import('/pages/calls.js');

// A chosen file is opened at once.
for (const chooser of document.querySelectorAll('form[data-file] input')) {
  chooser.addEventListener('change', () => chooser.form.requestSubmit());
}

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const near = (part) => part?.querySelector(':scope > [data-problem]');
  const warning = near(form.parentElement) ?? near(form.parentElement.parentElement) ?? problem;
  const buttons = form.querySelectorAll('button');
  buttons.forEach((button) => { button.disabled = true; });
  warning.hidden = true;
  try {
    await submit(form);
  } catch {
    warning.hidden = false;
  }
  buttons.forEach((button) => { button.disabled = false; });
});
