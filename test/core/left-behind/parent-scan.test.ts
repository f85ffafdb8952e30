import { describe, expect, it } from 'vitest';
import { foreignPrograms } from '../../../electron/core/config/programs/programs.ts';
import { createParentScan } from '../../../electron/core/left-behind/parent-scan.ts';
import type { RunningProcess } from '../../../electron/core/config/moving/copies/running-copies.ts';
import { row } from '../config/moving/copies/process-rows.ts';

const OWN_PID = 70;
const ENTRY = { program: 'cursor', name: 'notes', words: ['node', '/srv/notes.js'] };

/** Pids of the trees that a scan finds among these processes. */
async function found(processes: readonly RunningProcess[], servers = [ENTRY]) {
  const scan = createParentScan({
    table: {
      readAll: () => Promise.resolve(processes),
      describe: () => Promise.resolve(new Map(processes.map((process) => [process.pid, process]))),
    },
    ownPid: OWN_PID,
    clients: foreignPrograms,
    servers: () => Promise.resolve(servers),
  });
  return (await scan()).map(({ tree, ...rest }) => ({ ...rest, pids: tree.map(({ pid }) => pid) }));
}

const server = (ppid: number) => row(100, ppid, 'node /srv/notes.js');

describe('a scan where the ends of streams cannot be seen', () => {
  it('finds servers of a client whose parent has ended, and is never certain', async () => {
    const expected = { isCertain: false, client: 'cursor', server: 'notes', pids: [100, 101] };
    const child = row(101, 100, 'sleep 1');
    // launchd takes orphans; on Windows the pid of the parent is left.
    for (const ppid of [1, 4000]) expect(await found([server(ppid), child])).toMatchObject([expected]);
  });

  it('names no client where entries of several are alike', async () => {
    const [tree] = await found([server(1)], [ENTRY, { ...ENTRY, program: 'zed' }]);
    expect(tree).not.toHaveProperty('client');
  });

  it('finds none whose parent lives, none of the panel, none of a client, and none that is no entry', async () => {
    const parent = row(50, 1, 'sh');
    const client = row(102, 100, 'codex exec');
    expect(await found([parent, server(50)])).toEqual([]);
    expect(await found([server(1), row(OWN_PID, 100, 'panel')])).toEqual([]);
    expect(await found([server(1), client])).toEqual([]);
    expect(await found([server(1)], [])).toEqual([]);
    expect(await found([row(100, 1, 'node /srv/mcp-other.js')])).toEqual([]);
  });
});
