import { describe, expect, it } from 'vitest';
import { WindowsProcessTable } from '../../../electron/core/platform/process-system.ts';
import {
  PowerShellProcesses,
  HELPER_ARGS,
  HELPER_SCRIPT,
} from '../../../electron/core/platform/windows/powershell-processes.ts';

/**
 * Rows as the helper prints them: ids, start in ticks, sizes, handles, times in 100 ns, written bytes, name.
 */
const ROWS = [
  '0\t0\t\t8192\t61440\t0\t0\t158593750\t0\tSystem Idle Process',
  '4\t0\t638940000000000000\t151552\t45056\t4021\t0\t9843750\t1024\tSystem',
  '880\t612\t638940000500000000\t38000000\t21000000\t310\t12500000\t2500000\t52000\tnode.exe',
  '912\t880\t638940000600000000\t9000000\t5000000\t88\t0\t156250\t0\tcmd.exe',
  '700\t912\t638940000400000000\t9000000\t5000000\t88\t0\t0\t0\tolder than its parent.exe',
  '940\t912\t638940000700000000\t9100000\t5100000\t90\t0\t0\t7\tname\twith tab.exe',
];

describe('WindowsProcessTable', () => {
  const build = (answer: (id: string) => unknown) => {
    let isDisposed = false;
    const ask = async (id: string) => JSON.stringify(answer(id));
    const table = new WindowsProcessTable(
      new PowerShellProcesses({ ask, dispose: () => (isDisposed = true) }),
    );
    return { table, isDisposed: () => isDisposed };
  };

  it('reads trees, without children that are older than their parent', async () => {
    const { table } = build((id) => ({ id, rows: ROWS }));
    const tree = (await table.readTrees([880, 4242])).get(880);
    expect(tree?.map(({ pid }) => pid)).toEqual([880, 912, 940]);
    expect(tree?.[0]).toEqual({
      pid: 880,
      ppid: 612,
      startTime: '638940000500000000',
      command: 'node.exe',
      isStopped: false,
      isHeld: false,
      cpuTimeMs: 1500,
      reapedCpuTimeMs: 0,
      rssBytes: 38_000_000,
      privateBytes: 21_000_000,
      openFiles: 310,
      writtenBytes: 52_000,
    });
    expect(tree?.[2]?.command).toBe('name\twith tab.exe');
  });

  it('reads all processes, without parents that are younger or gone', async () => {
    const { table } = build((id) => ({ id, rows: ROWS }));
    expect((await table.readAll()).map(({ pid, ppid }) => [pid, ppid])).toEqual([
      [4, 0],
      [880, 0],
      [912, 880],
      [700, 0],
      [940, 912],
    ]);
  });

  it('identifies processes and their descendants, the idle process excepted', async () => {
    const { table } = build((id) => ({ id, rows: ROWS }));
    expect(await table.identify(4)).toEqual({ pid: 4, startTime: '638940000000000000' });
    expect(await table.identify(0)).toBeUndefined();
    expect((await table.listDescendants(912)).map(({ pid }) => pid)).toEqual([940]);
    expect(await table.findByEnvironment()).toEqual([]);
  });

  it('reports what the helper reports, and an answer to another question', async () => {
    const failing = build((id) => ({ id, error: 'Access denied' })).table;
    await expect(failing.readTrees([1])).rejects.toThrow('Access denied');
    const late = build(() => ({ id: '0', rows: [] })).table;
    await expect(late.readTrees([1])).rejects.toThrow('answered question 0, expected 1');
  });

  it('closes its helper', () => {
    const { table, isDisposed } = build(() => ({}));
    table.dispose();
    expect(isDisposed()).toBe(true);
  });

  it('hands its script over in the encoding that PowerShell asks for', () => {
    expect(Buffer.from(HELPER_ARGS.at(-1)!, 'base64').toString('utf16le')).toBe(HELPER_SCRIPT);
    expect(HELPER_SCRIPT).toContain("$columns = 'ProcessId','ParentProcessId'");
    expect(HELPER_SCRIPT).toContain('-join "`t"');
  });
});
