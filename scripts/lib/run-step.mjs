import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eachLine } from './output-lines.mjs';
import { projectRoot } from './paths.mjs';
import { describeExit, settle } from './run-command.mjs';
import { countCheck, countVitest } from './test-results.mjs';

/** The whole gate has ten minutes; a runner that hangs must not hold it for ever. */
const STEP_LIMIT_MS = 10 * 60_000;

/**
 * Runs one runner of the gate with its output on stdout, each line with the runner's name in front.
 * @param {import('./test-steps.mjs').Step} step
 * @param {{ node: string, env?: NodeJS.ProcessEnv, patterns?: string[] }} context
 * @returns {Promise<import('./test-results.mjs').Counts>}
 */
export async function runStep(step, { node, env = process.env, patterns = [] }) {
  if (step.kind === 'check') return countCheck((await runLabelled(step.name, node, step.args, env)) === 0);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-control-panel-test-'));
  const report = join(folder, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const code = await runLabelled(step.name, node, [...step.args, ...reporters, ...patterns], env);
    return countVitest(readReport(report), code);
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
  delete stepEnv.NODE_ENV; // "production" from outside would turn the tests' React into another one.
  const child = spawn(node, args, {
    cwd: projectRoot,
    env: stepEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const limit = setTimeout(() => child.kill('SIGKILL'), STEP_LIMIT_MS);
  const print = (/** @type {string} */ line) => process.stdout.write(`${label.padEnd(6)} | ${line}\n`);
  eachLine(child.stdout, print);
  eachLine(child.stderr, print);
  const exit = await settle(child, node);
  clearTimeout(limit);
  print(
    `${exit.code === 0 ? 'ended well' : `ended with ${describeExit(exit)}`} after ${seconds(startedAt)} s`,
  );
  return exit.code;
}

function seconds(/** @type {number} */ startedAt) {
  return ((Date.now() - startedAt) / 1000).toFixed(1);
}

/** @param {string} file @returns {import('./test-results.mjs').VitestReport | undefined} */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined; // The runner died before it could write one.
  }
}
