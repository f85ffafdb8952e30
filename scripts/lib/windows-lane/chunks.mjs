/** Folders of tests that need neither Electron nor a page; the scripts are Linux's and macOS's launchers. */
const FOLDERS = ['test/shared', 'test/structure', 'test/shell'];
const SPLIT = 'test/core';

/**
 * The runs of a whole lane, as what each gives to vitest. Several, because a run that hangs or dies takes its whole report
 * with it.
 * @param {readonly { name: string, isDirectory: boolean }[]} core what stands in test/core
 * @returns {{ name: string, patterns: string[] }[]}
 */
export function wholeLane(core) {
  const folders = core
    .filter(({ isDirectory }) => isDirectory)
    .map(({ name }) => ({ name: `${SPLIT}/${name}`, patterns: [`${SPLIT}/${name}/`] }));
  const files = core.filter(({ name }) => name.endsWith('.test.ts')).map(({ name }) => `${SPLIT}/${name}`);
  return [
    ...FOLDERS.map((name) => ({ name, patterns: [`${name}/`] })),
    ...folders,
    { name: SPLIT, patterns: files },
  ];
}

/**
 * What a person asked for, as one run.
 * @param {readonly string[]} patterns paths or parts of them
 */
export function narrowedLane(patterns) {
  return [{ name: patterns.join(' '), patterns: [...patterns] }];
}
