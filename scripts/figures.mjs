// `npm run figures`: prints figures on the size of the code and on its dependencies as a table, to compare before and after a
// change.
import { join } from 'node:path';
import { runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { projectRoot } from './lib/paths.mjs';
import { captureCommand } from './lib/run-command.mjs';

await ensureInstalled();
const { factsOf, linesOf, LONG_FUNCTION_LINES, PRODUCT, sourcesIn, usersOf } =
  await import('./lib/tree-figures.mjs');

await runEntry(async () => {
  const product = PRODUCT.flatMap(sourcesIn);
  const tests = sourcesIn('test');
  const typed = product.filter(({ path }) => /\.tsx?$/.test(path));
  const facts = typed.map(factsOf);
  const functions = facts.flatMap((fact) => fact.functions.map((one) => one.lines)).toSorted((a, b) => b - a);
  const lines = product.map((file) => file.lines).toSorted((a, b) => a - b);
  const users = usersOf(typed);
  const count = (/** @type {(fact: import('./lib/tree-figures.mjs').Facts) => number} */ of) =>
    facts.reduce((sum, fact) => sum + of(fact), 0);
  /** @type {Map<string, number>} */
  const names = new Map();
  for (const name of facts.flatMap((fact) => fact.exported)) names.set(name, (names.get(name) ?? 0) + 1);
  print([
    ['lines of product, tests', [linesOf(product), linesOf(tests)]],
    [
      'files of product, tests; p50 of product',
      [product.length, tests.length, lines[lines.length >> 1] ?? 0],
    ],
    [
      `functions over ${LONG_FUNCTION_LINES} lines; longest`,
      [functions.filter((length) => length > LONG_FUNCTION_LINES).length, functions[0] ?? 0],
    ],
    [
      'exported names; with one user; with none',
      [
        users.size,
        [...users.values()].filter((by) => by.size === 1).length,
        [...users.values()].filter((by) => by.size === 0).length,
      ],
    ],
    ['names exported twice', [[...names.values()].filter((times) => times > 1).length]],
    [
      'one-line methods; function members of interfaces of options',
      [count((f) => f.oneLine), count((f) => f.callbacks)],
    ],
    [
      '`!`; `as`; `Record<string, unknown>`',
      [count((f) => f.bangs), count((f) => f.casts), count((f) => f.records)],
    ],
    ...(await actRows()),
  ]);
  return 0;
});

/** Numbers of functions and files run for a gateway call, a sample and a restart. @returns {Promise<[string, number[]][]>} */
async function actRows() {
  const node = await ensurePinnedNode();
  const { stdout } = await captureCommand(node, [join('test', 'bench', 'count-acts.ts')], {
    cwd: projectRoot,
  });
  /** @type {Record<string, { functions: number, files: number }>} */
  const acts = JSON.parse(stdout);
  return Object.entries(acts).map(([name, { functions, files }]) => [
    `functions, files that run for a ${name}`,
    [functions, files],
  ]);
}

/** @param {readonly (readonly [string, readonly number[]])[]} rows */
function print(rows) {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, figures] of rows)
    process.stdout.write(
      `${name.padEnd(width)}  ${figures.map((figure) => figure.toLocaleString('en')).join('; ')}\n`,
    );
}
