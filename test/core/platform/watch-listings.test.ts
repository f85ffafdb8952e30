import { describe, expect, it } from 'vitest';
import { simulateWatch } from './watch-simulation.ts';

const SERVERS = 50;

describe('watching where a look at processes takes 300 ms', () => {
  it.each([true, false])(
    'takes a listing every five seconds on Windows (processes shown: %s)',
    async (showsProcesses) => {
      expect(await simulateWatch({ system: 'windows', servers: SERVERS, showsProcesses })).toEqual({
        listingsPerMinute: 12,
        listingPercent: 6,
        mostCpuPercent: 6,
        samplesPerMinute: 12,
      });
    },
  );

  it('takes one every three seconds on macOS, so that at most a tenth of a core goes into them, and few of footprints', async () => {
    const figures = await simulateWatch({ system: 'macos', servers: SERVERS, showsProcesses: false });
    expect(figures.samplesPerMinute).toBeCloseTo(20, 0);
    expect(figures.listingsPerMinute).toBeLessThan(25);
  });

  it('costs as much for fifty servers as for one', async () => {
    const of = (servers: number) => simulateWatch({ system: 'macos', servers, showsProcesses: false });
    expect(await of(SERVERS)).toEqual(await of(1));
  });
});
