import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipOn } from '../../support/skip-on.ts';
import { killOnce, lossOf, makeKillHome } from './kill-rounds.ts';

const ROUNDS = 5;
/** A batch is sent a second after its first part; the rest is for a machine that is busy with other tests. */
const LONGEST_LOSS_MS = 8000;

it(
  'loses no more than its last moment when the panel is killed while it writes, and nothing from before it',
  {
    timeout: 240_000,
    ...skipOn('win32', 'the killed panel leaves processes that the test would have to find'),
  },
  async ({ onTestFinished }) => {
    const home = makeKillHome();
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    for (let round = 0; round < ROUNDS; round += 1) {
      const killed = await killOnce(home, 1200 + round * 150);
      expect(killed.integrity).toBe('ok');
      const { lostMs, holes } = await lossOf(home, killed);
      expect(holes).toEqual([]);
      expect(lostMs).toBeLessThan(LONGEST_LOSS_MS);
    }
  },
);
