import { fileURLToPath } from 'node:url';
import { createLiveBench, type LoggedEvent } from './live-bench.ts';

const PROGRAM = fileURLToPath(new URL('../../fixtures/servers/parting.mjs', import.meta.url));
/** Time for which the loop of a busy panel stands still at once. */
const BUSY_MS = 70;
const FREE_MS = 10;

export interface PartingServers {
  readonly count: number;
  /** Size of the answer, which is the last act of each server. */
  readonly bytes: number;
  /** Whether a child of each goes on holding its stdout. */
  readonly isHeld?: boolean;
  /** Whether our own loop is blocked in stretches meanwhile. */
  readonly isBusy?: boolean;
  /** Number of servers that live at a time. */
  readonly atOnce?: number;
}

/** Errors that the callers got in place of their answers; empty when none was lost. */
export async function lostAnswers(servers: PartingServers): Promise<readonly string[]> {
  const { count, bytes, isHeld = false, isBusy = false, atOnce = 5 } = servers;
  const lost: string[] = [];
  const outcomes = async () => {
    while (next-- > 0) {
      const outcome = await lastAnswer(bytes, isHeld);
      if (outcome !== undefined) lost.push(outcome);
    }
  };
  let next = count;
  const endBusiness = isBusy ? beBusy() : () => undefined;
  try {
    await Promise.all(Array.from({ length: atOnce }, outcomes));
  } finally {
    endBusiness();
  }
  return lost;
}

/** Error of one server; undefined when its answer came whole. */
async function lastAnswer(bytes: number, isHeld: boolean): Promise<string | undefined> {
  const bench = partingBench(isHeld);
  try {
    await bench.supervisor.start();
    const { content } = await bench.supervisor.connection!.request('tools/call', {
      name: 'answer',
      arguments: { bytes },
    });
    const [block] = content as { text: string }[];
    return block?.text.length === bytes ? undefined : `${block?.text.length} of ${bytes} bytes`;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await bench.dispose();
  }
}

/**
 * Error of the caller, and event of the crash, of a server that writes so much to stderr at its end; our loop
 * is busy.
 */
export async function lastTrace(bytes: number): Promise<{ error: unknown; crashed: LoggedEvent }> {
  const bench = partingBench(false);
  const endBusiness = beBusy();
  try {
    await bench.supervisor.start();
    const error: unknown = await bench.supervisor
      .connection!.request('tools/call', { name: 'trace', arguments: { bytes } })
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    return { error, crashed: await bench.logs('crashed') };
  } finally {
    endBusiness();
    await bench.dispose();
  }
}

function partingBench(isHeld: boolean) {
  const args = [PROGRAM, ...(isHeld ? ['--held'] : [])];
  const panel = { startTimeoutMs: 60_000, restart: { enabled: false }, stopGraceMs: 100, killGraceMs: 100 };
  return createLiveBench(() => ({ command: process.execPath, args }), { panel });
}

/** Keeps our loop busy. Returns the end of it. */
function beBusy(): () => void {
  const timer = setInterval(() => {
    const until = performance.now() + BUSY_MS;
    while (performance.now() < until);
  }, BUSY_MS + FREE_MS);
  return () => clearInterval(timer);
}
