/** Folders of tests that need neither Electron nor a page; the scripts are Linux's and macOS's launchers. */
const WHOLE = ['test/shared', 'test/structure', 'test/shell'];
const SPLIT = 'test/core';
/** Tests on real processes: each file takes minutes, and a hang in one is not to cost the others' reports. */
const LIVE = /\/live-[^/]*\.test\.ts$/;

/** @typedef {{ name: string, patterns: string[] }} Chunk one run of vitest */

/**
 * The runs of a whole lane. Several, because a run that hangs or dies takes its whole report with it.
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
 * What a person asked for, as one run.
 * @param {readonly string[]} patterns paths or parts of them @returns {Chunk[]}
 */
export function narrowedLane(patterns) {
  return [{ name: patterns.join(' '), patterns: [...patterns] }];
}
