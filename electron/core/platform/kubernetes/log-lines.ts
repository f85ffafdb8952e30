import { parsedJson } from '../../../../shared/parsed.ts';
import type { Clock } from '../../clock.ts';
import { delay } from '../../wait.ts';
import { EngineRefusal, type EngineApi } from '../containers/engine-api.ts';
import { ended, HeardOutput, timedEntry } from '../elsewhere/box-outputs.ts';

const LINE_FEED = 0x0a;
const BRACE = 0x7b;
/**
 * Maximum bytes of an unfinished line that are buffered. A longer line is passed on in parts: it is too long for a message of
 * the protocol, and whoever reads the messages drops it anyway.
 */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Maximum length in bytes of a line that is parsed as a whole to find out whether it is a protocol message. */
const SHORT_BYTES = 4096;
const END_BYTES = 300;

/** Splits data that arrives in parts into lines with their line feeds. */
export class LogSplitter {
  #parts: Buffer[] = [];
  #bytes = 0;

  push(chunk: Buffer): readonly Buffer[] {
    const lines: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, from)) {
      lines.push(Buffer.concat([...this.#parts, chunk.subarray(from, at + 1)]));
      this.#parts = [];
      this.#bytes = 0;
      from = at + 1;
    }
    if (from < chunk.length) this.#parts.push(chunk.subarray(from));
    this.#bytes += chunk.length - from;
    return this.#bytes > MAX_LINE_BYTES ? [...lines, ...this.rest()] : lines;
  }

  /** Returns and removes the buffered unfinished line. */
  rest(): readonly Buffer[] {
    const rest = this.#parts.length === 0 ? [] : [Buffer.concat(this.#parts)];
    this.#parts = [];
    this.#bytes = 0;
    return rest;
  }
}

/**
 * True if a line is a message of the MCP protocol. Of a long line, only the beginning and the end are searched for the protocol
 * version, because it is in one of them.
 */
export function isProtocolLine(line: Buffer): boolean {
  if (line[0] !== BRACE) return false;
  if (line.length > SHORT_BYTES) {
    const ends = line.toString('latin1', 0, END_BYTES) + line.toString('latin1', line.length - END_BYTES);
    return ends.includes('"jsonrpc"');
  }
  const value = parsedJson(String(line));
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

/** Converts a log timestamp to UTC, as text that sorts by time. Nodes may write timestamps in their own time zone. */
export function utcOf(time: string): string {
  if (time.endsWith('Z')) return time;
  const [, whole = '', fraction = '', zone = ''] = /^([^.+]{19})(\.\d+)?([+-]\d\d:\d\d)$/.exec(time) ?? [];
  const ms = Date.parse(`${whole}${zone}`);
  return Number.isNaN(ms) ? time : `${new Date(ms).toISOString().slice(0, 19)}${fraction}Z`;
}

/** Milliseconds until a log that has ended is requested again, because the cluster may restart the container. */
const AGAIN_MS = 2000;
const FORBIDDEN = 403;

interface FollowedLog {
  readonly api: EngineApi;
  readonly clock: Clock;
  /** Path of the log, with the name of the container. */
  readonly path: string;
  /** Time from which the log's lines are passed on. */
  readonly from: string;
  readonly signal: AbortSignal;
  readonly onLine: (line: Buffer) => void;
}

/** Passes on each log line exactly once until `signal` aborts. Never rejects. @returns the cluster's message if it refuses */
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
