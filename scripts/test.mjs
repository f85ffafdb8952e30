// `npm test [-- --only=lint,types,format,unused,unit,e2e] [file patterns]`: the gate. Its last line on stdout is
// `N passed, N failed, N skipped` over all runners, whatever happens.
import { openDisplay } from './lib/display.mjs';
import { describeError, note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { electronEnvironment, prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runStep } from './lib/run-step.mjs';
import { addCounts, countCheck, resultLine } from './lib/test-results.mjs';
import { CHECKS, readTestArguments, TEST_RUNS } from './lib/test-steps.mjs';

/** @typedef {import('./lib/test-results.mjs').Counts} Counts */

const CHECKS_AT_A_TIME = 2;

await runEntry(async () => {
  const counts = addCounts(await runGate().catch((error) => [failWith(error)]));
  process.stdout.write(`${resultLine(counts)}\n`);
  return counts.failed > 0 ? 1 : 0;
});

/** @returns {Promise<Counts[]>} */
async function runGate() {
  const { only, patterns } = readTestArguments(process.argv.slice(2));
  await ensureInstalled();
  const node = await ensurePinnedNode();
  // First, so that tests which look at the built app find it; a failure is the failure of the run that needs it.
  const app = only.has('e2e')
    ? await prepareApp({ opensDisplay: true }).catch((error) => failWith(error))
    : undefined;
  const counts = await runAtATime(
    CHECKS.filter(({ name }) => only.has(name)).map((check) => () => runStep(check, { node })),
  );
  for (const run of TEST_RUNS.filter(({ name }) => only.has(name))) {
    counts.push(
      run.name === 'e2e'
        ? await runEndToEnd(run, node, app, patterns)
        : await runStep(run, { node, patterns }),
    );
  }
  return counts;
}

/**
 * @param {import('./lib/test-steps.mjs').Step} run @param {string} node
 * @param {import('./lib/prepare.mjs').LaunchCommand | Counts | undefined} app or why there is none, already counted
 * @param {string[]} patterns
 */
async function runEndToEnd(run, node, app, patterns) {
  if (app === undefined || 'failed' in app) return app ?? countCheck(false);
  const display = await openDisplay();
  try {
    const env = electronEnvironment({ ...display.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(app) });
    return await runStep(run, { node, env, patterns });
  } finally {
    await display.end();
  }
}

/** @param {(() => Promise<Counts>)[]} tasks @returns {Promise<Counts[]>} */
async function runAtATime(tasks) {
  const waiting = [...tasks];
  /** @type {Counts[]} */
  const counts = [];
  const worker = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) counts.push(await task());
  };
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, worker));
  return counts;
}

/** @param {unknown} error @returns {Counts} */
function failWith(error) {
  note(describeError(error));
  return countCheck(false);
}
