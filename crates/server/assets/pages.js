// Forms of the pages: each is sent to the API as JSON, then the page is loaded again.

const problem = document.querySelector('#problem');

// The theme of the client: the reader's choice, or the one of the system.
function theme() {
  try {
    const chosen = JSON.parse(localStorage.getItem('towers.preferences') ?? '{}').theme;
    if (chosen === 'day' || chosen === 'night') return chosen;
  } catch {
    // Without storage the system decides.
  }
  return matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'day';
}
document.body.className = `wt-${theme()}`;

async function send(path, fields) {
  const body = JSON.stringify(fields);
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.status === 204 ? {} : answer.json();
}

// Waits until the server has found others, and goes to the table. Bots take free seats if wanted.
async function meet({ name, players, pace }) {
  const wish = { name, pace, players: [Number(players)], bots: false };
  const bots = document.querySelector('#bots');
  document.querySelector('#meeting').hidden = false;
  bots.querySelector('button').onclick = () => { wish.bots = true; };
  for (;;) {
    const answer = await send('/api/pairing', wish);
    if (answer.status === 'paired') return location.assign(answer.path);
    if (answer.status !== 'waiting') return;
    bots.hidden = !answer.offers_bots;
  }
}

// What a form does, and whether the page is loaded again afterwards.
async function submit(form) {
  const { api, begin, recover, show, sure, next, calls, webhook } = form.dataset;
  if (sure && !confirm(sure)) return;
  const fields = Object.fromEntries(new FormData(form));
  if (form.dataset.meet !== undefined) return meet(fields);
  if (webhook) return (await import('/pages/calls.js')).webhook(form, fields);
  if (calls) {
    if (!(await (await import('/pages/calls.js')).submit(form, fields))) return;
  } else if (begin !== undefined) {
    await (await import('/identity.js')).session();
  } else if (recover !== undefined) {
    await (await import('/devices.js')).recover(fields.code);
    location.assign('/me' + location.search);
    return;
  } else {
    const answer = await send(api, fields);
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

if (document.querySelector('#call-problem')) import('/pages/calls.js');

document.addEventListener('submit', async (event) => {
  event.preventDefault();
  const form = event.target;
  const warning = form.parentElement.querySelector('[data-problem]') ?? problem;
  const button = form.querySelector('button');
  button.disabled = true;
  warning.hidden = true;
  try {
    await submit(form);
  } catch {
    warning.hidden = false;
  }
  button.disabled = false;
});
