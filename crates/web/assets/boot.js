import init, { mount } from './{{page-glue}}';

// On a first visit, load the program only after the first paint, so that both do not compete for the network. Pages in the
// background are not painted, so there is a timeout.
if (!navigator.serviceWorker?.controller) {
  await new Promise((done) => {
    setTimeout(done, 1000);
    new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
  });
}
// Start to load the texts together with the program. The language is a guess: the program decides which file it reads.
try {
  const chosen = JSON.parse(localStorage.getItem('towers.preferences'))?.language;
  const codes = [chosen, ...navigator.languages, 'en'].map((code) => code?.slice(0, 2));
  const texts = (code) => document.querySelector(`meta[name="texts-${code}"]`)?.content;
  fetch(texts(codes.find(texts))).catch(() => {});
} catch {
  // Without storage there is no guess.
}

// The page asks for a session before it connects to a table. Without one, a table knows the device by its token.
let asked;
window.towersSession = () => asked ??= Promise.race([
  import('/identity.js').then((identity) => identity.session()).catch(() => {}),
  new Promise((done) => setTimeout(done, 3000)),
]);

// The service worker loads bots, other languages and rules as well. On a first visit it does so once a decision is on the
// screen. Later it is registered at once, to look for a new version.
let kept;
window.towersKeep = () => {
  kept ??= navigator.serviceWorker?.register('/sw.js').catch(() => {});
};

window.towersDevices = () => import('/devices.js');

// Shares a link or a text by the sheet of the system, or copies it where there is none. Returns whether it was copied.
window.towersShare = async (text) => {
  if (navigator.share) {
    // Closing the sheet is not an error.
    await navigator.share(text.startsWith('http') ? { url: text } : { text }).catch(() => {});
    return false;
  }
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Pages without TLS have no clipboard.
    const field = document.body.appendChild(document.createElement('textarea'));
    const before = document.activeElement;
    field.value = text;
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    before?.focus();
    return isCopied;
  }
};

await init({ module_or_path: new URL('./{{page-wasm}}', import.meta.url) });
// Let the browser handle input before the page is filled.
await new Promise((done) => setTimeout(done));
if (!(await mount())) {
  document.querySelector('#waiting').textContent = 'Wandering Towers could not be loaded. Please reload the page.';
}
if (navigator.serviceWorker?.controller) window.towersKeep();
