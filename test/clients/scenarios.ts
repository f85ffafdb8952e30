import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyServer, Panel } from './faulty-server.ts';
import type { CallEnd, Session } from './session.ts';

/** What a client is put through; a conversation as a whole, where it broke off. */
export type Scenario =
  | 'list'
  | 'call'
  | 'server killed in a call'
  | 'server frozen in a call'
  | 'server restarted'
  | 'server stopped, then started'
  | 'panel killed between calls'
  | 'panel killed in a call'
  | 'new tool announced'
  | 'token revoked'
  | 'call of 90 s with progress'
  | 'silent call of 90 s'
  | 'answer of 1 MiB'
  | 'started 60 s before the panel'
  | 'panel away for 0 s'
  | 'panel away for 15 s'
  | 'panel away for 60 s'
  | 'panel killed, called at once'
  | 'found by the panel'
  | 'put back'
  | 'moved'
  | 'its own copy again'
  | 'conversation';

export type Way = 'gateway' | 'stdio';

/** What was seen of one scenario. */
export interface Seen {
  readonly holds: boolean;
  /** In a few words, with times. */
  readonly outcome: string;
  /** What the program told its model of the fault. */
  readonly said?: string | undefined;
}

/** The same, with the program that was looked at. */
export interface Finding extends Seen {
  readonly scenario: Scenario;
  readonly bin: string;
  readonly version: string;
  readonly day: string;
  readonly way: Way;
}

/** What one conversation needs. */
interface Stage {
  readonly server: FaultyServer;
  readonly panel: Panel;
  /** Of the panel, for the program. */
  readonly clientId: string;
  /** Starts the program. */
  readonly begin: () => Promise<Session>;
}

export type Report = (scenario: Scenario, seen: Seen) => void;

/** Scenarios that follow each other in one session of the program. */
export interface Plot {
  readonly way: Way;
  readonly run: (stage: Stage, report: Report) => Promise<void>;
}

/** A call that works takes milliseconds; a program that connects anew in it needs some seconds. */
const CALL_MS = 60_000;
/** How long a call to a frozen server is watched on plain stdio. */
const FROZEN_MS = 100_000;
const LONG_CALL_MS = 90_000;
const MEBIBYTE = 1_048_576;
/** How long a session is watched for its recovery, and how often it tries. */
const RECOVERY_SECONDS = 60;
const RETRY_MS = 3000;
const LOOKS = 3;
const PROBE_BYTES = [20, 200] as const;
const SAID_KEPT = 400;

const faults: Plot = {
  way: 'gateway',
  run: async ({ server, panel, clientId, begin }, report) => {
    const session = await begin();
    await reportFirst(session, report);
    const kill = async () => {
      await panel.kill();
      await panel.start();
    };
    report('server killed in a call', await faultInCall(session, server, () => server.signal('SIGKILL')));
    report('server frozen in a call', await faultInCall(session, server, () => server.signal('SIGSTOP')));
    await panel.call('restartServer', 'alpha');
    report('server restarted', await works(session));
    await panel.call('stopServer', 'alpha');
    const refused = await probe(session);
    await panel.call('startServer', 'alpha');
    report('server stopped, then started', after(refused, await works(session)));
    await kill();
    report('panel killed between calls', await works(session));
    report('panel killed in a call', await faultInCall(session, server, kill));
    await panel.call('revokeClient', clientId);
    const revoked = await probe(session);
    const holds = revoked.text !== undefined && !revoked.isAnswer;
    const outcome = holds ? 'refused' : outcomeOf(revoked);
    report('token revoked', { holds, outcome, said: saidIn(revoked) });
  },
};

/** For programs whose calls are a process each. */
export const oneCall: Plot = {
  way: 'gateway',
  run: async ({ begin }, report) => {
    const session = await begin();
    await reportFirst(session, report);
  },
};

const longCalls: Plot = {
  way: 'gateway',
  run: async (stage, report) => {
    const session = await begun(stage);
    const sleep = async (scenario: Scenario, args: object) => {
      const end = await session.call('sleep', { ms: LONG_CALL_MS, ...args }, LONG_CALL_MS + CALL_MS);
      const holds = end.text?.includes('slept for') === true;
      report(scenario, { holds, outcome: holds ? 'answered' : outcomeOf(end), said: saidIn(end) });
    };
    await sleep('call of 90 s with progress', { progressIntervalMs: 10_000 });
    await sleep('silent call of 90 s', {});
  },
};

const longAnswer: Plot = {
  way: 'gateway',
  run: async (stage, report) => {
    const { server } = stage;
    const session = await begun(stage);
    server.offer('sleep', 'payload', 'pid');
    report('new tool announced', yesOrNo(await usesNewTool(session)));
    const { text, ...end } = await session.call('payload', { bytes: MEBIBYTE }, CALL_MS);
    const holds = text !== undefined;
    const outcome = holds ? `its model sees ${text.length} characters` : outcomeOf(end);
    report('answer of 1 MiB', { holds, outcome });
  },
};

