import { cpSync, mkdtempSync, rmSync, writeFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ensureBuilt } from './build-app.mjs';
import { resolveElectron } from './electron-runtime.mjs';
import { note, ScriptError } from './entry.mjs';
import { fetchPackage } from './fetch-package.mjs';
import { readFuses } from './fuses.mjs';
import { ensureInstalled, ensurePinnedNode } from './install.mjs';
import { verifyPackages } from './packaged-app.mjs';
import { readPackaging } from './packaging.mjs';
import { checkoutCache, inModules, projectRoot } from './paths.mjs';
import { prepareElectron, sandboxArguments } from './prepare.mjs';
import { runOrFail } from './run-command.mjs';

/** @typedef {import('./electron-runtime.mjs').ElectronRuntime} ElectronRuntime */

/**
 * Options of electron-builder for the test flavour, a package that allows `--inspect` so that tests can control it. Its names
 * differ from those of the release, so that the two are not confused. Of the values added to package.json, the app reads only
 * `flavour`.
 */
const TEST_FLAVOUR = [
  '-c.electronFuses.enableNodeCliInspectArguments=true',
  '-c.appId=dev.mcp-control-panel.app.test',
  '-c.productName=MCP Control Panel (test flavour)',
  '-c.linux.executableName=mcp-control-panel-test',
  '-c.extraMetadata.name=mcp-control-panel-test',
  '-c.extraMetadata.desktopName=mcp-control-panel-test.desktop',
  '-c.extraMetadata.flavour=test',
];

/**
 * Packages the built app and verifies the result.
 * @param {{ isTest: boolean, isRelease: boolean, output: string, builderArguments: readonly string[], given?: ElectronRuntime
 * }} options `output`: the folder to fill, which is emptied first; `builderArguments`: arguments of electron-builder, such as
 * `--dir`; `given`: an Electron for another system, which is packaged instead of this system's
 * @returns {Promise<import('./packaged-app.mjs').PackagedApp[]>} one app for each architecture
 */
