import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { findLedgers, type LedgerRun } from '../../../../electron/core/supervisor/custody/ledger-file.ts';
import { ProcessLedger } from '../../../../electron/core/supervisor/custody/process-ledger.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

let home: string;
beforeEach(() => (home = tempFolder('ledger-')));

const owner = { pid: 4242, startTime: 's1' };
const run = (name: string, ...members: number[]): LedgerRun => ({
  server: name,
  generation: 1,
  marker: `marker-${name}`,
  group: { pid: 100, startTime: 'g' },
  members: members.map((pid) => ({ pid, startTime: `m${pid}` })),
});

function createLedger(folder = join(home, 'ledger')) {
  const clock = createFakeClock();
  const problems: string[] = [];
  const onProblem = (message: string) => problems.push(message);
  const ledger = new ProcessLedger({
    ...{ folder, fileId: 'r1', bootId: 'boot', clock, onProblem },
    ownPid: owner.pid,
    owner: Promise.resolve(owner),
  });
  const path = join(folder, '4242-r1.json');
  const written = async () => {
    const [found] = await findLedgers(folder);
    return found && 'ledger' in found ? found.ledger : undefined;
  };
  return { clock, ledger, problems, path, folder, written };
}

describe('ProcessLedger', () => {
  it('writes a new run at once, for its owner alone to read', async () => {
    const { ledger, written, path, folder, clock } = createLedger();
    ledger.record(run('files', 7, 8));
    expect(clock.pending).toBe(0);
    await ledger.flush();
    expect(await written()).toEqual({ version: 1, bootId: 'boot', owner, runs: [run('files', 7, 8)] });
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    if (process.platform !== 'win32') expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  it('writes a run that has no process yet, and at once again when it has', async () => {
    const { ledger, written, clock } = createLedger();
    const announced: LedgerRun = { server: 'files', generation: 1, marker: 'marker-files', members: [] };
    ledger.record(announced);
    ledger.record(run('files'));
    expect(clock.pending).toBe(0);
    await ledger.flush();
    expect((await written())?.runs).toEqual([run('files')]);
  });

  it('has what was recorded on disk once it is flushed, also what comes while a write ends', async () => {
    const { ledger, written } = createLedger();
    for (let round = 0; round < 50; round += 1) {
      const name = `s${round}`;
      ledger.record(run(name));
      const before = ledger.flush();
      // Recorded at some moment of the write that is under way.
      for (let turns = 0; turns < round; turns += 1) await Promise.resolve();
      ledger.record(run(`${name} late`));
      await Promise.all([before, ledger.flush()]);
      const servers = (await written())?.runs.map(({ server }) => server);
      expect(servers?.slice(-2)).toEqual([name, `${name} late`]);
    }
  });

  it('writes changes of members once in a second', async () => {
    const { ledger, written, clock } = createLedger();
    ledger.record(run('files'));
    await ledger.flush();
    ledger.record(run('files', 7));
    await clock.advance(900);
    ledger.record(run('files', 7, 8));
    expect(clock.pending).toBe(1);
    expect((await written())?.runs).toEqual([run('files')]);
    await clock.advance(100);
    await ledger.flush();
    expect((await written())?.runs).toEqual([run('files', 7, 8)]);
  });

  it('does nothing for a run that is as it was', async () => {
    const { ledger, clock, path } = createLedger();
    ledger.record(run('files', 7));
    await ledger.flush();
    const before = await stat(path);
    ledger.record(run('files', 7));
    await ledger.flush();
    expect(clock.pending).toBe(0);
    expect((await stat(path)).ino).toBe(before.ino);
  });

  it('has no file when it has no run', async () => {
    const { ledger, folder, clock } = createLedger();
    ledger.record(run('files'));
    ledger.record(run('web'));
    ledger.forget('marker-files');
    await ledger.flush();
    ledger.forget('marker-web');
    ledger.forget('marker-web');
    await ledger.close();
    expect(await readdir(folder)).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('leaves what could not be ended to the next panel', async () => {
    const { ledger, written, clock } = createLedger();
    ledger.record(run('files'));
    await ledger.close();
    ledger.record(run('web'));
    ledger.forget('marker-files');
    await ledger.flush();
    expect((await written())?.runs).toEqual([run('files')]);
    expect(clock.pending).toBe(0);
  });

  it('reports a disk that refuses once, goes on, and is written when the disk allows it', async () => {
    const folder = join(home, 'not-a-folder');
    await writeFile(folder, '');
    const { ledger, problems, written } = createLedger(folder);
    ledger.record(run('files'));
    await ledger.flush();
    ledger.record(run('web'));
    await ledger.flush();
    expect(problems).toHaveLength(1);
    await rm(folder);
    ledger.record(run('db'));
    await ledger.flush();
    expect((await written())?.runs).toHaveLength(3);
  });
});
