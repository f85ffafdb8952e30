import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTop } from '../../../../electron/core/platform/ps/footprints.ts';

const MIB = 1024 * 1024;

/** As macOS prints one sample with the columns pid and mem. */
const LISTING = [
  'Processes: 612 total, 3 running, 609 sleeping, 3120 threads ',
  '2026/11/22 21:00:00',
  'Load Avg: 2.10, 2.31, 2.40 ',
  'CPU usage: 9.30% user, 13.95% sys, 76.74% idle ',
  'PhysMem: 15G used (2103M wired, 4012M compressor), 812M unused.',
  '',
  'PID    MEM   ',
  '91234  48M+  ',
  '812    1696K ',
  '400    1.5G- ',
  '301*   912B  ',
  '0      17G   ',
  '77     N/A   ',
].join('\n');

describe('parseTop', () => {
  it('reads the footprint of each process in bytes, whatever its unit and its trend', () => {
    expect([...parseTop(LISTING)]).toEqual([
      [91234, 48 * MIB],
      [812, 1696 * 1024],
      [400, 1.5 * 1024 * MIB],
      [301, 912],
      [0, 17 * 1024 * MIB],
    ]);
  });

  it('reads nothing of another text, and never throws', () => {
    expect(parseTop('top: unknown option').size).toBe(0);
    fc.assert(fc.property(fc.string(), (text) => parseTop(text).size <= text.split('\n').length));
  });
});
