import { setTimeout as sleep } from 'node:timers/promises';
import type { EventKind } from '../../shared/domain.ts';
import {
  CALL_TIMEOUT_MS,
  PROBE_INTERVAL_MS,
  STALL_THRESHOLD_MS,
  type SoakServer,
  type Weakness,
} from './fleet.ts';
import type { Deed } from './record.ts';
import type { World } from './world.ts';

const BACK_MS = 90_000;
const CRASH_TOLD_MS = 5000;
/** A stopped server is asked at once, has the threshold to answer, and is looked at once more. */
const STOP_TOLD_MS = STALL_THRESHOLD_MS + 2 * PROBE_INTERVAL_MS;
/**
 * Another is asked within six intervals where nobody calls. Where it hangs in a call, which may have been sent just before the
 * next question, it is told two thresholds after that call is overdue, with one more question unanswered.
 */
const STALL_TOLD_MS = CALL_TIMEOUT_MS + 2 * STALL_THRESHOLD_MS + 3 * PROBE_INTERVAL_MS;
const BUSY_MS = STALL_THRESHOLD_MS + 4000;
const CONFIG_TOLD_MS = 3000;
const WATCH_STILL_MS = 4000;

/** Something that can be done to a server that has the weakness for it. */
export interface Misdeed {
  readonly kind: string;
  readonly weight: number;
  readonly weakness?: Weakness;
  readonly expects?: Deed['expects'];
  readonly justifies: readonly EventKind[];
  readonly breaksCalls: boolean;
  /** Does it and resolves when all is as before. Gives what went wrong. */
  readonly run: (world: World, server: SoakServer, at: number) => Promise<string | undefined>;
}

const crash = { kind: 'crashed', withinMs: CRASH_TOLD_MS } as const;
const stall = { kind: 'stalled', withinMs: STALL_TOLD_MS } as const;
const stop = { kind: 'stalled', withinMs: STOP_TOLD_MS } as const;
/** What is killed may leave half a line behind. */
const ENDS = ['crashed', 'force-killed', 'protocol-noise'] as const;
const STALLS = ['stalled', 'suspect', 'recovered', 'force-killed', 'protocol-noise'] as const;

export const misdeeds: readonly Misdeed[] = [
  ending('kill -9 of a server', 4, 'kill', crash, ENDS, (world, name) =>
    signalTo(world.serverPid(name), 'SIGKILL'),
  ),
  ending('kill -9 of a wrapper', 3, 'wrapper', crash, ENDS, (world, name) =>
    signalTo(world.rootPid(name), 'SIGKILL'),
  ),
  ending('crash in a call', 3, 'kill', crash, ENDS, async (world, name) => {
    const { end } = await world.parts.callOnce(name, 'crash', { code: 3 });
    return end === 'error'
      ? undefined
      : `the call that crashed its server ended with “${end}” in place of an error`;
  }),
  ending('deaf server', 2, 'deaf', stall, STALLS, (world, name) =>
    signalTo(world.serverPid(name), 'SIGUSR2'),
  ),
  ending('blocked server', 2, 'block', stall, STALLS, (world, name) =>
    signalTo(world.serverPid(name), 'SIGUSR1'),
  ),
  ending('stopped server', 1, 'kill', stop, STALLS, (world, name) =>
    signalTo(world.serverPid(name), 'SIGSTOP'),
  ),
  {
    kind: 'short pause of a server',
    weight: 2,
    weakness: 'kill',
    justifies: ['suspect', 'recovered'],
    breaksCalls: false,
    run: async (world, { name }) => {
      const pid = await world.serverPid(name);
      if (pid === undefined) return undefined;
      process.kill(pid, 'SIGSTOP');
      await sleep(world.parts.random.between(300, STALL_THRESHOLD_MS / 3));
      process.kill(pid, 'SIGCONT');
      await sleep(WATCH_STILL_MS);
      return undefined;
    },
  },
  busy('server that computes', 'spin', 'busy', ['high-cpu', 'limit-recovered', 'suspect', 'recovered']),
  busy('long call', 'sleep', 'kill', []),
  ending(
    'edit of an environment',
    2,
    'edit',
    { kind: 'config-changed', withinMs: CONFIG_TOLD_MS },
    ['force-killed'],
    (world, name) => Promise.resolve(world.parts.config.changeEnvironment(name)),
  ),
  {
    kind: 'edit of a limit',
    weight: 1,
    weakness: 'edit',
    justifies: [],
    breaksCalls: false,
    run: async (world, { name }, at) => {
      world.parts.config.changeLimits(name);
      await sleep(WATCH_STILL_MS);
      const line = world.stateOf(name);
      return line !== undefined && line.at > at
        ? `it became ${line.state}, though only a limit changed`
        : undefined;
    },
  },
  {
    kind: 'server that comes and goes',
    weight: 1,
    justifies: [],
    breaksCalls: true,
    run: comeAndGo,
  },
];

function ending(
  kind: string,
  weight: number,
  weakness: Weakness,
  expects: Deed['expects'],
  justifies: readonly EventKind[],
  act: (world: World, name: string) => Promise<string | undefined | void>,
): Misdeed {
  return {
    kind,
    weight,
    weakness,
    ...(expects && { expects }),
    justifies,
    breaksCalls: true,
    run: async (world, { name }, at) => {
      const failure = await act(world, name);
      if (failure) return failure;
      const isBack = await world.untilState(name, 'running', at, BACK_MS);
      return isBack
        ? undefined
        : `nothing came of it within ${BACK_MS / 1000} s: it is ${world.stateOf(name)?.state ?? 'not known'}`;
    },
  };
}

/** A server that is at work for longer than a dead one would be given. */
function busy(kind: string, tool: string, weakness: Weakness, justifies: readonly EventKind[]): Misdeed {
  return {
    kind,
    weight: 1,
    weakness,
    justifies,
    breaksCalls: false,
    run: async (world, { name }) => {
      const { end, detail } = await world.parts.callOnce(name, tool, { ms: BUSY_MS });
      return end === 'answered'
        ? undefined
        : `its call ended with “${end}” (${detail ?? ''}) in place of an answer`;
    },
  };
}

async function signalTo(
  found: Promise<number | undefined>,
  signal: NodeJS.Signals,
): Promise<string | undefined> {
  const pid = await found;
  if (pid === undefined) return 'its process, of which the journal tells, is not there';
  process.kill(pid, signal);
  return undefined;
}

async function comeAndGo(world: World, host: SoakServer, at: number): Promise<string | undefined> {
  const name = `guest-${at % 100_000}`;
  const { config } = world.parts;
  config.add({ name, entry: host.entry });
  const came = await world.untilState(name, 'running', at, BACK_MS);
  config.remove(name);
  const went = !came || (await world.untilState(name, 'stopped', at, BACK_MS));
  if (!came) return `${name} was not running within ${BACK_MS / 1000} s`;
  return went ? undefined : `${name} had not stopped within ${BACK_MS / 1000} s of its removal`;
}
