import { describe, expect, it } from 'vitest';
import { containerCgroup } from '../../../../electron/core/platform/containers/open-figures.ts';
import { createFakeClock } from '../../fake-clock.ts';

const ID = '7'.repeat(64);
const PID = 50;

function reader(groups: string, files: ReadonlyMap<string, string>, id = ID) {
  const proc = { read: (path: string) => (path === `${PID}/cgroup` ? groups : files.get(path)) };
  const cgroup = { read: (path: string) => files.get(path) };
  return containerCgroup({ proc, cgroup, clock: createFakeClock() }, PID, id);
}

describe('the control group of a container', () => {
  const classicGroups = `4:memory:/docker/${ID}\n2:cpu,cpuacct:/docker/${ID}\n6:freezer:/docker/${ID}\n0::/docker/${ID}\n`;
  const classic = (changes: Readonly<Record<string, string>> = {}) =>
    new Map(
      Object.entries({
        [`memory/docker/${ID}/memory.usage_in_bytes`]: '3000\n',
        [`memory/docker/${ID}/memory.stat`]: 'inactive_file 1\ntotal_inactive_file 1000\n',
        [`memory/docker/${ID}/memory.oom_control`]: 'oom_kill_disable 0\nunder_oom 0\noom_kill 0\n',
        [`cpuacct/docker/${ID}/cpuacct.usage`]: '5000000\n',
        [`cpuacct/docker/${ID}/cgroup.procs`]: '50\n51\n',
        [`freezer/docker/${ID}/freezer.state`]: 'THAWED\n',
        ...changes,
      }),
    );

  it('has memory without the file cache that is taken back first, CPU time and processes (cgroup v1)', () => {
    expect(reader(classicGroups, classic())?.()).toMatchObject({
      memoryBytes: 2000,
      cpuTimeMs: 5,
      processCount: 2,
      isPaused: false,
      isOutOfMemory: false,
    });
  });

  it('tells a container that its engine has paused, and one of which the kernel ended a process', () => {
    const changes = {
      [`freezer/docker/${ID}/freezer.state`]: 'FROZEN\n',
      [`memory/docker/${ID}/memory.oom_control`]: 'oom_kill 1\n',
    };
    expect(reader(classicGroups, classic(changes))?.()).toMatchObject({
      isPaused: true,
      isOutOfMemory: true,
    });
  });

  it('tells that a process of it wants to run, however little CPU it gets', () => {
    const stat = (state: string) => `51 (node) ${state} 1 ${'0 '.repeat(17)}9 0`;
    expect(reader(classicGroups, classic({ '51/stat': stat('S') }))?.()).toMatchObject({ isAtWork: false });
    expect(reader(classicGroups, classic({ '51/stat': stat('R') }))?.()).toMatchObject({ isAtWork: true });
    // A frozen process is in uninterruptible sleep.
    const frozen = { '51/stat': stat('D'), [`freezer/docker/${ID}/freezer.state`]: 'FROZEN\n' };
    expect(reader(classicGroups, classic(frozen))?.()).toMatchObject({ isAtWork: false });
  });

  it('reads the one group of cgroup v2, and the processes where a runtime put them below', () => {
    const group = `machine.slice/libpod-${ID}.scope`;
    const files = new Map([
      ['cgroup.controllers', 'cpu memory\n'],
      [`${group}/memory.current`, '3000\n'],
      [`${group}/memory.stat`, 'anon 5\ninactive_file 500\n'],
      [`${group}/memory.events`, 'oom 1\noom_kill 1\n'],
      [`${group}/cpu.stat`, 'usage_usec 7000\nuser_usec 1\n'],
      [`${group}/cgroup.events`, 'populated 1\nfrozen 1\n'],
      [`${group}/container/cgroup.procs`, '50\n'],
    ]);
    expect(reader(`0::/${group}/container\n`, files)?.()).toMatchObject({
      memoryBytes: 2500,
      cpuTimeMs: 7,
      processCount: 1,
      isPaused: true,
      isOutOfMemory: true,
    });
  });

  it('is never that of a process whose group does not name the container', () => {
    expect(reader(classicGroups, classic(), '8'.repeat(64))).toBeUndefined();
    expect(reader('0::/\n', new Map([['cgroup.controllers', 'cpu']]))).toBeUndefined();
  });

  it('has no reading once the container has ended', () => {
    const files = classic();
    const read = reader(classicGroups, files);
    files.clear();
    expect(read?.()).toBeUndefined();
  });
});
