/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] | null, meta?: { skipReason?: string } }} TestResult
 * @typedef {{ name: string, status: string, message?: string, assertionResults: TestResult[] }} FileResult
 * @typedef {{ testResults: FileResult[] }} VitestReport fields of vitest's JSON report that are used
 */

/**
 * Counts a check (a runner such as the linter) as one test, because it does not consist of single tests. @param {boolean} holds
 * @returns {Counts}
 */
export function countCheck(holds) {
  return { passed: holds ? 1 : 0, failed: holds ? 0 : 1, skipped: 0 };
}

/**
 * Counts the results of a vitest run. A file that did not load, a hook that threw, an error outside every test, and a run
 * without tests or without a report each count as one failure, so that none is missed.
 * @param {VitestReport | undefined} report @param {number | null} exitCode
 * @returns {Counts}
 */
export function countVitest(report, exitCode) {
  if (report === undefined) return countCheck(false);
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  const failedTests = tests.filter(({ status }) => status === 'failed').length;
  const brokenFiles = report.testResults.filter(
    (file) => isFailed(file) && !file.assertionResults.some(isFailed),
  );
  const failed = failedTests + brokenFiles.length;
  const skipped = tests.length - passed - failedTests;
  const isUnexplained = failed === 0 && (exitCode !== 0 || tests.length === 0);
  return { passed, failed: failed + (isUnexplained ? 1 : 0), skipped };
}

/** Returns the files to run again: with a failed test, or failed as a whole. @param {VitestReport | undefined} report */
function failedFiles(report) {
  return (report?.testResults ?? []).filter(isFailed).map(({ name }) => name);
}

/**
 * Returns the first report, with the results of each file that was run again replaced by those of the second report.
 * @param {VitestReport} first
 * @param {VitestReport | undefined} second
 * @returns {VitestReport}
 */
function replaceFiles(first, second) {
  const again = new Map((second?.testResults ?? []).map((file) => [file.name, file]));
  return { testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
}

/** Maximum number of failed test files to run again. If more fail, the cause is not timing (docs/decisions/0011). */
const MOST_FILES_TO_TRY_AGAIN = 3;

/**
 * Runs only the failed test files of a run once more, if they are few.
 * @template {{ report: VitestReport | undefined }} Run
 * @param {Run} first
 * @param {(files: string[]) => Promise<Run>} runAgain
 * @returns {Promise<{ run: Run, unstable: string[] }>} `unstable`: a line for each test that failed first and passed in the
 * second run
 */
export async function withSecondTry(first, runAgain) {
  const files = failedFiles(first.report);
  if (first.report === undefined || files.length === 0 || files.length > MOST_FILES_TO_TRY_AGAIN)
    return { run: first, unstable: [] };
  const second = await runAgain(files);
  const report = replaceFiles(first.report, second.report);
  const failures = failedFiles(report).length === 0 ? describeFailures(first.report) : [];
  return {
    run: { ...second, report },
    unstable: failures.map((line) => `failed at first, passed alone: ${line}`),
  };
}

/**
 * Returns one line for each failed test, and for each file that failed as a whole, with the first line of its error.
 * @param {VitestReport | undefined} report
 * @returns {string[]}
 */
export function describeFailures(report) {
  return (report?.testResults ?? []).filter(isFailed).flatMap((file) => {
    const failed = file.assertionResults.filter(isFailed);
    if (failed.length === 0) return [`${file.name}: ${firstLine(file.message)}`];
    return failed.map((test) => `${file.name} › ${test.fullName}: ${firstLine(test.failureMessages?.[0])}`);
  });
}

/** @param {{ status: string }} result */
function isFailed({ status }) {
  return status === 'failed';
}

/** @param {string | undefined} text */
function firstLine(text) {
  return (text ?? '').trim().split('\n')[0] || 'no message';
}

/** @param {readonly Counts[]} all @returns {Counts} */
export function addCounts(all) {
  const sum = (/** @type {keyof Counts} */ key) => all.reduce((total, counts) => total + counts[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

/** Returns the last line of `npm test`, which other programs parse. @param {Counts} counts */
export function resultLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
