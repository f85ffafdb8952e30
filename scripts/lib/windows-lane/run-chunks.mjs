import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { countVitest, describeFailures, resultLine, withSecondTry } from '../test-results.mjs';
import { hasWineCrashed, runToFile } from './wine.mjs';

/**
 * @typedef {import('../test-results.mjs').VitestReport} VitestReport
 * @typedef {import('./lane-report.mjs').ChunkResult} ChunkResult
 * @typedef {object} Lane how vitest is started on Windows or under wine
 * @property {string} command
 * @property {string[]} args arguments before vitest's own
 * @property {string} cwd folder with the sources
 * @property {NodeJS.ProcessEnv} env
 * @property {string} results folder for reports and outputs
 * @property {string[]} options options of vitest
 */

/** Maximum milliseconds for a chunk (one of several vitest runs). The slowest one takes four minutes on two idle cores. */
const CHUNK_LIMIT_MS = 10 * 60_000;

/** Folders with tests that need neither Electron nor a page. Tests of the scripts (for Linux and macOS) are not listed. */
const WHOLE = ['test/shared', 'test/structure', 'test/shell'];
const SPLIT = 'test/core';
/** Tests on real processes, minutes per file. Each has its own vitest run, so that a hung file does not lose other reports. */
const LIVE = /\/live-[^/]*\.test\.ts$/;

/** @typedef {{ name: string, patterns: string[] }} Chunk one run of vitest */

/**
 * Returns the vitest runs that together cover all tests for Windows. There are several, because a run that hangs or crashes
 * loses its whole report.
 * @param {readonly string[]} files test files below test/core, relative to the checkout, with slashes
 * @returns {Chunk[]}
 */
export function wholeLane(files) {
  const testFiles = files.filter((file) => file.startsWith(`${SPLIT}/`) && file.endsWith('.test.ts'));
  const live = testFiles.filter((file) => LIVE.test(file)).sort();
  /** @type {Map<string, string[]>} */
  const folders = new Map();
  for (const file of testFiles.filter((each) => !LIVE.test(each)).sort()) {
    const parts = file.split('/');
    const folder = parts.slice(0, Math.min(3, parts.length - 1)).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  return [
    ...WHOLE.map((name) => ({ name, patterns: [`${name}/`] })),
    ...[...folders].map(([name, patterns]) => ({ name, patterns })),
    ...live.map((name) => ({ name, patterns: [name] })),
  ];
}

/**
 * Runs the chunks one after another.
 * @param {Lane} lane @param {readonly Chunk[]} chunks @param {(line: string) => void} print
 * @returns {Promise<ChunkResult[]>}
 */
export async function runChunks(lane, chunks, print) {
  /** @type {ChunkResult[]} */
  const results = [];
  for (const chunk of chunks) {
    const startedAt = performance.now();
    const result = await runChunk(lane, chunk, print);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    print(`${chunk.name}: ${resultLine(countVitest(result.report, result.code))} in ${seconds} s`);
    for (const failure of describeFailures(result.report)) print(`failed: ${failure}`);
    results.push(result);
  }
  return results;
}

/**
 * @param {Lane} lane @param {Chunk} chunk @param {(line: string) => void} print
 * @returns {Promise<ChunkResult>}
 */
async function runChunk(lane, { name, patterns }, print) {
  const first = await runToReport(lane, name, patterns, print);
  if (first.report === undefined) print(`${name}: no report; see "${first.log}" and "${first.log}.stderr"`);
  const { run, unstable } = await withSecondTry(first, (files) => runVitest(lane, name, files, '-again'));
  unstable.forEach(print);
  return run;
}

/**
 * Runs a chunk. If it ends or hangs without a report, prints a message and runs it again, because wine sometimes crashes.
 * @param {Lane} lane
 * @param {string} name
 * @param {string[]} patterns
 * @param {(line: string) => void} print
 */
async function runToReport(lane, name, patterns, print) {
  const run = await runVitest(lane, name, patterns);
  if (run.report !== undefined) return run;
  const why = hasWineCrashed(run.log) ? 'the server of wine crashed' : `no report; see "${run.log}"`;
  print(`${name}: ${why}; once more`);
  return runVitest(lane, name, patterns, '-once-more');
}

/**
 * @param {Lane} lane @param {string} name @param {string[]} patterns @param {string} [ending] suffix of the names of its files
 */
async function runVitest(lane, name, patterns, ending = '') {
  const slug = name.replace(/[^\w.-]+/g, '_').slice(0, 80) + ending;
  const log = join(lane.results, `${slug}.log`);
  // The path is relative to the sources, because an absolute path of this system has another form for a program under wine.
  const outputFolder = join(lane.cwd, '.vitest');
  const output = join(outputFolder, 'lane.json');
  mkdirSync(outputFolder, { recursive: true });
  rmSync(output, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=.vitest/lane.json'];
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'unit', '--project', 'live'];
  const exit = await runToFile(
    lane.command,
    [...lane.args, ...vitest, ...lane.options, ...reporters, ...patterns],
    { cwd: lane.cwd, env: lane.env, name: `vitest (${name})`, log, limitMs: CHUNK_LIMIT_MS },
  );
  const text = readText(output);
  if (text !== undefined) writeFileSync(join(lane.results, `${slug}.json`), text);
  /** @type {VitestReport | undefined} */
  const report = text === undefined ? undefined : JSON.parse(text);
  return { name, report, code: exit.code, log };
}

/** @param {string} path @returns {string | undefined} */
function readText(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // The run ended before it wrote a report.
  }
}
