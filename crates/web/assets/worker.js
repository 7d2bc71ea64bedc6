import init, { think } from './{{glue}}';

const ready = init({ module_or_path: new URL('./{{wasm}}', import.meta.url) });
onmessage = async (event) => {
  await ready;
  try {
    postMessage(think(event.data));
  } catch (why) {
    // Whoever asked must not wait for ever: an empty answer means that this worker is done for.
    console.error(why);
    postMessage('');
  }
};
