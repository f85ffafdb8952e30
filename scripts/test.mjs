// `npm test [-- --only=lint,types,format,unused,unit,e2e] [file patterns]`: runs the static checks and the fast tests, which
// every change must pass. `npm run test:slow`: runs the slower tests (live, properties, app, slow, package). The last line on
// stdout is always `N passed, N failed, N skipped` over all runners. Above it are the failures, and the tests that failed first
// and passed when their files were run again (docs/decisions/0011).
import { needsXvfb, withDisplay } from './lib/display.mjs';
import { describeError, note, runEntry } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { packageFlavours, TEST_PACKAGES_VARIABLE } from './lib/package-app.mjs';
import { electronEnvironment, prepareApp, TEST_ELECTRON_VARIABLE } from './lib/prepare.mjs';
import { runStep } from './lib/run-step.mjs';
import { addCounts, countCheck, resultLine } from './lib/test-results.mjs';
import { CHECKS, readTestArguments, TEST_RUNS } from './lib/test-steps.mjs';

/** @typedef {import('./lib/run-step.mjs').StepResult} StepResult */

const STEPS_AT_A_TIME = 2;
/** Test runs whose tests start the built app. */
const WITH_APP = ['e2e', 'app', 'slow'];

/**
 * What a test run tests, such as the built app: the environment variable that passes its start command to the tests, and the
 * function that creates it.
 * @typedef {{ variable: string, create: () => Promise<object> }} Subject
 */
const BUILT_APP = { variable: TEST_ELECTRON_VARIABLE, create: () => prepareApp({ opensDisplay: true }) };
const PACKAGES = { variable: TEST_PACKAGES_VARIABLE, create: packageFlavours };

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
  // The app is built first, so that its tests find it. If the build fails, each run that needs the app counts as failed.
  const app = WITH_APP.some((name) => only.has(name)) ? await prepare(BUILT_APP) : undefined;
  // The unit tests start last, because only they use both cores.
  const results = await runAtATime(
    [...CHECKS, ...TEST_RUNS]
      .filter(({ name, kind }) => only.has(name) && (kind === 'check' || name === 'unit'))
      .map((step) => () => runStep(step, { node, patterns, triesAgain: true })),
  );
  for (const run of TEST_RUNS.filter(({ name }) => only.has(name) && name !== 'unit')) {
    if (WITH_APP.includes(run.name)) results.push(await runWithWindows(run, node, app, patterns));
    else if (run.name !== 'package') results.push(await runStep(run, { node, patterns, triesAgain: true }));
    else if (process.platform !== 'linux') note('packages are tested on Linux only');
    else results.push(await runWithWindows(run, node, await prepare(PACKAGES), patterns));
  }
  return results;
}

/** @param {Subject} subject @returns {Promise<Record<string, string> | StepResult>} environment of the run, or its failure */
async function prepare({ variable, create }) {
  try {
    return { [variable]: JSON.stringify(await create()) };
  } catch (error) {
    return failWith(error);
  }
}

/**
 * @param {import('./lib/test-steps.mjs').Step} run
 * @param {string} node
 * @param {Record<string, string> | StepResult | undefined} subject environment variable with the start command of what is
 * tested, or the result to report because that could not be created
 * @param {string[]} patterns
 */
async function runWithWindows(run, node, subject, patterns) {
  if (subject === undefined || isResult(subject))
    return subject ?? { counts: countCheck(false), findings: [] };
  // Each file that opens windows starts its own display if there is none (vitest.config.ts).
  const step = (/** @type {Record<string, string | undefined>} */ display) => {
    const env = electronEnvironment({ ...display, ...subject });
    return runStep(run, { node, env, patterns, triesAgain: true });
  };
  return WITH_APP.includes(run.name) && needsXvfb() ? step({}) : withDisplay(step);
}

/** @param {Record<string, string> | StepResult} value @returns {value is StepResult} */
function isResult(value) {
  return 'counts' in value;
}

/** @param {(() => Promise<StepResult>)[]} tasks @returns {Promise<StepResult[]>} */
async function runAtATime(tasks) {
  const waiting = [...tasks];
  /** @type {StepResult[]} */
  const results = [];
  const worker = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) results.push(await task());
  };
  await Promise.all(Array.from({ length: STEPS_AT_A_TIME }, worker));
  return results;
}

/** @param {unknown} error @returns {StepResult} */
function failWith(error) {
  note(describeError(error));
  return { counts: countCheck(false), findings: [`failed: ${describeError(error)}`] };
}
