import { describe, expect, it } from 'vitest';
import { lastTrace, lostAnswers } from './parting-servers.ts';

const LIMIT_MS = 120_000;
const KB = 1000;

describe('the last words of real servers', () => {
  it.for([
    { size: '60 kB', bytes: 60 * KB },
    { size: '1 MB', bytes: 1000 * KB },
    { size: '8 MB', bytes: 8000 * KB },
  ])(
    'are delivered when they are an answer of $size, written in the tick of the exit',
    { timeout: LIMIT_MS },
    async ({ bytes }) => {
      expect(await lostAnswers({ count: 10, bytes })).toEqual([]);
      expect(await lostAnswers({ count: 5, bytes, isBusy: true })).toEqual([]);
      expect(await lostAnswers({ count: 5, bytes, isHeld: true, isBusy: true })).toEqual([]);
    },
  );

  it('name the cause of the crash, behind a burst of 62 kB', { timeout: LIMIT_MS }, async () => {
    for (let round = 0; round < 4; round += 1) {
      const { error, crashed } = await lastTrace(62 * KB);
      const cause = expect.stringMatching(/^FATAL: the cause \(exited/) as string;
      expect(error).toMatchObject({ code: 'CRASHED', message: cause });
      expect(crashed.detail).toMatchObject({
        stderrTail: expect.stringMatching(/FATAL: the cause$/) as string,
      });
    }
  });
});
