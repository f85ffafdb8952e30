import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { withDirectoryLock } from './directory-lock.mjs';
import { ScriptError } from './entry.mjs';
import { ensurePinnedNode } from './install.mjs';
import { checkoutCache, inModules, projectRoot } from './paths.mjs';
import { withProgress } from './progress.mjs';
import { captureCommand, describeExit } from './run-command.mjs';
import { hashContents, hashMetadata, readStamp, removeStamp, writeStamp } from './stamp.mjs';

const STAMP = join(projectRoot, 'out', '.build-stamp');

/** All bundler inputs. A change of their hash rebuilds the app. Libraries are not hashed, as the lockfile sets their versions. */
const INPUTS = [
  'electron',
  'renderer',
  'shared',
  'electron.vite.config.ts',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** Bundled program that connects MCP clients that support only stdio to the panel. */
export const BRIDGE = 'out/bridge/bridge.cjs';
const OUTPUTS = ['out/main', 'out/preload', 'out/renderer', 'out/bridge'];
/** Files without which the app does not start. */
export const ENTRIES = [
  'out/main/main.cjs',
  'out/main/store-worker.cjs',
  'out/main/logs-worker.cjs',
  'out/main/message-worker.cjs',
  'out/main/keyring-helper.cjs',
  'out/preload/preload.cjs',
  'out/renderer/index.html',
];

/** Builds the app unless out/ was built from exactly the current sources. @param {{ force?: boolean }} [options] */
export async function ensureBuilt({ force = false } = {}) {
  if (!force && isBuilt()) return;
  await withDirectoryLock(join(checkoutCache, 'build.lock'), 'building in this checkout', async () => {
    if (!force && isBuilt()) return;
    await build();
  });
}

/** Marks out/ as not built, because another kind of build is about to write to it. */
export function forgetBuild() {
  removeStamp(STAMP);
}

async function build() {
  forgetBuild();
  const inputs = hashContents(projectRoot, INPUTS);
  await withProgress('building the app', async () => {
    await bundle('electron-vite', [inModules('electron-vite', 'bin', 'electron-vite.js'), 'build']);
    await bundle('vite', [inModules('vite', 'bin', 'vite.js'), 'build']);
  });
  for (const entry of [...ENTRIES, BRIDGE]) {
    if (!existsSync(join(projectRoot, entry)))
      throw new ScriptError(`The build ended well but left no ${entry}.`);
  }
  // The hash is taken before the build, so that a source that changes during the build is built again.
  writeStamp(STAMP, stampOf(inputs));
}

/** @param {string} bundler @param {readonly string[]} args */
async function bundle(bundler, args) {
  // NODE_ENV is set here, because its value in the user's environment could otherwise select the development build of React.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: projectRoot, env, name: 'the build' };
  // The bundler writes to pipes, because it prints its progress with escape sequences on a terminal.
  const result = await captureCommand(await ensurePinnedNode(), [...args, '--logLevel=warn'], options);
  const said = `${result.stdout}${result.stderr}`.trim();
  if (result.code !== 0)
    throw new ScriptError(`Building the app failed: ${describeExit(result)} from ${bundler}.\n${said}`);
  if (said !== '') process.stderr.write(`${said}\n`);
}

function isBuilt() {
  const stamp = readStamp(STAMP);
  return stamp !== undefined && stamp === stampOf(hashContents(projectRoot, INPUTS));
}

/**
 * Returns the stamp of a build. It includes the outputs, so that a build is recognized as outdated after a development run or
 * another tool has overwritten them.
 */
function stampOf(/** @type {string} */ inputs) {
  return `${inputs} ${hashMetadata(projectRoot, OUTPUTS)}`;
}
