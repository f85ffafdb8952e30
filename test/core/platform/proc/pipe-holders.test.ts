import { describe, expect, it } from 'vitest';
import { markPipeHolders } from '../../../../electron/core/platform/linux-process-table.ts';
import type { ProcFiles } from '../../../../electron/core/platform/proc/proc-files.ts';
import { reading } from '../../telemetry/reading.ts';

function linksOnly(links: Record<string, string>): ProcFiles {
  const nothing = () => undefined;
  return { read: nothing, list: nothing, stat: nothing, link: (path) => links[path] };
}

describe('markPipeHolders', () => {
  const stopped = reading({ pid: 10, isStopped: true });
  const links = {
    '10/fd/0': 'socket:[1]',
    '10/fd/1': 'socket:[2]',
    '11/fd/0': 'socket:[1]',
    '11/fd/1': '/dev/null',
    '12/fd/0': '/dev/null',
    '12/fd/1': 'socket:[9]',
  };

  it('tells who shares the input or output of the root', () => {
    const tree = [stopped, reading({ pid: 11 }), reading({ pid: 12 })];
    expect(markPipeHolders(linksOnly(links), tree).map(({ holdsPipes }) => holdsPipes)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('does not look while nobody is stopped, nor say anything where the root cannot be looked at', () => {
    const calm = [reading({ pid: 10 }), reading({ pid: 11 })];
    expect(markPipeHolders(linksOnly(links), calm)).toBe(calm);
    const hidden = [stopped];
    expect(markPipeHolders(linksOnly({}), hidden)).toBe(hidden);
  });
});
