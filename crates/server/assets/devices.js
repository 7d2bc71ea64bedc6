// Adding a device to a person: by six words that only two devices know, or by the recovery code.
import { post, proof } from './identity.js';

const ROUNDS = 600_000;
const WORDS = 6;

const encode = (text) => new TextEncoder().encode(text);
const hex = (bytes) => [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const through = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));

// What both devices derive from the words: the name under which the server keeps the bundle, and the key to it.
async function derive(phrase) {
  const words = phrase.toLowerCase().match(/[a-z]+/g) ?? [];
  const secret = await crypto.subtle.importKey('raw', encode(words.join(' ')), 'PBKDF2', false, ['deriveBits']);
  const how = { name: 'PBKDF2', hash: 'SHA-256', salt: encode('wandering towers device'), iterations: ROUNDS };
  const bits = await crypto.subtle.deriveBits(how, secret, 512);
  const key = await crypto.subtle.importKey('raw', bits.slice(32), 'AES-GCM', false, ['encrypt', 'decrypt']);
  return { lookup: hex(bits.slice(0, 32)), key };
}

// Offers this person to another device, with what is stored here. Returns the words.
export async function invite(bundle) {
  const list = await (await fetch('/api/person/words')).json();
  // The list has 2048 words, so that every word is equally likely.
  const numbers = crypto.getRandomValues(new Uint16Array(WORDS));
  const phrase = [...numbers].map((number) => list[number % list.length]).join(' ');
  const { lookup, key } = await derive(phrase);
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const packed = await through(encode(bundle), new CompressionStream('gzip')).arrayBuffer();
  const sealed = new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, packed));
  let text = '';
  for (const byte of [...iv, ...sealed]) text += String.fromCharCode(byte);
  await post('links', { lookup, bundle: btoa(text) });
  return phrase;
}

// Makes this device one of the person's who offered these words. Returns what was stored there.
export async function claim(phrase) {
  const { lookup, key } = await derive(phrase);
  const { bundle } = await post('links/claim', { lookup, ...(await proof('claim')) });
  const bytes = Uint8Array.from(atob(bundle), (letter) => letter.charCodeAt(0));
  const packed = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: bytes.slice(0, 12) }, key, bytes.slice(12));
  return through(packed, new DecompressionStream('gzip')).text();
}

// Everything that this device stores, as `Shelf::bundle` of the client writes it.
function bundle() {
  const names = Object.keys(localStorage).filter((name) => name.startsWith('towers.'));
  const stored = Object.fromEntries(names.map((name) => [name, localStorage.getItem(name)]));
  return JSON.stringify({ wandering_towers_bundle: 1, stored });
}

// Saves what this device stores in a file.
export function save() {
  const file = document.createElement('a');
  file.href = URL.createObjectURL(new Blob([bundle()], { type: 'application/json' }));
  file.download = 'wandering-towers-device.json';
  file.click();
  setTimeout(() => URL.revokeObjectURL(file.href), 60_000);
}

const OPENED = 'towers-opened-file';

// Opens such a file. The client merges its contents.
export async function open(file) {
  const text = await file.text();
  if (!JSON.parse(text).wandering_towers_bundle) throw new Error('another file');
  sessionStorage.setItem(OPENED, text);
  location.assign('/#device');
}

// The file that was opened just now, once.
export function opened() {
  const text = sessionStorage.getItem(OPENED);
  sessionStorage.removeItem(OPENED);
  return text;
}

// Makes this device one of the person's who has this recovery code.
export async function recover(code) {
  await post('recover', { code, ...(await proof('recover')) });
}
