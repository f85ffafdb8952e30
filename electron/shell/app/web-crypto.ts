import { webcrypto } from 'node:crypto';

// Must be imported first, because libraries read `globalThis.crypto` while they load, and the Node version in the oldest
// supported Electron does not have it.
if (!('crypto' in globalThis)) {
  Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true, writable: true });
}
