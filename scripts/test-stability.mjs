// `npm run test:stability [-- --times=N] [-- --load]`: runs the tests on real processes N times. --load adds two busy loops,
// because results must not depend on an idle machine. Prints `N passed, N failed, N skipped` after each run, and a summary at
// the end.
import { spawn } from 'node:child_process';
import { note, print, runEntry, ScriptError } from './lib/entry.mjs';
import { ensureInstalled, ensurePinnedNode } from './lib/install.mjs';
import { inModules } from './lib/paths.mjs';
import { runStep } from './lib/run-step.mjs';
import { addCounts, resultLine } from './lib/test-results.mjs';

const BUSY_LOOPS = 2;
/** Program of a busy loop, which ends automatically when its parent has ended. */
const BUSY_LOOP = 'const parent = process.ppid; while (process.ppid === parent);';

/** @type {import('./lib/test-steps.mjs').Step} */
const LIVE_TESTS = {
  name: 'live',
  kind: 'vitest',
  args: [
    inModules('vitest', 'vitest.mjs'),
    'run',
    '--project=live',
    'test/core/supervisor/live-',
    'test/core/supervisor/custody/live-orphan-tree',
    'test/core/platform/live-death-pipe',
  ],
};

await runEntry(async () => {
  const { times, isLoaded } = readArguments(process.argv.slice(2));
  await ensureInstalled();
  const node = await ensurePinnedNode();
  const endLoad = isLoaded ? startLoad(node) : () => undefined;
  try {
    const runs = await runTimes(times, node);
    const failedRuns = runs.filter(({ failed }) => failed > 0).length;
    print(
      `stability: ${runs.length - failedRuns} of ${runs.length} runs well; ${resultLine(addCounts(runs))} in all`,
    );
    return failedRuns > 0 ? 1 : 0;
  } finally {
    endLoad();
  }
});

/** @param {number} times @param {string} node */
async function runTimes(times, node) {
  const runs = [];
  for (let run = 1; run <= times; run += 1) {
    const { counts, findings } = await runStep(LIVE_TESTS, { node });
    for (const finding of findings) print(finding);
    print(`run ${run} of ${times}: ${resultLine(counts)}`);
    runs.push(counts);
  }
  return runs;
}

/** @param {string} node @returns {() => void} */
function startLoad(node) {
  const loops = Array.from({ length: BUSY_LOOPS }, () => spawn(node, ['-e', BUSY_LOOP], { stdio: 'ignore' }));
  note(`${BUSY_LOOPS} busy loops beside: processes ${loops.map(({ pid }) => pid).join(', ')}`);
  return () => loops.forEach((loop) => loop.kill('SIGKILL'));
}

/** @param {readonly string[]} args */
function readArguments(args) {
  let times = 1;
  let isLoaded = false;
  for (const arg of args) {
    if (arg === '--load') isLoaded = true;
    else if (/^--times=[1-9]\d*$/.test(arg)) times = Number(arg.slice('--times='.length));
    else
      throw new ScriptError(
        `"${arg}" is no option of npm run test:stability.`,
        'There are --times=N and --load.',
      );
  }
  return { times, isLoaded };
}
