// Passkeys: another way to the person of this device, which browsers and password managers carry between devices.
import { base64url, post, proof } from './identity.js';

const bytes = (text) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

// The fields of a response that the server reads, as text.
function written(response, names) {
  return Object.fromEntries(names.map((name) => [name, base64url(response[name])]));
}

// Makes a passkey for the person of this device.
export async function add() {
  const options = await post('passkeys/options');
  const publicKey = {
    ...options,
    challenge: bytes(options.challenge),
    user: { ...options.user, id: bytes(options.user.id) },
    excludeCredentials: options.excludeCredentials.map((known) => ({ ...known, id: bytes(known.id) })),
  };
  const { rawId, response } = await navigator.credentials.create({ publicKey });
  const transports = response.getTransports?.() ?? [];
  const made = { ...written(response, ['clientDataJSON', 'attestationObject']), transports };
  await post('passkeys', { challenge: options.challenge, credential: { rawId: base64url(rawId), response: made } });
}

// Makes this device one of the person's whose passkey is used.
export async function use() {
  const options = await post('passkeys/challenge');
  const publicKey = { ...options, challenge: bytes(options.challenge) };
  const { rawId, response } = await navigator.credentials.get({ publicKey });
  const credentialId = base64url(rawId);
  const signed = written(response, ['clientDataJSON', 'authenticatorData', 'signature']);
  const credential = { rawId: credentialId, response: signed };
  try {
    await post('passkeys/sign-in', { credential, ...(await proof('passkey', options.challenge)) });
  } catch (refusal) {
    // The browser no longer offers a passkey that was removed.
    if (refusal.code === 'no_link') {
      await PublicKeyCredential.signalUnknownCredential?.({ rpId: options.rpId, credentialId }).catch(() => {});
    }
    throw refusal;
  }
}
