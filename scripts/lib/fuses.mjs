import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Electron's switches for what its binary lets happen, in the order of the wire, under electron-builder's names. */
const FUSES = [
  'runAsNode',
  'enableCookieEncryption',
  'enableNodeOptionsEnvironmentVariable',
  'enableNodeCliInspectArguments',
  'enableEmbeddedAsarIntegrityValidation',
  'onlyLoadAppFromAsar',
  'loadBrowserProcessSpecificV8Snapshot',
  'grantFileProtocolExtraPrivileges',
];

const SENTINEL = Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX');
const WIRE_VERSION = 1;
const REMOVED = 'r'.charCodeAt(0);
const ON = '1'.charCodeAt(0);
const CHUNK_BYTES = 8 * 1024 * 1024;

/** The file that carries the fuses of an unpacked Electron. */
export function fuseFile(/** @type {string} */ distPath, /** @type {string} */ executablePath) {
  const framework = 'Electron.app/Contents/Frameworks/Electron Framework.framework/Electron Framework';
  return process.platform === 'darwin' ? join(distPath, framework) : executablePath;
}

/**
 * The fuses that this binary has, by name, and whether each is on; older runtimes lack the last ones.
 * @param {string} file @returns {Map<string, boolean>}
 */
export function readFuses(file) {
  const wire = findWire(file);
  if (wire === undefined) throw new Error(`"${file}" has no fuse wire; Electron 12 or newer is expected.`);
  const [version, length = 0] = wire;
  if (version !== WIRE_VERSION)
    throw new Error(`"${file}" has fuse wire version ${version}; ${WIRE_VERSION} is known.`);
  const states = FUSES.map(
    (name, index) => /** @type {const} */ ([name, index < length ? wire[2 + index] : REMOVED]),
  );
  return new Map(
    states.filter(([, state]) => state !== REMOVED).map(([name, state]) => [name, state === ON]),
  );
}

/**
 * What follows the sentinel: version, length, one byte for each fuse. Read in pieces: the file is huge.
 * @param {string} file @returns {Buffer | undefined}
 */
function findWire(file) {
  const descriptor = openSync(file, 'r');
  // Neighbouring pieces overlap, so that a wire across their border is found whole.
  const overlap = SENTINEL.length + 2 + 255;
  const chunk = Buffer.alloc(CHUNK_BYTES + overlap);
  try {
    for (let position = 0; ; position += CHUNK_BYTES) {
      const bytes = readSync(descriptor, chunk, 0, chunk.length, position);
      if (bytes === 0) return undefined;
      const at = chunk.subarray(0, bytes).indexOf(SENTINEL);
      if (at >= 0 && at < CHUNK_BYTES) return Buffer.from(chunk.subarray(at + SENTINEL.length, bytes));
    }
  } finally {
    closeSync(descriptor);
  }
}

/**
 * The fuses that an electron-builder configuration sets, and to what.
 * @param {string} yaml @returns {Map<string, boolean>}
 */
export function configuredFuses(yaml) {
  return new Map(fuseLines(yaml).map((line) => [fuseOf(line), /:\s*true\b/.test(line)]));
}

/** The configuration without these fuses; electron-builder fails on one that the binary lacks. */
export function withoutFuses(/** @type {string} */ yaml, /** @type {readonly string[]} */ names) {
  const dropped = fuseLines(yaml).filter((line) => names.includes(fuseOf(line)));
  return yaml
    .split('\n')
    .filter((line) => !dropped.includes(line))
    .join('\n');
}

function fuseOf(/** @type {string} */ line) {
  return String(line.trim().split(':')[0]);
}

/** The settings below `electronFuses:`, whose block is kept flat. @param {string} yaml */
function fuseLines(yaml) {
  const lines = yaml.split('\n');
  const start = lines.indexOf('electronFuses:') + 1;
  if (start === 0) return [];
  const end = lines.findIndex((line, index) => index >= start && line !== '' && !/^\s/.test(line));
  return lines.slice(start, end < 0 ? undefined : end).filter((line) => /^\s+\w+:/.test(line));
}
