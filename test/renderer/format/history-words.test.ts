import { describe, expect, it } from 'vitest';
import { historyWords } from '../../../renderer/settings/settings-pages.tsx';

const oldestAt = new Date(2026, 8, 1, 12).getTime();

describe('the words on the history', () => {
  it('say how large the file is, and since when', () => {
    expect(historyWords({ keptIn: 'file', path: '/a', sizeBytes: 12.4 * 2 ** 20, oldestAt })).toBe(
      '12.4 MiB · since 2026-09-01',
    );
    expect(historyWords({ keptIn: 'file', path: '/a' })).toBe('Nothing yet.');
  });

  it('say first that nothing outlives the panel where there is no file', () => {
    expect(historyWords({ keptIn: 'memory', oldestAt })).toBe(
      'In memory alone, until the panel quits · since 2026-09-01',
    );
  });
});
