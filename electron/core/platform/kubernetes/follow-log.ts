import type { Clock } from '../../clock.ts';
import { delay } from '../../wait.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import { ended } from '../elsewhere/box-outputs.ts';
import { HeardOutput, timedEntry } from '../elsewhere/heard-output.ts';
import { LogSplitter, utcOf } from './log-lines.ts';

/** Milliseconds before a log that has ended is read on: its container may begin again. */
const AGAIN_MS = 2000;
const FORBIDDEN = 403;

interface FollowedLog {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Path of the log, with the name of the container. */
  readonly path: string;
  /** Time from which its lines count. */
  readonly from: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: Buffer) => void;
}

/** Passes on each line of the log of a pod once, until `signal`. Never rejects. @returns the words of a cluster that forbids it */
export async function followLog(log: FollowedLog): Promise<string | undefined> {
  const { api, clock, path, from, signal, onLine } = log;
  const heard = new HeardOutput(onLine, from);
  while (!signal.aborted) {
    try {
      heard.logBegins();
      const since = encodeURIComponent(heard.since);
      const stream = await api.stream(`${path}&timestamps=true&follow=true&sinceTime=${since}`);
      const leave = () => void stream.destroy();
      signal.addEventListener('abort', leave, { once: true });
      const splitter = new LogSplitter();
      stream.on('data', (chunk: Buffer) => {
        for (const line of splitter.push(chunk)) {
          const { time, said } = timedEntry(line);
          heard.takeEntry(utcOf(time), said);
        }
      });
      if (signal.aborted) leave();
      await ended(stream);
      signal.removeEventListener('abort', leave);
    } catch (error) {
      if (error instanceof EngineRefusal && error.status === FORBIDDEN) return error.message;
    }
    await delay(clock, AGAIN_MS, signal);
  }
  return undefined;
}
