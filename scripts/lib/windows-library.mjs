import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ScriptError } from './entry.mjs';
import { npmCommand } from './npm-command.mjs';
import { FEW_RETRIES, npmFailure } from './npm-problem.mjs';
import { inModules, projectRoot } from './paths.mjs';
import { captureCommand, describeExit } from './run-command.mjs';

const ARCHITECTURES = ['x64', 'arm64'];

/**
 * Provides koffi's native part for each packaged Windows architecture, as `<folder>/<arch>/koffi.node`. An installation has
 * only that of its own system, so the others are fetched and verified with the lockfile.
 * @param {string} folder folder to fill
 */
export async function provideWindowsLibraries(folder) {
  for (const arch of ARCHITECTURES) {
    const target = join(folder, arch);
    mkdirSync(target, { recursive: true });
    const name = `@koromix/koffi-win32-${arch}`;
    const installed = inModules(name, `win32_${arch}`, 'koffi.node');
    if (existsSync(installed)) cpSync(installed, join(target, 'koffi.node'));
    else await fetchLibrary(name, arch, target);
  }
}

/**
 * Returns the lockfile's entry of a package.
 * @param {string} name @param {string} [lockfile] its text
 * @returns {{ version: string, integrity: string }}
 */
export function lockedPackage(name, lockfile = readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) {
  const found = JSON.parse(lockfile).packages?.[`node_modules/${name}`];
  if (typeof found?.version !== 'string' || !/^sha512-/.test(found.integrity ?? ''))
    throw new ScriptError(
      `package-lock.json does not say which ${name} is meant.`,
      'Run "npm install koffi".',
    );
  return { version: found.version, integrity: found.integrity };
}

/** Whether a file has the lockfile's integrity hash. @param {Buffer} bytes @param {string} integrity */
export function keepsIntegrity(bytes, integrity) {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}` === integrity;
}

/** @param {string} name @param {string} arch @param {string} target */
async function fetchLibrary(name, arch, target) {
  const { version, integrity } = lockedPackage(name);
  const scratch = mkdtempSync(join(tmpdir(), 'mcp-control-panel-koffi-'));
  try {
    const args = ['pack', `${name}@${version}`, '--pack-destination', scratch];
    const npm = npmCommand([...args, '--prefer-offline', '--loglevel=error', ...FEW_RETRIES]);
    const packed = await captureCommand(npm.command, npm.args, npm.options);
    const file = readdirSync(scratch).find((entry) => entry.endsWith('.tgz'));
    if (packed.code !== 0 || file === undefined)
      throw npmFailure(`Fetching ${name}`, describeExit(packed), packed.stderr);
    const archive = join(scratch, file);
    if (!keepsIntegrity(readFileSync(archive), integrity))
      throw new ScriptError(`${name}@${version} is not what package-lock.json says. Nothing of it was used.`);
    const member = `package/win32_${arch}/koffi.node`;
    const unpacked = await captureCommand('tar', ['-xzf', archive, '-C', scratch, '--no-same-owner', member]);
    if (unpacked.code !== 0) throw new ScriptError(`${file} could not be unpacked: ${unpacked.stderr}`);
    cpSync(join(scratch, member), join(target, 'koffi.node'));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
