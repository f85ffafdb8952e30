// `npm run bench [-- name ...]`: runs the named benchmarks of test/bench, or all of them, one after another.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { note, runEntry, ScriptError } from './lib/entry.mjs';
import { runProgram } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { withApp } from './lib/prepare.mjs';

const FOLDER = join(projectRoot, 'test', 'bench');
const SUFFIX = '.bench.ts';

await runEntry(async () => {
  // Names of benchmarks begin with a letter. All other arguments, including the value of a flag such as a number, are passed on
  // to the benchmarks.
  const isName = (/** @type {string} */ arg) => /^[a-z]/i.test(arg);
  const names = process.argv.slice(2).filter(isName);
  const flags = process.argv.slice(2).filter((arg) => !isName(arg));
  const files = names.length > 0 ? names.map(fileOf) : allFiles();
  return withApp(async (env) => {
    let failures = 0;
    for (const file of files) {
      note(`running ${file}`);
      if ((await runProgram(['--expose-gc', file, ...flags], { env, name: file })) !== 0) failures += 1;
    }
    if (failures > 0) note(`${failures} of ${files.length} benchmarks failed or missed a budget`);
    return failures > 0 ? 1 : 0;
  });
});

/** @param {string} name */
function fileOf(name) {
  const found = [`${name}${SUFFIX}`, `${name}.ts`].find((file) => existsSync(join(FOLDER, file)));
  if (found !== undefined) return join('test', 'bench', found);
  throw new ScriptError(
    `There is no benchmark "${name}".`,
    `Known ones: ${listNames().join(', ') || 'none'}`,
  );
}

function allFiles() {
  const names = listNames();
  if (names.length === 0) throw new ScriptError(`There is no file *${SUFFIX} in ${FOLDER}.`);
  return names.map(fileOf);
}

function listNames() {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER)
    .filter((file) => file.endsWith(SUFFIX))
    .map((file) => file.slice(0, -SUFFIX.length))
    .sort();
}
