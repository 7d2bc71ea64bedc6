import init, { think } from './{{glue}}';

const ready = init({ module_or_path: new URL('./{{wasm}}', import.meta.url) });
onmessage = async (event) => {
  await ready;
  postMessage(think(event.data));
};
