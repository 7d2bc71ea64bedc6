import init, { mount } from './{{glue}}';

// The first picture comes first and has the line for itself. Nothing waits where the program is kept already, nor for long in
// the background, where there is no picture.
if (!navigator.serviceWorker?.controller) {
  await new Promise((done) => {
    setTimeout(done, 1000);
    new PerformanceObserver(done).observe({ type: 'paint', buffered: true });
  });
}
await init({ module_or_path: new URL('./{{wasm}}', import.meta.url) });
// The page can answer before it is filled.
await new Promise((done) => setTimeout(done));
mount();
if ('serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => {});
}
