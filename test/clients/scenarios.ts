import { setTimeout as delay } from 'node:timers/promises';
import type { CallEnd, Conversation } from './conversation.ts';
import type { FaultyServer, Panel } from './faulty-server.ts';

/** What was seen of one scenario. */
export interface Finding {
  readonly scenario: string;
  readonly holds: boolean;
  /** What the program told its model, and after how long. */
  readonly words: string;
}

/** One conversation through the gateway: its scenarios follow each other in one session of the program. */
export interface Stage {
  readonly server: FaultyServer;
  readonly panel: Panel;
  readonly clientId: string;
  /** Starts the program. */
  begin(): Promise<Conversation>;
}

export type Report = (finding: Finding) => void;

/** A working call takes milliseconds; programs that connect anew in it need some seconds. */
const CALL_MS = 60_000;
/** Until a caller has to be freed of a server that is gone. */
const FREED_MS = 60_000;
const LONG_CALL_MS = 90_000;
const MEBIBYTE = 1_048_576;
const EARLY_MS = 60_000;
const POLL_MS = 10_000;
/** How long a session is watched for its recovery, and how often it tries. */
const RECOVERY_SECONDS = 60;
const RETRY_MS = 3000;
const LOOKS = 3;
const WORDS_KEPT = 300;

/** How long plain stdio is watched for the end of a call to a frozen server. */
const FROZEN_MS = 100_000;

export const gatewayConversations = { faults, long, big, early };
export const stdioConversations = { killed: stdioKilled, frozen: stdioFrozen };

async function faults(stage: Stage, report: Report): Promise<void> {
  const { server, panel, clientId } = stage;
  const session = await stage.begin();
  report({ scenario: 'list', holds: await session.hasTool('echo'), words: '' });
  report({ scenario: 'call', ...(await works(session)) });
  const inCall = async (scenario: string, fault: () => unknown) => {
    const end = await faultInCall(session, server, fault);
    const next = await works(session);
    const isFreed = end.text !== undefined;
    report({ scenario, holds: isFreed && next.holds, words: `${wordsOf(end)}; then ${next.words}` });
  };
  await inCall('server killed in a call', () => server.signal('SIGKILL'));
  await inCall('server frozen in a call', () => server.signal('SIGSTOP'));
  await panel.call('restartServer', 'alpha');
  report({ scenario: 'server restarted', ...(await works(session)) });
  await panel.call('stopServer', 'alpha');
  const refused = await session.call('echo', { text: 'stopped' }, CALL_MS);
  await panel.call('startServer', 'alpha');
  const started = await works(session);
  const holds = refused.text !== undefined && started.holds;
  report({ scenario: 'server stopped, then started', holds, words: `${wordsOf(refused)}; then ${started.words}` });
  await panel.kill();
  await panel.start();
  report({ scenario: 'panel killed between calls', ...(await works(session)) });
  await inCall('panel killed in a call', async () => {
    await panel.kill();
    await panel.start();
  });
  server.offer('echo', 'sleep', 'payload', 'pid');
  report({ scenario: 'new tool announced', ...(await usesNewTool(session)) });
  await panel.call('revokeClient', clientId);
  const revoked = await session.call('echo', { text: 'revoked' }, CALL_MS);
  const isRefused = revoked.text !== undefined && !revoked.text.startsWith('revoked');
  report({ scenario: 'token revoked', holds: isRefused, words: wordsOf(revoked) });
}

async function long({ begin }: Stage, report: Report): Promise<void> {
  const session = await begin();
  await session.hasTool('sleep');
  const sleep = (args: object) => session.call('sleep', { ms: LONG_CALL_MS, ...args }, LONG_CALL_MS + CALL_MS);
  for (const [scenario, args] of [
    ['call of 90 s with progress', { progressIntervalMs: 10_000 }],
    ['silent call of 90 s', {}],
  ] as const) {
    const end = await sleep(args);
    report({ scenario, holds: end.text?.includes('slept for') === true, words: wordsOf(end) });
  }
}

