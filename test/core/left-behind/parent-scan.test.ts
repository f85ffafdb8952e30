import { describe, expect, it } from 'vitest';
import { foreignPrograms } from '../../../electron/core/config/programs/programs.ts';
import { createParentScan } from '../../../electron/core/left-behind/parent-scan.ts';
import type { ProcessReading } from '../../../electron/core/platform/process-table.ts';

const OWN_PID = 70;
const ENTRY = { program: 'cursor', name: 'notes', words: ['node', '/srv/notes.js'] };

type Given = Pick<ProcessReading, 'pid' | 'ppid'> & { readonly line: string };

/** Pids of the trees that a scan finds among these processes. */
async function found(processes: readonly Given[], servers = [ENTRY]) {
  const scan = createParentScan({
    table: {
      readAll: () =>
        Promise.resolve(
          processes.map(({ pid, ppid, line }) => ({
            ...{
              pid,
              ppid,
              startTime: 'a',
              command: line.split(' ')[0] ?? '',
              isStopped: false,
              isHeld: false,
            },
            ...{ cpuTimeMs: 0, reapedCpuTimeMs: 0 },
          })),
        ),
      describe: () =>
        Promise.resolve(new Map(processes.map(({ pid, line }) => [pid, { commandLine: line }]))),
    },
    ownPid: OWN_PID,
    clients: foreignPrograms,
    servers: () => Promise.resolve(servers),
  });
  return (await scan()).map(({ tree, ...rest }) => ({ ...rest, pids: tree.map(({ pid }) => pid) }));
}

const server = (ppid: number) => ({ pid: 100, ppid, line: 'node /srv/notes.js' });

describe('a scan where the ends of streams cannot be seen', () => {
  it('finds servers of a client whose parent has ended, and is never certain', async () => {
    const expected = { isCertain: false, client: 'cursor', server: 'notes', pids: [100, 101] };
    const child = { pid: 101, ppid: 100, line: 'sleep 1' };
    // launchd takes orphans; on Windows the pid of the parent is left.
    for (const ppid of [1, 4000]) expect(await found([server(ppid), child])).toMatchObject([expected]);
  });

  it('names no client where entries of several are alike', async () => {
    const [tree] = await found([server(1)], [ENTRY, { ...ENTRY, program: 'zed' }]);
    expect(tree).not.toHaveProperty('client');
  });

  it('finds none whose parent lives, none of the panel, none of a client, and none that is no entry', async () => {
    const parent = { pid: 50, ppid: 1, line: 'sh' };
    const client = { pid: 102, ppid: 100, line: 'codex exec' };
    expect(await found([parent, server(50)])).toEqual([]);
    expect(await found([server(1), { pid: OWN_PID, ppid: 100, line: 'panel' }])).toEqual([]);
    expect(await found([server(1), client])).toEqual([]);
    expect(await found([server(1)], [])).toEqual([]);
    expect(await found([{ pid: 100, ppid: 1, line: 'node /srv/mcp-other.js' }])).toEqual([]);
  });
});
