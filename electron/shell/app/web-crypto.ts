import { webcrypto } from 'node:crypto';

// Imported before everything else: libraries read `globalThis.crypto` while they load, and the oldest
// Electron we run on has a Node that lacks it.
if (!('crypto' in globalThis)) {
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true, writable: true });
}
