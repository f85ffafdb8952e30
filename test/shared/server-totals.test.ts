import { describe, expect, it } from 'vitest';
import type { Sample, ServerView } from '../../shared/domain.ts';
import { addUp } from '../../shared/server-totals.ts';

const aSample = (at: number, changes: Partial<Sample>): Sample => ({ at, processCount: 1, ...changes });
const aServer = (
  name: string,
  { sample }: Pick<ServerView, 'sample'> = {},
): Pick<ServerView, 'name' | 'sample'> => ({
  name,
  ...(sample && { sample }),
});

describe('addUp', () => {
  it('adds what is known', () => {
    const servers = [aServer('a', { sample: aSample(1, { memoryBytes: 5, cpuPercent: 2 }) }), aServer('b')];
    expect(addUp([...servers, aServer('c', { sample: { at: 1, memoryBytes: 6, processCount: 1 } })])).toEqual(
      {
        memoryBytes: 11,
        cpuPercent: 2,
        inRamBytes: undefined,
      },
    );
  });

  it('is the sum of what each has, and beside it what all take with their shared memory once', () => {
    const servers = Array.from({ length: 39 }, (_, index) =>
      aServer(`s${index}`, {
        sample: aSample(1, { memoryBytes: 150 + index, sharedMemoryBytes: 45 + (index % 2) }),
      }),
    );
    const own = servers.reduce((sum, _, index) => sum + 150 + index - 45 - (index % 2), 0);
    const memoryBytes = servers.reduce((sum, { sample }) => sum + (sample?.memoryBytes ?? 0), 0);
    expect(addUp(servers)).toMatchObject({ memoryBytes, inRamBytes: own + 46 });
  });

  it('adds servers that tell no shared memory to those that do', () => {
    const servers = [
      aServer('a', { sample: aSample(1, { memoryBytes: 100, sharedMemoryBytes: 40 }) }),
      aServer('b', { sample: { at: 1, memoryBytes: 70, processCount: 1 } }),
    ];
    expect(addUp(servers)).toMatchObject({ memoryBytes: 170, inRamBytes: 170 });
  });

  it('is not zero where nothing was measured', () => {
    expect(addUp([aServer('a')])).toMatchObject({ memoryBytes: undefined, cpuPercent: undefined });
  });
});
