import { describe, expect, it } from 'vitest';
import { reloadDelayMs } from '../../../electron/shell/window/page-recovery.ts';

describe('reloadDelayMs', () => {
  it('loads a page that crashed once again at once, and one that keeps crashing after a pause', () => {
    expect(reloadDelayMs(Number.POSITIVE_INFINITY)).toBe(0);
    expect(reloadDelayMs(60_000)).toBe(0);
    expect(reloadDelayMs(9_999)).toBe(5000);
  });
});
