import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { note, print } from './entry.mjs';
import { eachLine } from './output-lines.mjs';
import { projectRoot } from './paths.mjs';
import { describeExit, runCommand } from './run-command.mjs';
import { countCheck, countVitest, describeFailures, resultLine, withSecondTry } from './test-results.mjs';

/** Maximum milliseconds for one runner (such as a linter or vitest), so that a hung runner does not block `npm test` forever. */
const STEP_LIMIT_MS = 40 * 60_000;

/**
 * @typedef {{ node: string, env?: NodeJS.ProcessEnv, patterns?: string[], triesAgain?: boolean }} StepContext
 * @typedef {{ counts: import('./test-results.mjs').Counts, findings: string[] }} StepResult `findings`: a line for each
 * failure, and for each test that failed first and passed when it was run again
 */

/**
 * Runs one runner of `npm test`, such as a linter or vitest. Its output goes to stdout, with the runner's name at the start of
 * each line. With `triesAgain`, only the failed test files are run once more. Tests that then pass count as passed and are
 * reported as unstable.
 * @param {import('./test-steps.mjs').Step} step
 * @param {StepContext} context
 * @returns {Promise<StepResult>}
 */
export async function runStep(step, context) {
  const { node, env = process.env } = context;
  if (step.kind === 'check') {
    const holds = (await runLabelled(step.name, node, step.args, env)) === 0;
    return { counts: countCheck(holds), findings: holds ? [] : [`failed: ${step.name}`] };
  }
  const first = await runVitest(step, context);
  if (context.triesAgain !== true) return resultOf(first);
  const alone = { ...step, args: [...step.args, '--no-file-parallelism'] };
  const { run, unstable } = await withSecondTry(first, (patterns) =>
    runVitest(alone, { ...context, patterns }),
  );
  const { counts, findings } = resultOf(run);
  return { counts, findings: [...unstable, ...findings] };
}

/**
 * Runs a lane (a test suite outside `npm test`, such as the tests in Chromium), prints its findings, and returns its exit code.
 * @param {import('./test-steps.mjs').Step} step @param {StepContext} context
 */
export async function runLane(step, context) {
  const { counts, findings } = await runStep(step, context);
  for (const line of [...findings, resultLine(counts)]) print(line);
  return counts.failed > 0 ? 1 : 0;
}

/** Prints why a lane (a test suite outside `npm test`) cannot run here, and returns its exit code. @param {string} why */
export function skipLane(why) {
  note(`skipped: ${why}`);
  print(resultLine({ passed: 0, failed: 0, skipped: 1 }));
  return 0;
}

/** @typedef {{ report: import('./test-results.mjs').VitestReport | undefined, code: number | null }} VitestRun */

/** @param {VitestRun} run @returns {StepResult} */
function resultOf({ report, code }) {
  const counts = countVitest(report, code);
  return { counts, findings: describeFailures(report).map((line) => `failed: ${line}`) };
}

/** @param {import('./test-steps.mjs').Step} step @param {StepContext} context @returns {Promise<VitestRun>} */
async function runVitest(step, { node, env = process.env, patterns = [] }) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-control-panel-test-'));
  const file = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
    const code = await runLabelled(step.name, node, [...step.args, ...reporters, ...patterns], env);
    return { report: readReport(file), code };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string} label @param {string} node @param {string[]} args @param {NodeJS.ProcessEnv} env */
async function runLabelled(label, node, args, env) {
  const startedAt = Date.now();
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
  /** @type {NodeJS.ProcessEnv} */
  const stepEnv = { ...color, ...env };
  delete stepEnv.NODE_ENV; // NODE_ENV is removed, because with an inherited "production" the tests would use another build of React.
  const say = (/** @type {string} */ line) => print(`${label.padEnd(6)} | ${line}`);
  const exit = await runCommand(node, args, {
    cwd: projectRoot,
    env: stepEnv,
    name: label,
    limitMs: STEP_LIMIT_MS,
    stdio: ['ignore', 'pipe', 'pipe'],
    onStart: (child) => {
      for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, say);
    },
  });
  say(`${exit.code === 0 ? 'ended well' : `ended with ${describeExit(exit)}`} after ${seconds(startedAt)} s`);
  return exit.code;
}

function seconds(/** @type {number} */ startedAt) {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}

/** @param {string} file @returns {import('./test-results.mjs').VitestReport | undefined} */
function readReport(file) {
  try {
    /** @type {import('./test-results.mjs').VitestReport} */
    const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
    return {
      testResults: testResults.map((result) => ({ ...result, name: relative(projectRoot, result.name) })),
    };
  } catch {
    return undefined; // The runner ended before it wrote a report.
  }
}
