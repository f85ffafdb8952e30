// `npm run package -- [--dir] [--test-flavour] [--release] [electron-builder arguments]`: packages the app into dist/.
//   --test-flavour  keeps the switches of the inspector, so that tests can control the package; its name says so
//   --release       fails if a release would be wrong: another Electron than the current one, a fuse that cannot be set
import { join } from 'node:path';
import { note, runEntry, ScriptError } from './lib/entry.mjs';
import { packageApp } from './lib/package-app.mjs';
import { projectRoot } from './lib/paths.mjs';

await runEntry(async () => {
  const { isTest, isRelease, rest } = splitArguments(process.argv.slice(2));
  const output = join(projectRoot, 'dist', ...(isTest ? ['test-flavour'] : []));
  const apps = await packageApp({ isTest, isRelease, output, builderArguments: rest });
  for (const { binary } of apps) note(`packaged, with its fuses and contents as configured: ${binary}`);
});

/** @param {string[]} args */
function splitArguments(args) {
  const own = ['--test-flavour', '--release'];
  const [isTest = false, isRelease = false] = own.map((name) => args.includes(name));
  if (isTest && isRelease) throw new ScriptError('The test flavour is never released.');
  return { isTest, isRelease, rest: args.filter((arg) => !own.includes(arg)) };
}
