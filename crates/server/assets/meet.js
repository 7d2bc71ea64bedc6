// "Find me a game": waits until the server has found others, and goes to the table.
import { session } from '/identity.js';

// How often a request is repeated when the server cannot be reached, and after which pause in milliseconds.
const RETRIES = 5;
const PAUSE = 2000;

const element = (id) => document.querySelector(`#${id}`);
const pause = () => new Promise((done) => { setTimeout(done, PAUSE); });

// What the form says.
function read(form) {
  const fields = new FormData(form);
  const edition = fields.get('edition');
  return {
    name: fields.get('name'),
    kind: fields.get('kind'),
    editions: edition ? [edition] : [],
    pace: fields.get('pace'),
    players: fields.getAll('players').map(Number),
    rated: fields.has('rated'),
    bots: false,
  };
}

function complain(kind) {
  const problem = element('meet-problem');
  problem.textContent = problem.dataset[kind];
  problem.hidden = false;
}

// Asks once: the server answers when others are found, or after some seconds.
async function ask(wish, signal) {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/api/pairing', { method: 'POST', headers, body: JSON.stringify(wish), signal });
  if (answer.status === 422) return { status: 'impossible' };
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json();
}

// Asks until there is a result: paired, elsewhere, impossible, failed or stopped.
async function wait(wish) {
  let request = new AbortController();
  let isStopped = false;
  let failures = 0;
  element('stop-waiting').onclick = () => { isStopped = true; request.abort(); };
  element('with-bots').onclick = () => {
    wish.bots = true;
    element('bots').hidden = true;
    request.abort();
  };
  while (!isStopped) {
    if (request.signal.aborted) request = new AbortController();
    try {
      const answer = await ask(wish, request.signal);
      if (answer.status !== 'waiting') return answer;
      failures = 0;
      element('bots').hidden = !answer.offers_bots || wish.bots;
    } catch (why) {
      if (why.name === 'AbortError') continue;
      failures += 1;
      if (failures > RETRIES) return { status: 'failed' };
      await pause();
    }
  }
  return { status: 'stopped' };
}

// Waits with the wish of a form, which is hidden meanwhile.
export async function meet(form) {
  const wish = read(form);
  const problem = element('meet-problem');
  problem.hidden = true;
  if (wish.players.length === 0) return complain('impossible');
  const begun = Date.now();
  const clock = setInterval(() => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    element('waited').textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }, 500);
  form.hidden = true;
  element('bots').hidden = true;
  element('meeting').hidden = false;
  element('stop-waiting').focus();
  try {
    await session();
    const { status, path } = await wait(wish);
    if (status === 'paired') return location.assign(path);
    if (status !== 'stopped') complain(status);
  } catch {
    complain('failed');
  } finally {
    clearInterval(clock);
  }
  element('meeting').hidden = true;
  form.hidden = false;
}
