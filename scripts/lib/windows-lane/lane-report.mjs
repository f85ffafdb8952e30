import { addCounts, countVitest, resultLine } from '../test-results.mjs';

/**
 * @typedef {import('../test-results.mjs').VitestReport} VitestReport
 * @typedef {import('../test-results.mjs').Counts} Counts
 * @typedef {{ name: string, report: VitestReport | undefined, code: number | null }} ChunkResult
 */

const PASSED = 'passed';
const FAILED = 'failed';
const NO_REASON = 'no reason is stated';

/**
 * Counts the skipped tests by reason, the most frequent reason first. Tests state the reason with test/support/skip-on.ts.
 * @param {readonly VitestReport[]} reports
 * @returns {{ reason: string, count: number }[]}
 */
function skipsByReason(reports) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const test of reports.flatMap(({ testResults }) =>
    testResults.flatMap((file) => file.assertionResults),
  )) {
    if (test.status === PASSED || test.status === FAILED) continue;
    const reason = test.meta?.skipReason ?? NO_REASON;
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return [...counts].map(([reason, count]) => ({ reason, count })).sort((a, b) => b.count - a.count);
}

/**
 * Returns the last lines of a test run for Windows: its system, the reasons for skipped tests, and the counts.
 * @param {string} system such as "Node v22.22.0 under wine-8.0"
 * @param {readonly ChunkResult[]} chunks
 * @returns {{ lines: string[], counts: Counts }}
 */
export function summarise(system, chunks) {
  const counts = addCounts(chunks.map(({ report, code }) => countVitest(report, code)));
  const reports = chunks.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const skips = skipsByReason(reports).map(({ reason, count }) => `${String(count).padStart(6)}  ${reason}`);
  return {
    lines: [
      `${counts.passed + counts.failed} tests ran on ${system}`,
      ...(skips.length > 0 ? ['skipped, by reason:', ...skips] : []),
      resultLine(counts),
    ],
    counts,
  };
}
