import { describe, expect, it } from 'vitest';
import type { MalformedOutput } from '../../../electron/core/mcp/malformed-output.ts';
import { MalformedOutputCounter } from '../../../electron/core/mcp/malformed-output.ts';
import { createFakeClock } from '../fake-clock.ts';

const noise = (excerpt: string): MalformedOutput => ({ noise: 'not-json', excerpt, bytes: excerpt.length });

function counter() {
  const clock = createFakeClock();
  const reports: Record<string, unknown>[] = [];
  return { clock, reports, counter: new MalformedOutputCounter(clock, (detail) => reports.push(detail)) };
}

describe('NoiseCounter', () => {
  it('reports a flood once in ten seconds, with how many there were', async () => {
    const { clock, counter: noises, reports } = counter();
    for (let index = 0; index < 1000; index += 1) noises.count(noise('flood'));
    expect([reports, clock.pending]).toEqual([[{ ...noise('flood'), count: 1, total: 1 }], 0]);
    await clock.advance(9999);
    noises.count(noise('flood'));
    expect(reports).toHaveLength(1);
    await clock.advance(1);
    noises.count(noise('last'));
    expect(reports[1]).toEqual({ ...noise('last'), count: 1001, total: 1002 });
    expect(noises.total).toBe(1002);
  });
});
