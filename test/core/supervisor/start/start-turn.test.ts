import { describe, expect, it } from 'vitest';
import { PanelError } from '../../../../shared/error-codes.ts';
import { serverEntrySchema, toServerConfig } from '../../../../shared/server-config.ts';
import { createDeferred } from '../../../../electron/core/deferred.ts';
import { StartGate } from '../../../../electron/core/supervisor/start/start-gate.ts';
import { StartTurn } from '../../../../electron/core/supervisor/start/start-turn.ts';
import { createFakeClock } from '../../fake-clock.ts';

const config = (commandLine: string) => {
  const [command, ...args] = commandLine.split(' ');
  return toServerConfig(args.at(-1) ?? 's', serverEntrySchema.parse({ command, args }), (cwd) => cwd);
};
const missing = new PanelError('COMMAND_NOT_FOUND', 'no such command');
const never = () => new AbortController().signal;
const atOnce = Promise.resolve();

interface Given {
  readonly isOpen?: boolean;
  readonly isMissing?: (command: string) => boolean;
}

function turnsOf({ isOpen = true, isMissing = () => false }: Given = {}) {
  const clock = createFakeClock();
  const startGate = new StartGate({ clock, startConcurrency: 1, isOpen });
  const looks: string[] = [];
  const moved: string[] = [];
  const turn = (commandLine: string) =>
    new StartTurn(config(commandLine), {
      startGate,
      purpose: 'automatic',
      onMoved: () => moved.push(commandLine),
      prepareSpawn: async (asked) => {
        const command = asked.transport === 'stdio' ? asked.command : '';
        looks.push(command);
        if (isMissing(command)) throw missing;
        return { command, args: [], env: {} };
      },
    });
  return { clock, startGate, looks, moved, turn, settle: () => clock.advance(0) };
}

describe('StartTurn', () => {
  it('says that another start installs the same package, and that a third one is behind a second', async () => {
    const { turn, settle, moved } = turnsOf();
    const turns = ['npx -y one', 'npx -y two', 'npx -y three'].map((commandLine) => turn(commandLine));
    for (const each of turns) void each.take(never(), atOnce);
    await settle();
    expect(turns[2]!.reason).toBe('2nd in line, behind two');
    expect(moved).toContain('npx -y three');
    turns[1]!.hurry();
    await settle();
    expect([turns[1]!.reason, turns[2]!.reason]).toEqual([
      'preparing: npx may be downloading two',
      '1st in line, until one of one, two has started',
    ]);
    const same = turn('npx -y one');
    void same.take(never(), atOnce);
    same.hurry();
    turns[1]!.release();
    await settle();
    turns[2]!.release();
    await settle();
    expect(same.reason).toBe('waiting for one, which installs the same package');
    turns[0]!.release();
    await settle();
    expect(same.reason).toBe('preparing: npx may be downloading one');
  });

  it('fails at once when the command does not exist, whoever is starting', async () => {
    const { startGate, turn, settle } = turnsOf({ isMissing: (command) => command === 'npxx' });
    const first = turn('npx -y one');
    await first.take(never(), atOnce);
    await expect(turn('npxx -y two').take(never(), atOnce)).rejects.toBe(missing);
    expect(startGate.size).toBe(1);
    first.release();
    await settle();
    expect(startGate.size).toBe(0);
  });

  it('looks for the command only once the gate is open, since the PATH is known by then', async () => {
    const { startGate, looks, turn, settle } = turnsOf({ isOpen: false });
    void turn('npx one').take(never(), atOnce);
    await settle();
    expect(looks).toEqual([]);
    startGate.open();
    await settle();
    expect(looks).toEqual(['npx']);
  });

  it('neither begins nor fails while the last run is going', async () => {
    const { turn, settle } = turnsOf({ isMissing: (command) => command === 'npxx' });
    const ready = createDeferred<void>();
    const outcomes: string[] = [];
    for (const command of ['npxx', 'npx one']) {
      turn(command)
        .take(never(), ready.promise)
        .then(
          () => outcomes.push(`${command} begins`),
          () => outcomes.push(`${command} fails`),
        );
    }
    await settle();
    expect(outcomes).toEqual([]);
    ready.resolve();
    await settle();
    expect(outcomes.sort()).toEqual(['npx one begins', 'npxx fails']);
  });
});
