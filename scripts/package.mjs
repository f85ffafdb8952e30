// `npm run package -- [--dir] [--test-flavour] [--release] [electron-builder arguments]`: packages the app into dist/.
//   --test-flavour  keeps the inspector switchable, so that tests can drive the package, and says so in its name
//   --release       refuses whatever a release must not have: another Electron than ours, a fuse that cannot be set
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ensureBuilt } from './lib/build-app.mjs';
import { resolveElectron } from './lib/electron-runtime.mjs';
import { note, runEntry, ScriptError } from './lib/entry.mjs';
import { configuredFuses, fuseFile, readFuses, withoutFuses } from './lib/fuses.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { verifyFuses } from './lib/packaged-app.mjs';
import { inModules, projectRoot } from './lib/paths.mjs';
import { runOrFail } from './lib/run-command.mjs';

/** @typedef {import('./lib/electron-runtime.mjs').ElectronRuntime} ElectronRuntime */

const OUTPUT = join(projectRoot, 'dist');
const TEST_OUTPUT = join(OUTPUT, 'test-flavour');

/** Its own name everywhere, so that nobody takes one for the other or installs one over the other. */
const TEST_FLAVOUR = [
  '-c.electronFuses.enableNodeCliInspectArguments=true',
  '-c.appId=dev.mcp-control-panel.app.test',
  '-c.productName=MCP Control Panel (test flavour)',
  '-c.linux.executableName=mcp-control-panel-test',
  '-c.extraMetadata.name=mcp-control-panel-test',
  `-c.directories.output=${TEST_OUTPUT}`,
];

await runEntry(async () => {
  const { isTest, isRelease, rest } = splitArguments(process.argv.slice(2));
  await ensureInstalled();
  const runtime = await resolveElectron();
  if (isRelease) requireRelease(runtime);
  await ensureBuilt();
  const configuration = configure(runtime, isRelease);
  const output = isTest ? TEST_OUTPUT : OUTPUT;
  rmSync(output, { recursive: true, force: true }); // What an earlier run left would be checked, and maybe published.
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-package-'));
  try {
    const file = join(scratch, 'electron-builder.yml');
    writeFileSync(file, configuration);
    const runtimeArguments = runtime.isFallback ? fallbackArguments(scratch, runtime) : [];
    const flavour = isTest ? TEST_FLAVOUR : [];
    const cli = inModules('electron-builder', 'cli.js');
    const args = [cli, ...rest, '--publish=never', `--config=${file}`, ...runtimeArguments, ...flavour];
    await runOrFail('Packaging', await ensurePinnedNode(), args, { cwd: projectRoot });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  const fuses = configuredFuses(configuration);
  if (isTest) fuses.set('enableNodeCliInspectArguments', true);
  for (const binary of verifyFuses(output, fuses)) note(`packaged, with its fuses as configured: ${binary}`);
});

/** @param {string[]} args */
function splitArguments(args) {
  const own = ['--test-flavour', '--release'];
  const [isTest, isRelease] = own.map((name) => args.includes(name));
  if (isTest && isRelease) throw new ScriptError('The test flavour is never released.');
  return { isTest, isRelease, rest: args.filter((arg) => !own.includes(arg)) };
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
 * Our configuration with the fuses that this Electron has.
 * @param {ElectronRuntime} runtime @param {boolean | undefined} isRelease
 */
function configure(runtime, isRelease) {
  const yaml = readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8');
  const available = readFuses(fuseFile(runtime.distPath, runtime.executablePath));
  const missing = [...configuredFuses(yaml).keys()].filter((name) => !available.has(name));
  if (missing.length === 0) return yaml;
  const message = `Electron ${runtime.version} lacks fuses that we set: ${missing.join(', ')}`;
  if (isRelease) throw new ScriptError(`${message}. A release needs all of them.`);
  note(`${message}; this package is made without them`);
  return withoutFuses(yaml, missing);
}

/**
 * Names the fallback to electron-builder, without what makes it a development runtime.
 * @param {string} scratch @param {ElectronRuntime} runtime
 */
function fallbackArguments(scratch, runtime) {
  const dist = join(scratch, 'electron');
  const left = [join('resources', 'app'), 'version'];
  cpSync(runtime.distPath, dist, {
    recursive: true,
    filter: (source) => !left.includes(relative(runtime.distPath, source)),
  });
  return [`-c.electronDist=${dist}`, `-c.electronVersion=${runtime.version}`];
}
