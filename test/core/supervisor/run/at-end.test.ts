import { expect, it } from 'vitest';
import { atEndOf } from '../../../../electron/core/supervisor/run/run-log.ts';
import { panelSettingsSchema } from '../../../../shared/panel-settings.ts';

const { limits } = panelSettingsSchema.parse({});
const aCall = (ageMs: number) => ({ method: 'tools/call', by: 'client' as const, ageMs });

it('what is told of an end holds the oldest fifty calls and their number, and the figures with their limits', () => {
  const calls = Array.from({ length: 70 }, (_, index) => aCall(index));
  const sample = { at: 5, memoryBytes: 7, sharedMemoryBytes: 1, processCount: 2 };
  expect(atEndOf(calls, sample, limits)).toEqual({
    calls: calls.slice(0, 50),
    callsTotal: 70,
    inUse: {
      at: 5,
      memoryBytes: 7,
      processCount: 2,
      limits: { maxMemoryMiB: 1024, maxCpuPercent: 80, maxOpenFiles: 1000 },
    },
  });
});

it('what is told of an end has no figures where nobody has looked', () => {
  expect(atEndOf([aCall(1)], undefined, limits)).toEqual({ calls: [aCall(1)] });
});
