/** Folders of tests without Electron or a page. The scripts are left out, because they are for Linux and macOS. */
const WHOLE = ['test/shared', 'test/structure', 'test/shell'];
const SPLIT = 'test/core';
/** Tests on real processes: each file takes minutes, and a hang in one must not lose the reports of others. */
const LIVE = /\/live-[^/]*\.test\.ts$/;

/** @typedef {{ name: string, patterns: string[] }} Chunk one run of vitest */

/**
 * Returns the runs of a whole lane. There are several runs, because a run that hangs or dies loses its whole report.
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
 * Returns the tests that the user selected, as one run.
 * @param {readonly string[]} patterns paths or parts of them @returns {Chunk[]}
 */
export function narrowedLane(patterns) {
  return [{ name: patterns.join(' '), patterns: [...patterns] }];
}
