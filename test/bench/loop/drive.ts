import type { LogPageQuery } from '../../../shared/log-lines.ts';

/** Load on the flooding server while it floods. */
export type Load = 'none' | 'calls' | 'offer' | 'output';

/** Calls as on `window.controlPanel`. */
export interface DrivenApi {
  startServer(name: string): Promise<unknown>;
  callServer(call: {
    readonly callId: string;
    readonly name: string;
    readonly method: 'tools/call';
    readonly params: Readonly<Record<string, unknown>>;
  }): Promise<unknown>;
  getOffer(name: string): Promise<unknown>;
  getLogPage(query: LogPageQuery): Promise<unknown>;
}

export interface DriveOptions {
  readonly load: Load;
  readonly seconds: number;
  /** Flooding server, started at the beginning; undefined for the quiet part of a run. */
  readonly flood: string | undefined;
}

export interface Driven {
  /**
   * Times from the moment when each call to the quiet server was due, in milliseconds; Infinity where it
   * failed.
   */
  readonly quietCallsMs: readonly number[];
  /** Number of times that the load was asked for, and answered or refused. */
  readonly asked: number;
}

/**
 * Calls the server `quiet` at a steady pace, whether earlier calls are answered or not, and asks the flooding
 * one without a pause. Has no imports because its source is run in the page as well.
 */
export async function drive(api: DrivenApi, { load, seconds, flood }: DriveOptions): Promise<Driven> {
  const periodMs = 20;
  const beganMs = performance.now();
  const endMs = beganMs + seconds * 1000;
  const until = (dueMs: number) =>
    new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
  const call = (callId: string, name: string) =>
    api.callServer({ callId, name, method: 'tools/call', params: { name: 'any', arguments: {} } });
  let asked = 0;
  const ask = (name: string): Promise<unknown> => {
    if (load === 'calls') return call(`load-${beganMs}-${asked}`, name);
    if (load === 'offer') return api.getOffer(name);
    if (load === 'output')
      return api.getLogPage({ filter: { servers: [name], sources: ['stderr'] }, limit: 1000 });
    return until(endMs);
  };
  const press = async (name: string) => {
    await api.startServer(name).catch(() => undefined);
    while (performance.now() < endMs) {
      await ask(name).catch(() => undefined);
      asked += 1;
      // A pause lets the timers run even where a request is refused at once.
      await until(0);
    }
  };
  const pressing = flood === undefined ? undefined : press(flood);
  const calls: Promise<number>[] = [];
  for (let dueMs = beganMs; dueMs < endMs; dueMs += periodMs) {
    await until(dueMs);
    const took = call(`quiet-${dueMs}`, 'quiet').then(
      () => performance.now() - dueMs,
      () => Infinity,
    );
    calls.push(took);
  }
  const quietCallsMs = await Promise.all(calls);
  await Promise.race([pressing, until(performance.now() + 5000)]);
  return { quietCallsMs, asked };
}
