import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { patience } from './test/support/patience.ts';

/** As scripts/lib/display.mjs finds it: each file of e2e then opens a display of its own. */
const hasNoDisplay =
  process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY'];

const UNIT = [
  'test/{core,shared,shell,scripts,structure}/**/*.test.{ts,mjs}',
  'test/renderer/**/*.test.{ts,tsx}',
  'test/whole/**/*.test.tsx',
];
/** Tests on real processes, sockets and threads, and what takes long besides. */
const LIVE = 'test/**/live-*.test.{ts,mjs}';
const APP = 'test/slow/app/*.test.ts';

/** A panel under test asks a plain shell: what the profile of whoever tests starts may take long, or wait for a lock. */
const plainShell: Record<string, string> = process.platform === 'win32' ? {} : { SHELL: '/bin/sh' };
/** A second, as by default, is short on a machine with other work. */
const expectSettings = { poll: { timeout: 10_000 } };
const unitSettings = {
  env: plainShell,
  expect: expectSettings,
  testTimeout: 20_000 * patience,
  maxConcurrency: 12,
};
const appSettings = {
  env: plainShell,
  expect: expectSettings,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // On a display that they share, windows would take the focus from each other.
  fileParallelism: hasNoDisplay,
};

export default defineConfig({
  test: {
    // By default one core is left free; tests on real processes wait for most of their time.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: UNIT,
          exclude: [LIVE],
          // A process of its own for each file would take more time than most files do.
          pool: 'forks',
          isolate: false,
          ...unitSettings,
        },
      },
      { test: { name: 'live', include: [LIVE], ...unitSettings } },
      {
        test: {
          name: 'properties',
          include: globSync(UNIT).filter((file) => readFileSync(file, 'utf8').includes('propertyRuns(')),
          env: { ...plainShell, PROPERTY_RUNS: 'Infinity' },
          pool: 'forks',
          isolate: false,
          testTimeout: 120_000 * patience,
        },
      },
      { test: { name: 'e2e', include: ['test/e2e/*.test.ts'], ...appSettings } },
      { test: { name: 'app', include: [APP], ...appSettings } },
      {
        test: {
          name: 'slow',
          include: ['test/slow/**/*.test.{ts,tsx,mjs}'],
          exclude: [APP],
          env: plainShell,
          testTimeout: 300_000,
          hookTimeout: 60_000,
          // They measure turns of the event loop, and how soon a verdict comes.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'chromium',
          include: ['test/chromium/**/*.test.ts'],
          env: plainShell,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['test/engines/**/*.test.ts'],
          env: plainShell,
          // An engine is one for all.
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.{ts,mjs}'],
          env: plainShell,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
