import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // By default one core is left free; tests on real processes wait for most of their time.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: [
            'test/{core,shared,shell,scripts,structure}/**/*.test.{ts,mjs}',
            'test/renderer/**/*.test.{ts,tsx}',
          ],
          testTimeout: 20_000,
          maxConcurrency: 12,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
      {
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
