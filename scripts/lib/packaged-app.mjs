import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { ENTRIES } from './build-app.mjs';
import { ScriptError } from './entry.mjs';
import { readFuses } from './fuses.mjs';
import { createHash } from 'node:crypto';

/**
 * Paths of a packaged app: `binary` is the file with the fuses, `archive` its asar archive. @typedef {{ binary: string,
 * archive: string }} PackagedApp
 */

/** Files that an archive may contain: the bundler's outputs. */
const EXPECTED = [
  /^package\.json$/,
  /^out\/main\/[\w.~-]+\.cjs$/,
  /^out\/preload\/preload\.cjs$/,
  /^out\/renderer\/index\.html$/,
  /^out\/renderer\/assets\/[\w.-]+\.(js|css|woff2)$/,
  /^out\/renderer\/licences\/[\w-]+\.txt$/,
];
/** Compiled libraries beside the archive: SQLite's, which the history needs, and the keyring's, which the secrets need. */
const NATIVE_PARTS = ['sqlite', 'keyring'];

/**
 * Verifies the packaged files themselves, because a security setting that silently had no effect would be a security hole.
 * @param {string} output the folder that electron-builder filled
 * @param {{ fuses: Map<string, boolean>, isTest: boolean }} wanted
 * @returns {Promise<PackagedApp[]>}
 */
export async function verifyPackages(output, { fuses, isTest }) {
  const apps = findApps(output);
  if (apps.length === 0) throw new ScriptError(`No packaged app was found in "${output}" to check.`);
  for (const { binary, archive } of apps) {
    const found = await readFuses(binary);
    const wrong = [...fuses].filter(([name, isOn]) => found.get(name) !== isOn).map(([name]) => name);
    if (wrong.length > 0)
      throw new ScriptError(`"${binary}" has fuses that are not as configured: ${wrong.join(', ')}.`);
    const problems = [
      ...(await archiveProblems(archive, isTest)),
      ...NATIVE_PARTS.flatMap((part) => nativePartProblems(archive, part)),
    ];
    if (problems.length > 0)
      throw new ScriptError(`"${archive}" is not what was to be packed: ${problems.join('; ')}.`);
  }
  return apps;
}

/**
 * Lists unexpected and missing files of an archive. An archive must not contain a source map, test or library.
 * @param {string} archive
 * @param {boolean} isTest whether it must have the test flavour
 * @returns {Promise<string[]>}
 */
export async function archiveProblems(archive, isTest) {
  const files = await readArchive(archive);
  const paths = files.map(({ path }) => path);
  const strange = paths.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)));
  const missing = ['package.json', ...ENTRIES].filter((path) => !paths.includes(path));
  const broken = files.filter((file) => !keepsPromise(file)).map(({ path }) => path);
  const manifest = files.find(({ path }) => path === 'package.json')?.bytes.toString('utf8') ?? '{}';
  const flavour = JSON.parse(manifest).flavour;
  return [
    ...strange.map((path) => `"${path}" does not belong there`),
    ...missing.map((path) => `"${path}" is missing`),
    ...broken.map((path) => `"${path}" is not what its hash says`),
    ...(flavour === (isTest ? 'test' : undefined) ? [] : [`its flavour is "${flavour}"`]),
  ];
}

/** @param {string} archive @param {string} part */
function nativePartProblems(archive, part) {
  const folder = join(dirname(archive), part);
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  const found = files.filter((path) => path.endsWith(`${part}.node`)).length;
  return found === 1 ? [] : [`beside it lie ${found} native parts of ${part}, not one`];
}

/** @param {string} output @returns {PackagedApp[]} */
function findApps(output) {
  return (existsSync(output) ? readdirSync(output) : []).flatMap((name) => {
    const folder = join(output, name);
    if (name.startsWith('mac')) return matching(folder, /\.app$/).map(macApp);
    const pattern = name.startsWith('win') ? /Control Panel.*\.exe$/ : /^mcp-control-panel(-test)?$/;
    if (!/^(win|linux).*unpacked$/.test(name)) return [];
    const archive = join(folder, 'resources', 'app.asar');
    return matching(folder, pattern).map((binary) => ({ binary, archive }));
  });
}

/** @param {string} app @returns {PackagedApp} */
function macApp(app) {
  return { binary: app, archive: join(app, 'Contents', 'Resources', 'app.asar') };
}

/** @param {string} folder @param {RegExp} pattern */
function matching(folder, pattern) {
  return readdirSync(folder)
    .filter((name) => pattern.test(name))
    .map((name) => join(folder, name));
}

/**
 * One file of an archive: its path with `/`, its bytes (empty for a link and for a file beside the archive), and the SHA-256
 * (hex) of its bytes that the archive states.
 * @typedef {{ path: string, bytes: Buffer, promisedHash: string | undefined }} ArchivedFile
 */

/**
 * Reads the files of an asar archive. `@electron/asar` is imported here instead of at the top, because the packaging may have
 * to install it first.
 * @param {string} archive
 * @returns {Promise<ArchivedFile[]>}
 */
export async function readArchive(archive) {
  const asar = await import('@electron/asar');
  asar.uncache(archive);
  // The library lists paths with a leading separator, but does not accept such paths in its other functions.
  const paths = asar.listPackage(archive, { isPack: false }).map((path) => path.slice(1));
  return paths.flatMap((path) => {
    const entry = asar.statFile(archive, path, false);
    if ('files' in entry) return [];
    const isInside = 'size' in entry && !entry.unpacked;
    return {
      path: path.split(sep).join('/'),
      bytes: isInside ? asar.extractFile(archive, path) : Buffer.alloc(0),
      promisedHash: 'integrity' in entry ? entry.integrity.hash : undefined,
    };
  });
}

/** True if the bytes have the hash that the archive states. Electron verifies this hash on macOS and Windows. */
function keepsPromise(/** @type {ArchivedFile} */ { bytes, promisedHash }) {
  return createHash('sha256').update(bytes).digest('hex') === promisedHash;
}
