// Sends finished deals of the day of this device, for people whose results the server keeps.

// Whether the client sends results by itself, and which games were sent.
const WISH = 'towers.board';
const SENT = 'towers.board.sent';
const MAX_SENT = 30;

const read = (name, otherwise) => {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
};

// Finished deals of this device, latest first.
const finished = () => read('towers.games', []).filter((game) => game.over && game.plan.daily);

// Stores whether the server keeps the results of this person, and makes sure that there is one.
export async function keep(does) {
  await (await import('/identity.js')).session();
  if (does) localStorage.setItem(WISH, 'true');
  else localStorage.removeItem(WISH);
}

// Sends what was not sent. Returns whether anything was accepted.
async function send() {
  const sent = read(SENT, []);
  let isNew = false;
  for (const { id, plan } of finished().filter((game) => !sent.includes(game.id))) {
    const body = JSON.stringify({ day: plan.daily, record: localStorage.getItem(`towers.game.${id}`) });
    const answer = await fetch('/api/daily/results', { method: 'POST', body });
    isNew ||= answer.ok;
    // What is refused now, for instance because its day is over, stays refused.
    if (answer.ok || answer.status === 422) sent.unshift(id);
  }
  localStorage.setItem(SENT, JSON.stringify(sent.slice(0, MAX_SENT)));
  return isNew;
}

// On the page of scores: a link to the replay of today's deal, and sending if the server keeps results.
export async function show() {
  const link = document.querySelector('#own-replay');
  const { day } = link.dataset;
  const game = finished().find(({ plan }) => plan.daily === day);
  if (game) {
    link.querySelector('a').href = `/#replay/${game.id}`;
    link.hidden = false;
  }
  // What was chosen on one device holds for all of them, and not for another person of this one.
  if (!document.querySelector('form[data-scores="false"]')) return localStorage.removeItem(WISH);
  localStorage.setItem(WISH, 'true');
  if (await send()) location.reload();
}
