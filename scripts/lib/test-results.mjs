/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{
 *   numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[],
 * }} VitestReport the part of vitest's JSON report that is read here
 */

/** A check has no parts: it holds or it does not. @param {boolean} holds @returns {Counts} */
export function countCheck(holds) {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 };
}

/**
 * What a vitest run amounts to. Nothing may fail unseen: a file that did not load, a hook that threw, an error outside
 * every test, a run that found no test or left no report each count as one failure.
 * @param {VitestReport | undefined} report @param {number | null} exitCode
 * @returns {Counts}
 */
export function countVitest(report, exitCode) {
  if (report === undefined) return countCheck(false);
  const brokenFiles = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length;
  const passed = report.numPassedTests;
  const skipped = report.numPendingTests + report.numTodoTests;
  const failed = report.numFailedTests + brokenFiles;
  const isUnexplained = failed === 0 && (exitCode !== 0 || passed + skipped === 0);
  return { passed, failed: failed + (isUnexplained ? 1 : 0), skipped };
}

/** @param {readonly Counts[]} all @returns {Counts} */
export function addCounts(all) {
  const sum = (/** @type {keyof Counts} */ key) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** The last line of `npm test`; other programs read it. @param {Counts} counts */
export function resultLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
