import init, { mount } from './{{glue}}';

await init({ module_or_path: new URL('./{{wasm}}', import.meta.url) });
mount();
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => {});
}