/** The program starts while the doorkeeper keeps the panel's port. */
const early: Plot = {
  way: 'gateway',
  run: async ({ panel, begin }, report) => {
    await panel.isKept();
    await panel.kill();
    const session = await begin();
    await delay(60_000);
    await panel.start();
    report('started 60 s before the panel', await works(session));
  },
};

/** The panel dies, and comes back by itself or with the next call. */
const away: Plot = {
  way: 'gateway',
  run: async (stage, report) => {
    const { panel } = stage;
    const session = await begun(stage);
    for (const seconds of [0, 15, 60] as const) {
      await panel.isKept();
      await panel.kill();
      await delay(seconds * 1000);
      await panel.start();
      report(`panel away for ${seconds} s`, await works(session));
    }
    await panel.letStart(true);
    await panel.isKept();
    await panel.kill();
    const end = await probe(session);
    const outcome = end.isAnswer ? `answered in ${end.seconds} s` : outcomeOf(end);
    report('panel killed, called at once', { holds: end.isAnswer, outcome, said: saidIn(end) });
  },
};

const killedOnStdio: Plot = {
  way: 'stdio',
  run: async ({ server, begin }, report) => {
    const session = await begin();
    await reportFirst(session, report);
    report('server killed in a call', await faultInCall(session, server, () => server.signal('SIGKILL')));
  },
};

const frozenOnStdio: Plot = {
  way: 'stdio',
  run: async (stage, report) => {
    const { server } = stage;
    const session = await begun(stage);
    report(
      'server frozen in a call',
      await faultInCall(session, server, () => server.signal('SIGSTOP'), FROZEN_MS),
    );
  },
};

export const programPlots = { faults, killedOnStdio, frozenOnStdio, early, away, longAnswer, longCalls };
export const relayPlot = faults;

async function reportFirst(session: Session, report: Report): Promise<void> {
  report('call', await works(session));
  report('list', yesOrNo(await session.hasTool('payload')));
}

/** Makes the fault when the server has got a call that it would answer much later: how that call ends, and whether the next ones work. */
async function faultInCall(
  session: Session,
  server: FaultyServer,
  fault: () => unknown,
  limitMs = CALL_MS,
): Promise<Seen> {
  const before = server.sleeps;
  const call = session.call('sleep', { ms: 10 * limitMs }, limitMs);
  await server.untilSleeping(before);
  await fault();
  const end = await call;
  return after(end, end.text === undefined ? undefined : await works(session));
}

/** A call that met a fault, then the calls that followed it. Where nothing was said, the program still waits: it cannot be asked for another. */
function after(end: CallEnd, next: Seen | undefined): Seen {
  const said = saidIn(end);
  if (next === undefined) return { holds: false, outcome: outcomeOf(end), said };
  return { holds: next.holds, outcome: `${outcomeOf(end)}, then ${next.outcome}`, said: said ?? next.said };
}

/** Whether the session has answers again: to the very next call, or to one of those that follow it within a minute. */
async function works(session: Session): Promise<Seen> {
  const startedAt = performance.now();
  const seconds = () => Math.round((performance.now() - startedAt) / 1000);
  for (let call = 1; ; call += 1) {
    const end = await probe(session);
    if (end.isAnswer) return { holds: true, outcome: call === 1 ? 'works' : `works after ${seconds()} s` };
    if (end.text === undefined) return { holds: false, outcome: outcomeOf(end) };
    if (seconds() > RECOVERY_SECONDS)
      return { holds: false, outcome: `no call works within ${seconds()} s`, said: saidIn(end) };
    await delay(RETRY_MS);
  }
}

/**
 * A short call. Errors repeat its arguments in some programs, but never the answer; and some end where the same call comes again
 * and again, so that it is another one each time.
 */
export async function probe(session: Session): Promise<CallEnd & { readonly isAnswer: boolean }> {
  const bytes = randomInt(...PROBE_BYTES);
  const end = await session.call('payload', { bytes }, CALL_MS);
  return { ...end, isAnswer: end.text?.includes('x'.repeat(bytes)) === true };
}

/** Waits for the tools: some programs ask their model before they have them. */
async function begun({ begin }: Stage): Promise<Session> {
  const session = await begin();
  await works(session);
  return session;
}

async function usesNewTool(session: Session): Promise<boolean> {
  for (let look = 0; look < LOOKS; look += 1) {
    await delay(RETRY_MS);
    // What a program offers changes with its next question to the model.
    await probe(session);
    if (!(await session.hasTool('pid'))) continue;
    const { text } = await session.call('pid', {}, CALL_MS);
    return text?.includes('children') === true;
  }
  return false;
}

const yesOrNo = (holds: boolean): Seen => ({ holds, outcome: holds ? 'yes' : 'no' });

const saidIn = ({ text }: CallEnd) => text?.slice(0, SAID_KEPT);

function outcomeOf({ text, seconds, hasProgramEnded }: CallEnd): string {
  if (hasProgramEnded) return 'the program ends';
  return text === undefined ? `nothing in ${seconds} s` : `error after ${seconds} s`;
}
