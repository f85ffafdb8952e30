import { describe, expect, it } from 'vitest';
import { simulateQuit } from './quit-simulation.ts';
import type { ListingSystem } from './slow-machine.ts';

/** Time that the app has for its quit. */
const QUIT_LIMIT_MS = 20_000;

describe.each<ListingSystem>(['windows', 'macos'])(
  'quitting where a look at processes takes 300 ms (%s)',
  (system) => {
    it.each([1, 5, 10, 40])('needs a handful of listings for %i polite servers', async (servers) => {
      const { ms, listings, left, blind } = await simulateQuit({ system, servers });
      expect(ms).toBeLessThanOrEqual(1000);
      expect(listings).toBeLessThanOrEqual(5);
      expect([left, blind]).toEqual([0, 0]);
    });

    it.each([1, 5, 10, 40])('leaves nothing of %i servers of which two are stubborn', async (servers) => {
      const stubborn = Math.min(2, servers);
      const { ms, left, blind, forceKilled } = await simulateQuit({ system, servers, stubborn });
      expect(ms).toBeLessThan(QUIT_LIMIT_MS);
      expect([left, blind, forceKilled]).toEqual([0, 0, stubborn]);
    });

    it('takes as many listings for forty servers as for five', async () => {
      const five = await simulateQuit({ system, servers: 5, stubborn: 2 });
      expect(await simulateQuit({ system, servers: 40, stubborn: 2 })).toEqual(five);
    });
  },
);
