import { ScriptError } from './entry.mjs';
import { inModules } from './paths.mjs';

/**
 * One runner of `npm test` or `npm run test:slow`, such as a linter or a vitest run. `args` are the arguments for the pinned
 * Node.
 * @typedef {{ name: string, kind: 'check' | 'vitest', args: string[] }} Step
 */

/** Returns the options with which a tool skips files that passed and have not changed since. @param {string} tool */
const cachedAs = (tool) => [
  '--cache',
  `--cache-location=${inModules('.cache', tool, 'gate')}`,
  '--cache-strategy=content',
];

/** Static checks, the slowest first; they are independent, so two run at a time. @type {Step[]} */
export const CHECKS = [
  {
    name: 'lint',
    kind: 'check',
    args: [inModules('eslint', 'bin', 'eslint.js'), '--max-warnings', '0', ...cachedAs('eslint'), '.'],
  },
  { name: 'types', kind: 'check', args: [inModules('typescript', 'bin', 'tsc'), '--build', '.', 'scripts'] },
  {
    name: 'format',
    kind: 'check',
    args: [inModules('prettier', 'bin', 'prettier.cjs'), '--check', ...cachedAs('prettier'), '.'],
  },
  { name: 'unused', kind: 'check', args: [inModules('knip', 'bin', 'knip.js'), '--no-progress'] },
];

/** Names of the vitest projects that `npm run test:slow` runs. They are too slow to be run for every change. */
const SLOW = ['live', 'properties', 'app', 'slow', 'package'];

/** Test runs, never two at a time, because they measure time and use both cores by themselves. @type {Step[]} */
export const TEST_RUNS = ['unit', 'e2e', ...SLOW].map((name) => ({
  name,
  kind: 'vitest',
  args: [inModules('vitest', 'vitest.mjs'), 'run', '--project', name],
}));

/**
 * Reads the arguments: the runners in `--only=lint,unit` (or `--only lint,unit`; `--only=all-slow` selects the slow runs), and
 * the file patterns that restrict the test runs.
 * @param {readonly string[]} args
 */
export function readTestArguments(args) {
  /** @type {string[]} */
  const patterns = [];
  let only = runnerNames().filter((name) => !SLOW.includes(name));
  for (let index = 0; index < args.length; index += 1) {
    const arg = String(args[index]);
    if (arg === '--only') only = readNames(args[(index += 1)]);
    else if (arg.startsWith('--only=')) only = readNames(arg.slice('--only='.length));
    else if (arg.startsWith('-'))
      throw new ScriptError(`"${arg}" is no option of npm test.`, 'There is --only=<names>.');
    else patterns.push(arg);
  }
  return { only: new Set(only), patterns };
}

/** @param {string | undefined} list */
function readNames(list) {
  const known = runnerNames();
  const names = (list ?? '')
    .split(',')
    .flatMap((name) => (name === 'all-slow' ? SLOW : [name]))
    .filter((name) => name !== '');
  const strange = names.find((name) => !known.includes(name));
  if (names.length > 0 && strange === undefined) return names;
  throw new ScriptError(`--only names no runner: "${strange ?? ''}".`, `Runners: ${known.join(', ')}`);
}

function runnerNames() {
  return [...CHECKS, ...TEST_RUNS].map((step) => step.name);
}
