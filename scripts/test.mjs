// `npm test [-- --only=lint,types,format,unused,unit,e2e] [file patterns]`: the gate. Its last line on stdout is
// `N passed, N failed, N skipped` over all runners, whatever happens; above it stands what failed, and what failed at first
// and passed alone (docs/decisions/0011).
import { openDisplay } from './lib/display.mjs';
import { describeError, note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { electronEnvironment, prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runStep } from './lib/run-step.mjs';
import { addCounts, countCheck, resultLine } from './lib/test-results.mjs';
import { CHECKS, readTestArguments, TEST_RUNS } from './lib/test-steps.mjs';

/** @typedef {import('./lib/run-step.mjs').StepResult} StepResult */

const CHECKS_AT_A_TIME = 2;

await runEntry(async () => {
  const results = await runGate().catch((error) => [failWith(error)]);
  const counts = addCounts(results.map((result) => result.counts));
  for (const finding of results.flatMap(({ findings }) => findings)) process.stdout.write(`${finding}\n`);
  process.stdout.write(`${resultLine(counts)}\n`);
  return counts.failed > 0 ? 1 : 0;
});

/** @returns {Promise<StepResult[]>} */
async function runGate() {
  const { only, patterns } = readTestArguments(process.argv.slice(2));
  await ensureInstalled();
  const node = await ensurePinnedNode();
  // First, so that tests which look at the built app find it; a failure is the failure of the run that needs it.
  const app = only.has('e2e')
    ? await prepareApp({ opensDisplay: true }).catch((error) => failWith(error))
    : undefined;
  const results = await runAtATime(
    CHECKS.filter(({ name }) => only.has(name)).map((check) => () => runStep(check, { node })),
  );
  for (const run of TEST_RUNS.filter(({ name }) => only.has(name))) {
    results.push(
      run.name === 'e2e'
        ? await runEndToEnd(run, node, app, patterns)
        : await runStep(run, { node, patterns, triesAgain: true }),
    );
  }
  return results;
}

/**
 * @param {import('./lib/test-steps.mjs').Step} run @param {string} node
 * @param {import('./lib/prepare.mjs').LaunchCommand | StepResult | undefined} app or why there is none, already counted
 * @param {string[]} patterns
 */
async function runEndToEnd(run, node, app, patterns) {
  if (app === undefined || 'counts' in app) return app ?? { counts: countCheck(false), findings: [] };
  const display = await openDisplay();
  try {
    const env = electronEnvironment({ ...display.env, [TEST_ELECTRON_VARIABLE]: JSON.stringify(app) });
    return await runStep(run, { node, env, patterns, triesAgain: true });
  } finally {
    await display.end();
  }
}

/** @param {(() => Promise<StepResult>)[]} tasks @returns {Promise<StepResult[]>} */
async function runAtATime(tasks) {
  const waiting = [...tasks];
  /** @type {StepResult[]} */
  const results = [];
  const worker = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) results.push(await task());
  };
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, worker));
  return results;
}

/** @param {unknown} error @returns {StepResult} */
function failWith(error) {
  note(describeError(error));
  return { counts: countCheck(false), findings: [`failed: ${describeError(error)}`] };
}
