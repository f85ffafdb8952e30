import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ScriptError } from './entry.mjs';
import { captureNpm } from './npm-command.mjs';
import { FEW_RETRIES, npmFailure } from './npm-problem.mjs';
import { captureCommand, describeExit } from './run-command.mjs';

/**
 * Fetches a package with npm, so that the user's settings for registry, proxy and certificates apply. Verifies the package, and
 * unpacks some of its files into an empty folder.
 * @param {{ name: string, version: string, integrity: string }} wanted `integrity`: expected hash, in the format of
 * package-lock.json
 * @param {string} folder
 * @param {string[]} members paths of these files inside the package
 */
export async function fetchPackage({ name, version, integrity }, folder, members) {
  const spec = `${name}@${version}`;
  const flags = ['--pack-destination', folder, '--prefer-offline', '--loglevel=error', ...FEW_RETRIES];
  const packed = await captureNpm(['pack', spec, ...flags]);
  const file = readdirSync(folder).find((entry) => entry.endsWith('.tgz'));
  if (packed.code !== 0 || file === undefined)
    throw npmFailure(`Fetching ${spec}`, describeExit(packed), packed.stderr);
  const archive = join(folder, file);
  const found = integrityOf(readFileSync(archive));
  if (found !== integrity)
    throw new ScriptError(
      `${spec} is not what it was: ${integrity} was expected, ${found} was found. Nothing of it was used.`,
      'Ask whoever runs the registry; run "npm cache verify" in case the local cache is damaged.',
    );
  await unpack(archive, folder, members);
}

/** Returns the hash of a package in the format of package-lock.json. @param {Buffer} bytes */
export function integrityOf(bytes) {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

/** @param {string} archive @param {string} folder @param {string[]} members */
export async function unpack(archive, folder, members) {
  // The files get the current user as owner, not the owner ids in the archive. The output of tar is shown only after a failure,
  // because it has thousands of warnings about unknown headers.
  const args = ['-xzf', archive, '-C', folder, '--no-same-owner', ...members];
  const result = await captureCommand('tar', args);
  if (result.code === 0) return;
  throw new ScriptError(
    `"tar ${args.join(' ')}" ended with ${describeExit(result)}.\n${result.stderr.slice(-2000)}`,
  );
}
