import { describe, expect, it } from 'vitest';
import { panelFiguresWords } from '../../renderer/settings/panel-figures-field.tsx';

const MIB = 1024 * 1024;

describe('the words for what the panel itself costs', () => {
  it('hold memory, CPU and how late the loop is, each with its unit', () => {
    const loop = { p50Ms: 0.1, p99Ms: 2.4, maxMs: 31 };
    expect(panelFiguresWords({ memoryBytes: 142 * MIB, cpuPercent: 0.8, loop })).toBe(
      '142 MiB · 0.8 % CPU · loop 2 ms late in 1 of 100 ticks, 31 ms at most',
    );
  });

  it('leave out what is not known', () => {
    expect(panelFiguresWords({ cpuPercent: 12.3 })).toBe('12 % CPU');
    expect(panelFiguresWords({})).toBe('Not known yet.');
  });
});
