import init, { respond } from './{{worker-glue}}';

const ready = init({ module_or_path: new URL('./{{worker-wasm}}', import.meta.url) });
onmessage = async (event) => {
  try {
    await ready;
    postMessage(respond(event.data));
  } catch (error) {
    // The page must not wait forever: an empty response means that this worker has failed.
    console.error(error);
    postMessage('');
  }
};