export async function packageApp({ isTest, isRelease, output, builderArguments, given }) {
  await ensureInstalled();
  const runtime = given ?? (await resolveElectron());
  if (isRelease) requireRelease(runtime);
  await ensureBuilt();
  const configuration = await configure(runtime, isRelease);
  rmSync(output, { recursive: true, force: true }); // The folder is emptied, because files of an earlier run would be verified and perhaps published.
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-package-'));
  try {
    const file = join(scratch, 'electron-builder.json');
    const extra = await foreignResources(scratch, configuration, systemOf(builderArguments));
    writeFileSync(file, JSON.stringify({ ...configuration, ...extra }));
    const args = [
      inModules('electron-builder', 'cli.js'),
      ...builderArguments,
      '--publish=never',
      `--config=${file}`,
      `-c.directories.output=${output}`,
      ...(runtime.isFallback ? fallbackArguments(scratch, runtime) : []),
      ...(given ? runtimeArguments(given.distPath, given.version) : []),
      ...unsignedArguments(),
      ...(isTest ? TEST_FLAVOUR : []),
    ];
    await runOrFail('Packaging', await ensurePinnedNode(), args, { cwd: projectRoot });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const fuses = new Map(Object.entries(configuration.electronFuses));
  if (isTest) fuses.set('enableNodeCliInspectArguments', true);
  return verifyPackages(output, { fuses, isTest });
}

/** @param {readonly string[]} builderArguments */
function systemOf(builderArguments) {
  const has = (/** @type {RegExp} */ option) => builderArguments.some((arg) => option.test(arg));
  if (has(/^(--win|--windows|-w)$/)) return 'win32';
  if (has(/^(--mac|--macos|-m)$/)) return 'darwin';
  return has(/^(--linux|-l)$/) ? 'linux' : process.platform;
}

/**
 * Native parts that an installation has for its own system alone, by the system that they are packed for: the package and
 * the file in it. Linux is packed on its own architecture (electron-builder.yml).
 * @type {Record<string, Record<string, (arch: string) => [name: string, file: string]>>}
 */
const LIBRARIES = {
  win32: {
    koffi: (arch) => [`@koromix/koffi-win32-${arch}`, `win32_${arch}/koffi.node`],
    keyring: (arch) => [`@napi-rs/keyring-win32-${arch}-msvc`, `keyring.win32-${arch}-msvc.node`],
  },
  darwin: { keyring: (arch) => [`@napi-rs/keyring-darwin-${arch}`, `keyring.darwin-${arch}.node`] },
};

/**
 * Provides the compiled libraries of the system that is packaged, and returns the configuration that puts them beside the app's
 * archive, because they cannot be loaded from inside it. A package contains only those of its own architecture.
 * @param {string} scratch
 * @param {Awaited<ReturnType<typeof readPackaging>>} configuration
 * @param {string} system
 */
async function foreignResources(scratch, configuration, system) {
  const added = [];
  for (const [library, partOf] of Object.entries(LIBRARIES[system] ?? {})) {
    for (const arch of ARCHITECTURES) {
      const [name, file] = partOf(arch);
      await provideLibrary(name, file, join(scratch, library, arch, `${library}.node`));
    }
    added.push({ from: join(scratch, library, '${arch}'), to: `${library}/${system}_\${arch}` });
  }
  const key = system === 'win32' ? 'win' : 'mac';
  const extraResources = [...configuration[key].extraResources, ...added];
  return added.length === 0 ? {} : { [key]: { ...configuration[key], extraResources } };
}

/**
 * Returns electron-builder's arguments for an ad-hoc signature, which is used without a certificate because a Mac does not
 * start unsigned programs. The hardened runtime is turned off, because with such a signature it would refuse to load any
 * library.
 */
function unsignedArguments() {
  if (process.platform !== 'darwin' || process.env.CSC_LINK || process.env.CSC_NAME) return [];
  note('there is no certificate (CSC_LINK, CSC_NAME): macOS packages get a signature that names nobody');
  return ['-c.mac.identity=-', '-c.mac.hardenedRuntime=false'];
}

/** @param {ElectronRuntime} runtime */
function requireRelease(runtime) {
  if (!runtime.isFallback) return;
  throw new ScriptError(
    `A release ships the current Electron, but only the fallback ${runtime.version} is here.`,
    'Build releases where Electron can be downloaded.',
  );
}

/**
 * Returns electron-builder's configuration without the fuses (switches in the Electron binary) that this Electron lacks,
 * because electron-builder fails on a fuse that the binary lacks. A release needs all of them.
 * @param {ElectronRuntime} runtime
 * @param {boolean} isRelease
 */
async function configure(runtime, isRelease) {
  const packaging = await readPackaging();
  const available = await readFuses(runtime.executablePath);
  const wanted = Object.entries(packaging.electronFuses);
  const missing = wanted.map(([name]) => name).filter((name) => !available.has(name));
  if (missing.length > 0) {
    const message = `Electron ${runtime.version} lacks fuses that we set: ${missing.join(', ')}`;
    if (isRelease) throw new ScriptError(`${message}. A release needs all of them.`);
    note(`${message}; this package is made without them`);
  }
  const electronFuses = Object.fromEntries(wanted.filter(([name]) => available.has(name)));
  return { ...packaging, electronFuses };
}

/**
 * Returns electron-builder's arguments for packaging the fallback, an older Electron from the package registry. They name a
 * copy without the files that make it a development runtime.
 * @param {string} scratch
 * @param {ElectronRuntime} runtime
 */
function fallbackArguments(scratch, runtime) {
  const dist = join(scratch, 'electron');
  const left = [join('resources', 'app'), 'version'];
  cpSync(runtime.distPath, dist, {
    recursive: true,
    filter: (source) => !left.includes(relative(runtime.distPath, source)),
  });
  return runtimeArguments(dist, runtime.version);
}

/** @param {string} dist @param {string} version */
function runtimeArguments(dist, version) {
  return [`-c.electronDist=${dist}`, `-c.electronVersion=${version}`];
}

const ARCHITECTURES = ['x64', 'arm64'];

/**
 * Writes a compiled library of a package to `target`: the installed one if it exists; otherwise the package is fetched and
 * verified against the lockfile.
 * @param {string} name
 * @param {string} file its path in the package
 * @param {string} target
 */
async function provideLibrary(name, file, target) {
  mkdirSync(dirname(target), { recursive: true });
  const installed = inModules(name, file);
  if (existsSync(installed)) cpSync(installed, target);
  else await fetchLibrary(name, file, target);
}

/**
 * Returns the lockfile's entry of a package.
 * @param {string} name @param {string} [lockfile] its text
 * @returns {{ version: string, integrity: string }}
 */
export function lockedPackage(name, lockfile = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) {
  const found = JSON.parse(lockfile).packages?.[`node_modules/${name}`];
  if (typeof found?.version !== 'string' || !/^sha512-/.test(found.integrity ?? ''))
    throw new ScriptError(`package-lock.json does not say which ${name} is meant.`, 'Run "npm install".');
  return { version: found.version, integrity: found.integrity };
}

/** @param {string} name @param {string} file @param {string} target */
async function fetchLibrary(name, file, target) {
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-library-'));
  try {
    await fetchPackage({ name, ...lockedPackage(name) }, scratch, [`package/${file}`]);
    cpSync(join(scratch, 'package', file), target);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Environment variable with the packaged flavors' (release and test) start commands as JSON, for the tests of packages. */
export const TEST_PACKAGES_VARIABLE = 'MCP_CONTROL_PANEL_TEST_PACKAGES';

/**
 * Packages both flavours (release and test) as plain folders without installers. They go into the checkout's cache, so that the
 * contents of dist/ are kept. Linux only.
 * @returns {Promise<{ release: import('./prepare.mjs').LaunchCommand, test: import('./prepare.mjs').LaunchCommand }>}
 */
export async function packageFlavours() {
  await prepareElectron({ opensDisplay: true });
  const args = sandboxArguments();
  const command = async (/** @type {boolean} */ isTest) => {
    const output = join(checkoutCache, 'packages', isTest ? 'test' : 'release');
    const [app] = await packageApp({
      isTest,
      isRelease: false,
      output,
      builderArguments: ['--dir'],
    });
    return { executablePath: app?.binary ?? '', args };
  };
  return { release: await command(false), test: await command(true) };
}
