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
import { inModules, projectRoot } from './lib/paths.mjs';
import { runOrFail } from './lib/run-command.mjs';

/** Its own name everywhere, so that nobody takes one for the other or installs one over the other. */
const TEST_FLAVOUR = [
  '-c.electronFuses.enableNodeCliInspectArguments=true',
  '-c.appId=dev.mcp-control-panel.app.test',
  '-c.productName=MCP Control Panel (test flavour)',
  '-c.linux.executableName=mcp-control-panel-test',
  '-c.extraMetadata.name=mcp-control-panel-test',
  '-c.directories.output=dist/test-flavour',
];

await runEntry(async () => {
  const { flags, rest } = splitArguments(process.argv.slice(2));
  await ensureInstalled();
  const runtime = await resolveElectron();
  if (flags.has('--release')) requireRelease(runtime, flags);
  await ensureBuilt();
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-package-'));
  try {
    const args = [
      inModules('electron-builder', 'cli.js'),
      ...rest,
      '--publish=never',
      `--config=${writeConfiguration(scratch, runtime, flags.has('--release'))}`,
      ...(runtime.isFallback ? fallbackArguments(scratch, runtime) : []),
      ...(flags.has('--test-flavour') ? TEST_FLAVOUR : []),
    ];
    await runOrFail('Packaging', await ensurePinnedNode(), args, { cwd: projectRoot });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});

/** @param {string[]} args */
function splitArguments(args) {
  const own = ['--test-flavour', '--release'];
  return {
    flags: new Set(args.filter((arg) => own.includes(arg))),
    rest: args.filter((arg) => !own.includes(arg)),
  };
}

/** @param {import('./lib/electron-runtime.mjs').ElectronRuntime} runtime @param {Set<string>} flags */
function requireRelease(runtime, flags) {
  if (flags.has('--test-flavour')) throw new ScriptError('The test flavour is never released.');
  if (!runtime.isFallback) return;
  throw new ScriptError(
    `A release ships the current Electron, but only the fallback ${runtime.version} is here.`,
    'Build releases where Electron can be downloaded.',
  );
}

/**
 * The configuration with the fuses that this Electron has, in a file of its own.
 * @param {string} scratch @param {import('./lib/electron-runtime.mjs').ElectronRuntime} runtime @param {boolean} isRelease
 */
function writeConfiguration(scratch, runtime, isRelease) {
  const yaml = readFileSync(join(projectRoot, 'electron-builder.yml'), 'utf8');
  const available = readFuses(fuseFile(runtime.distPath, runtime.executablePath));
  const missing = configuredFuses(yaml).filter((name) => !available.includes(name));
  if (missing.length > 0) {
    const message = `Electron ${runtime.version} lacks fuses that we set: ${missing.join(', ')}`;
    if (isRelease) throw new ScriptError(`${message}. A release needs all of them.`);
    note(`${message}; this package is made without them`);
  }
  const file = join(scratch, 'electron-builder.yml');
  writeFileSync(file, withoutFuses(yaml, missing));
  return file;
}

/**
 * Names the fallback to electron-builder, without what makes it a development runtime.
 * @param {string} scratch @param {import('./lib/electron-runtime.mjs').ElectronRuntime} runtime
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
