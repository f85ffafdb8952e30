import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { RunStart, type RunStartOptions } from '../../../../electron/core/supervisor/run/run-start.ts';
import type { RunHooks } from '../../../../electron/core/supervisor/run/run.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { configOfLine } from '../../../support/config-of.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeRun } from '../fake-run.ts';
import { testConfig } from '../supervisor-bench.ts';

const missing = new PanelError('COMMAND_NOT_FOUND', 'no such command');

/** Starts at a gate with one place. @param isOpen whether the gate is open at once */
function startsOf({ isOpen = true } = {}) {
  const clock = createFakeClock();
  const startGate = new StartGate({ clock, startConcurrency: 1, isOpen });
  const looks: string[] = [];
  const moved: string[] = [];
  const outcomes: string[] = [];
  /** Begins a start that is over once its run is ready. There is no command `npxx`. */
  const begin = (commandLine: string, changes: Partial<RunStartOptions> = {}) => {
    const run = new FakeRun(1, {} as RunHooks);
    const start = new RunStart(configOfLine(commandLine, commandLine.split(' ').at(-1)), {
      startGate,
      purpose: 'automatic',
      cleared: Promise.resolve(),
      createRun: () => run,
      prepareSpawn: async (asked) => {
        const command = asked.transport === 'stdio' ? asked.command : '';
        looks.push(command);
        if (command === 'npxx') throw missing;
        return { command, args: [], env: {} };
      },
      onReason: (_, hasCome) => void (hasCome || moved.push(commandLine)),
      onRun: () => outcomes.push(`${commandLine} begins`),
      onUp: () => undefined,
      onFailed: ({ code, message }) => outcomes.push(`${commandLine} fails: ${code} ${message}`),
      ...changes,
    });
    void start.begin();
    return { start, run, over: () => run.becomeReady() };
  };
  return { startGate, looks, moved, outcomes, begin, settle: () => clock.advance(0) };
}

describe('RunStart', () => {
  it('says that another start installs the same package, and that a third one is behind a second', async () => {
    const { begin, settle, moved } = startsOf();
    const [one, two, three] = ['npx -y one', 'npx -y two', 'npx -y three'].map((line) => begin(line));
    await settle();
    expect(three!.start.reason).toBe('2nd in line, behind two');
    expect(moved).toContain('npx -y three');
    two!.start.hurry();
    await settle();
    expect([two!.start.reason, three!.start.reason]).toEqual([
      'preparing: npx may be downloading two',
      '1st in line, until one of one, two has started',
    ]);
    const same = begin('npx -y one');
    same.start.hurry();
    two!.over();
    await settle();
    three!.over();
    await settle();
    expect(same.start.reason).toBe('waiting for one, which installs the same package');
    one!.over();
    await settle();
    expect(same.start.reason).toBe('preparing: npx may be downloading one');
  });

  it('fails at once when the command does not exist, whoever is starting', async () => {
    const { startGate, begin, outcomes, settle } = startsOf();
    const first = begin('npx -y one');
    await settle();
    begin('npxx -y two');
    await settle();
    expect(outcomes).toEqual(['npx -y one begins', 'npxx -y two fails: COMMAND_NOT_FOUND no such command']);
    expect(startGate.size).toBe(1);
    first.over();
    await settle();
    expect(startGate.size).toBe(0);
  });

  it('looks for the command only once the gate is open, since the PATH is known by then', async () => {
    const { startGate, looks, begin, settle } = startsOf({ isOpen: false });
    begin('npx one');
    await settle();
    expect(looks).toEqual([]);
    startGate.open();
    await settle();
    expect(looks).toEqual(['npx']);
  });

  it('neither begins nor fails while the last run is going', async () => {
    const { begin, outcomes, settle } = startsOf();
    const cleared = createDeferred<void>();
    for (const command of ['npxx', 'npx one']) begin(command, { cleared: cleared.promise });
    await settle();
    expect(outcomes).toEqual([]);
    cleared.resolve();
    await settle();
    expect(outcomes.sort()).toEqual(['npx one begins', 'npxx fails: COMMAND_NOT_FOUND no such command']);
  });

  it('leaves the line when it is given up', async () => {
    const { startGate, begin, settle } = startsOf();
    begin('node one');
    const waiting = begin('node two');
    await settle();
    waiting.start.dispose();
    await settle();
    expect(startGate.size).toBe(1);
  });

  it('fails with a code and without a place, whatever is thrown, and where nobody agreed to what it would run', async () => {
    const { startGate, begin, outcomes, settle } = startsOf();
    begin('a', { createRun: () => Promise.reject(new Error('no code of runs')) });
    await settle();
    begin('b', {
      resolveConfig: () => {
        throw new PanelError('CONSENT_REQUIRED', 'not agreed');
      },
    });
    await settle();
    expect(outcomes).toEqual([
      'a fails: START_FAILED no code of runs',
      'b fails: CONSENT_REQUIRED not agreed',
    ]);
    expect(startGate.size).toBe(0);
  });

  it('keeps its place at the gate, disposed, until its launch is over, since that may still install', async () => {
    const { startGate, begin, outcomes, settle } = startsOf();
    const { run, start } = begin('node one');
    await settle();
    start.dispose();
    await settle();
    expect(startGate.size).toBe(1);
    run.failToStart();
    await settle();
    expect(startGate.size).toBe(0);
    expect(outcomes).toEqual(['node one begins']);
  });

  it('holds no place at the gate while it waits for a secret, says so, and runs what was resolved', async () => {
    const { startGate, begin, settle } = startsOf();
    const resolved = createDeferred<ServerConfig>();
    const ran: ServerConfig[] = [];
    const { start } = begin('node one', {
      createRun: (config) => {
        ran.push(config);
        return new FakeRun(1, {} as RunHooks);
      },
      resolveConfig: (_config, _signal, onWait) => {
        onWait?.('waits for the keyring');
        return resolved.promise;
      },
    });
    await settle();
    expect([startGate.size, start.reason]).toEqual([0, 'waits for the keyring']);
    resolved.resolve(testConfig({}, { command: 'with-secret' }));
    await settle();
    expect(ran).toMatchObject([{ command: 'with-secret' }]);
    expect(start.reason).toBeUndefined();
  });
});
