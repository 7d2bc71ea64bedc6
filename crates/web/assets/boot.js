import init, { mount } from './{{glue}}';

await init({ module_or_path: new URL('./{{wasm}}', import.meta.url) });
// The page can answer before it is filled.
await new Promise((done) => setTimeout(done));
mount();
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => {});
}
