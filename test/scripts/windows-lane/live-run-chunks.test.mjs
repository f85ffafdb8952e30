import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runChunks } from '../../../scripts/lib/windows-lane/run-chunks.mjs';
import { tempFolder } from '../../support/temp-folder.ts';

/** @type {string} */
let folder;
beforeEach(() => {
  folder = tempFolder('run-chunks-');
});

const CRASH = "console.error('wineserver crashed, please enable coredumps'); setInterval(() => {}, 1000);";

/**
 * Stands for vitest under wine, whose server dies in as many runs as said.
 * @param {number} times @param {string} [ending] what such a run does
 */
function laneThatCrashes(times, ending = CRASH) {
  const runs = join(folder, 'runs');
  const script = join(folder, 'vitest.cjs');
  writeFileSync(runs, '');
  writeFileSync(
    script,
    `const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
appendFileSync(${JSON.stringify(runs)}, 'x');
if (readFileSync(${JSON.stringify(runs)}, 'utf8').length <= ${times}) {
  ${ending}
} else {
  const one = { status: 'passed', title: 'one', fullName: 'one', ancestorTitles: [], failureMessages: [] };
  const file = { name: 'a.test.ts', status: 'passed', message: '', assertionResults: [one] };
  const report = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [file] };
  writeFileSync('.vitest/lane.json', JSON.stringify(report));
}`,
  );
  const results = join(folder, 'results');
  const lane = {
    command: process.execPath,
    args: [script],
    cwd: folder,
    env: process.env,
    results,
    options: [],
  };
  return { lane, countRuns: () => readFileSync(runs, 'utf8').length };
}

describe('a run under wine', () => {
  it.each([
    [
      'is ended when the server of wine has died, and made once more',
      CRASH,
      /^a: the server of wine crashed; once more$/,
    ],
    [
      'is made once more where it ends without a report, and tells where its words are',
      'process.exit(1);',
      /^a: no report; see ".*a\.log"; once more$/,
    ],
  ])('%s', async (_, ending, told) => {
    const { lane, countRuns } = laneThatCrashes(1, ending);
    /** @type {string[]} */
    const lines = [];
    const [result] = await runChunks(lane, [{ name: 'a', patterns: [] }], (line) => lines.push(line));
    expect(result).toMatchObject({ code: 0, report: { numPassedTests: 1 } });
    expect(countRuns()).toBe(2);
    expect(lines[0]).toMatch(told);
  });

  it('fails when it has died again', async () => {
    const { lane, countRuns } = laneThatCrashes(2);
    const [result] = await runChunks(lane, [{ name: 'a', patterns: [] }], () => undefined);
    expect(result?.report).toBeUndefined();
    expect(result?.code).not.toBe(0);
    expect(countRuns()).toBe(2);
  });
});
