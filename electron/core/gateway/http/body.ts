import type { IncomingMessage } from 'node:http';
import type { Doing } from '../../doing.ts';
import { readInTurns } from '../../read-in-turns.ts';
import { tooLarge } from './guard.ts';
import type { ByteBudget } from './limits.ts';
import { ByteParts } from '../../mcp/bytes.ts';
import { MAX_PARSED_BYTES } from '../../mcp/long-message.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import { parseLong, parseMessage, type ReadMessage } from './read-message.ts';
import { refused } from './refusal.ts';

export const MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Of what nobody reads, so that its sender sees the answer; whoever sends more loses the connection. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;

export interface BodyReading {
  /** What all long bodies together may hold. */
  readonly budget: ByteBudget;
  readonly doing: Pick<Doing, 'run'>;
  readonly reader: LongReader;
  /** Called once, or never where the client leaves before the end. */
  readonly onRead: (read: ReadMessage) => void;
}

/** Reads the one message of a request. */
export function readBody(req: IncomingMessage, { budget, doing, reader, onRead }: BodyReading): void {
  const body = new Body(budget);
  let isRead = false;
  const tell = (read: ReadMessage) => {
    isRead = true;
    onRead(read);
  };
  readInTurns(req, {
    onPart: (part) =>
      doing.run('serve-clients', undefined, () => {
        const failure = isRead ? drained(req, body, part) : body.push(part);
        if (failure) tell(failure);
      }),
    onEnd: () =>
      doing.run('serve-clients', undefined, () => {
        if (isRead || !req.complete) return;
        const read = body.end(reader);
        if (!(read instanceof Promise)) return tell(read);
        void read.then((late) => doing.run('serve-clients', undefined, () => tell(late)));
      }),
  });
}

/** Reads what is left of a request that was answered already, up to a bound. */
export function drainBody(req: IncomingMessage): void {
  if (!hasBody(req)) return;
  let bytes = 0;
  readInTurns(req, {
    onPart: (part) => {
      bytes += part.length;
      if (bytes > MAX_DRAINED_BYTES) req.destroy();
    },
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function drained(req: IncomingMessage, body: Body, part: Buffer): undefined {
  body.bytes += part.length;
  if (body.bytes > MAX_DRAINED_BYTES) req.destroy();
}

class Body {
  readonly #budget: ByteBudget;
  #parts = new ByteParts();
  bytes = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** What is wrong with it already, if something is. */
  push(part: Buffer): ReadMessage | undefined {
    const before = this.bytes;
    this.bytes += part.length;
    if (this.bytes > MAX_BODY_BYTES) return this.#giveUp(tooLarge(MAX_BODY_BYTES));
    const held = before > MAX_PARSED_BYTES ? part.length : this.bytes;
    if (this.bytes > MAX_PARSED_BYTES && !this.#budget.take(held)) return this.#giveUp(tooMuch());
    this.#parts.append(part);
    return undefined;
  }

  end(reader: LongReader): ReadMessage | Promise<ReadMessage> {
    const { parts } = this.#parts;
    return this.bytes > MAX_PARSED_BYTES ? parseLong(parts, reader) : parseMessage(Buffer.concat(parts));
  }

  #giveUp(failure: ReadMessage): ReadMessage {
    this.#parts = new ByteParts();
    return failure;
  }
}

function tooMuch(): ReadMessage {
  return refused(503, 'busy', {
    message: 'The panel holds as many long requests as it may: try again soon.',
    headers: { 'Retry-After': '1' },
  });
}
