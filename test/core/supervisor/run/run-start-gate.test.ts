import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import { configOfLine } from '../../../support/config-of.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { RunStart } from '../../../../electron/core/supervisor/run/run-start.ts';
import type { RunHooks } from '../../../../electron/core/supervisor/run/run.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { FakeRun } from '../fake-run.ts';

const config = (commandLine: string) => configOfLine(commandLine, commandLine.split(' ').at(-1));
const missing = new PanelError('COMMAND_NOT_FOUND', 'no such command');

interface Given {
  readonly isOpen?: boolean;
  readonly isMissing?: (command: string) => boolean;
}

function startsOf({ isOpen = true, isMissing = () => false }: Given = {}) {
  const clock = createFakeClock();
  const startGate = new StartGate({ clock, startConcurrency: 1, isOpen });
  const looks: string[] = [];
  const moved: string[] = [];
  const outcomes: string[] = [];
  /** Begins a start that is over once its run is ready. */
  const begin = (commandLine: string, cleared = Promise.resolve()) => {
    const run = new FakeRun(1, {} as RunHooks);
    const start = new RunStart(config(commandLine), {
      startGate,
      purpose: 'automatic',
      cleared,
      createRun: () => run,
      prepareSpawn: async (asked) => {
        const command = asked.transport === 'stdio' ? asked.command : '';
        looks.push(command);
        if (isMissing(command)) throw missing;
        return { command, args: [], env: {} };
      },
      onReason: () => moved.push(commandLine),
      onRun: () => outcomes.push(`${commandLine} begins`),
      onUp: () => undefined,
      onFailed: ({ code }) => outcomes.push(`${commandLine} fails: ${code}`),
    });
    void start.begin();
    return { start, over: () => run.becomeReady() };
  };
  return { startGate, looks, moved, outcomes, begin, settle: () => clock.advance(0) };
}

describe('RunStart at the gate', () => {
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
    const { startGate, begin, outcomes, settle } = startsOf({ isMissing: (command) => command === 'npxx' });
    const first = begin('npx -y one');
    await settle();
    begin('npxx -y two');
    await settle();
    expect(outcomes).toEqual(['npx -y one begins', 'npxx -y two fails: COMMAND_NOT_FOUND']);
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
    const { begin, outcomes, settle } = startsOf({ isMissing: (command) => command === 'npxx' });
    const cleared = createDeferred<void>();
    for (const command of ['npxx', 'npx one']) begin(command, cleared.promise);
    await settle();
    expect(outcomes).toEqual([]);
    cleared.resolve();
    await settle();
    expect(outcomes.sort()).toEqual(['npx one begins', 'npxx fails: COMMAND_NOT_FOUND']);
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
});