async function big({ begin }: Stage, report: Report): Promise<void> {
  const session = await begin();
  await session.hasTool('payload');
  const end = await session.call('payload', { bytes: MEBIBYTE }, CALL_MS);
  const words = end.text === undefined ? wordsOf(end) : `its model sees ${end.text.length} characters`;
  report({ scenario: 'answer of 1 MiB', holds: end.text !== undefined, words });
}

/** The panel comes once the program has asked its model for the first time. */
async function early({ panel, begin }: Stage, report: Report): Promise<void> {
  await panel.quit();
  const session = await begin();
  await panel.start();
  const startedAt = performance.now();
  let end: CallEnd;
  do {
    await delay(POLL_MS);
    end = await session.call('echo', { text: 'early' }, CALL_MS);
  } while (!isEcho(end, 'early') && !end.hasProgramEnded && performance.now() - startedAt < EARLY_MS);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const holds = isEcho(end, 'early');
  const words = holds ? `works ${seconds} s after the panel’s start` : `${wordsOf(end)} (${seconds} s after the panel’s start)`;
  report({ scenario: 'started before the panel', holds, words });
}

async function stdioKilled(server: FaultyServer, session: Conversation, report: Report): Promise<void> {
  await session.hasTool('echo');
  report({ scenario: 'call', ...(await works(session)) });
  const end = await faultInCall(session, server, () => server.signal('SIGKILL'));
  const next = await works(session);
  report({ scenario: 'server killed in a call', holds: next.holds, words: `${wordsOf(end)}; then ${next.words}` });
}

async function stdioFrozen(server: FaultyServer, session: Conversation, report: Report): Promise<void> {
  await session.hasTool('echo');
  const end = await faultInCall(session, server, () => server.signal('SIGSTOP'), FROZEN_MS);
  const next = end.text === undefined ? undefined : await works(session);
  const words = next === undefined ? wordsOf(end) : `${wordsOf(end)}; then ${next.words}`;
  report({ scenario: 'server frozen in a call', holds: next?.holds === true, words });
}

/** Makes the fault once the server has got a call that it would answer much later; what becomes of that call. */
async function faultInCall(
  session: Conversation,
  server: FaultyServer,
  fault: () => unknown,
  limitMs = FREED_MS,
): Promise<CallEnd> {
  const before = server.sleeps;
  const call = session.call('sleep', { ms: 10 * limitMs }, limitMs);
  await server.untilSleeping(before);
  await fault();
  return call;
}

/** Whether calls have their answers in the same session again, the very next one or one of those that follow it. */
async function works(session: Conversation): Promise<Omit<Finding, 'scenario'>> {
  const startedAt = performance.now();
  const passed = () => Math.round((performance.now() - startedAt) / 1000);
  for (let call = 1; ; call += 1) {
    const text = `echo ${performance.now()}`;
    const end = await session.call('echo', { text }, CALL_MS);
    if (isEcho(end, text)) return { holds: true, words: call === 1 ? `works (${end.seconds} s)` : `works at call ${call} (${passed()} s)` };
    if (end.text === undefined || passed() > RECOVERY_SECONDS) return { holds: false, words: wordsOf(end) };
    await delay(RETRY_MS);
  }
}

async function usesNewTool(session: Conversation): Promise<Omit<Finding, 'scenario'>> {
  let isOffered = false;
  for (let look = 0; look < LOOKS && !isOffered; look += 1) {
    await delay(RETRY_MS);
    // What a program offers changes with its next question to the model.
    await session.call('echo', { text: 'look' }, CALL_MS);
    isOffered = await session.hasTool('pid');
  }
  const end = await session.call('pid', {}, CALL_MS);
  const holds = isOffered && end.text?.includes('children') === true;
  return { holds, words: holds ? 'used' : wordsOf(end) };
}

const isEcho = ({ text }: CallEnd, wanted: string) => text?.includes(wanted) === true;

function wordsOf({ text, seconds, hasProgramEnded }: CallEnd): string {
  if (text !== undefined) return `“${text.slice(0, WORDS_KEPT)}” (${seconds} s)`;
  return hasProgramEnded ? `the program has ended (${seconds} s)` : `nothing in ${seconds} s`;
}

export type StdioConversation = (server: FaultyServer, session: Conversation, report: Report) => Promise<void>;
