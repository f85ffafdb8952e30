import { expect, it } from 'vitest';
import { summarise } from '../../../scripts/lib/windows-lane/lane-report.mjs';

it('counts a chunk that left no report as a failure', () => {
  const { counts } = summarise('Windows', [{ name: 'died', code: null, report: undefined }]);
  expect(counts).toEqual({ passed: 0, failed: 1, skipped: 0 });
});
