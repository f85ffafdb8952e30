import { createConnection } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { ScriptError } from './entry.mjs';

const X_PORT = 6000;
const CONNECT_LIMIT_MS = 5_000;

/**
 * @typedef {import('node:net').NetConnectOpts} Address
 * @typedef {(address: Address) => Promise<boolean>} Connects whether the address accepts a connection
 */

/**
 * Returns changes to the environment that unset the variables of displays that do not accept connections; the value undefined
 * unsets a variable. Throws if the environment names displays and none of them accepts a connection, because Chromium would
 * abort without naming the cause.
 * @param {NodeJS.ProcessEnv} [env]
 * @param {string} [platform]
 * @param {Connects} [connects]
 * @returns {Promise<Record<string, string | undefined>>}
 */
export async function requireDisplay(env = process.env, platform = process.platform, connects = canConnect) {
  if (platform !== 'linux') return {};
  const displays = [
    { name: 'DISPLAY', value: env.DISPLAY, addresses: xAddresses(env.DISPLAY ?? '') },
    { name: 'WAYLAND_DISPLAY', value: env.WAYLAND_DISPLAY, addresses: waylandAddresses(env) },
  ].filter(({ value }) => value);
  const dead = [];
  for (const display of displays) {
    if (!(await anyConnects(display.addresses, connects))) dead.push(display);
  }
  if (dead.length === displays.length && dead.length > 0) throw deadDisplays(dead);
  return Object.fromEntries(dead.map(({ name }) => [name, undefined]));
}

/** @param {{ name: string, value: string | undefined }[]} dead */
function deadDisplays(dead) {
  const names = dead.map(({ name }) => name).join(' and ');
  const [first] = dead;
  const subject = dead.map(({ name, value }) => `${name}=${value}`).join(' and ');
  return new ScriptError(
    `${subject} ${dead.length === 1 ? 'does' : 'do'} not answer: no display takes a connection there.`,
    `Unset ${names} to let the panel start a virtual display of its own, or set ${first?.name} to a display that runs.`,
  );
}

/** Returns the addresses at which Xlib would look for the X server of a DISPLAY. @param {string} display @returns {Address[]} */
export function xAddresses(display) {
  const match = /^(.*):(\d+)(?:\.\d+)?$/.exec(display);
  if (match === null) return [];
  const [, host = '', number] = match;
  const port = X_PORT + Number(number);
  if (host.startsWith('/')) return [{ path: display }, { path: host }];
  const name = host.replace(/^(tcp|inet6?)\//, '').replace(/^\[(.*)\]$/, '$1');
  if (name !== '' && name !== 'unix') return [{ host: name, port }];
  const path = `/tmp/.X11-unix/X${number}`;
  return [{ path: `\0${path}` }, { path }, { host: 'localhost', port }];
}

/** @param {NodeJS.ProcessEnv} env @returns {Address[]} */
function waylandAddresses({ WAYLAND_DISPLAY: name = '', XDG_RUNTIME_DIR: folder = '' }) {
  if (isAbsolute(name)) return [{ path: name }];
  return isAbsolute(folder) ? [{ path: join(folder, name) }] : [];
}

/** @param {Address[]} addresses @param {Connects} connects */
async function anyConnects(addresses, connects) {
  for (const address of addresses) if (await connects(address)) return true;
  return false;
}

/** @param {Address} address @returns {Promise<boolean>} */
function canConnect(address) {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    const settle = (/** @type {boolean} */ isThere) => {
      socket.destroy();
      resolve(isThere);
    };
    socket.setTimeout(CONNECT_LIMIT_MS, () => settle(false));
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}
