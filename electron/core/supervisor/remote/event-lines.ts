import { ByteParts, firstBytes } from '../../mcp/bytes.ts';
import { MAX_PARSED_BYTES } from '../../mcp/long-message.ts';

const NEWLINE = Buffer.from('\n');
/** A server that wants no pause would be asked without end, and a pause that no timer can hold is none. */
const SHORTEST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
/** The longest name that means anything is "event". */
const NAME_BYTES = 8;
const SPACE = 32;
const COLON = 58;

/** The data of one event, as its lines come. */
export class EventData {
  readonly #bytes = new ByteParts();
  #hasLines = false;

  get isLong(): boolean {
    return this.#bytes.length > MAX_PARSED_BYTES;
  }
  get parts(): readonly Buffer[] {
    return this.#bytes.parts;
  }

  /** The first of its bytes, copied. */
  head(bytes: number): Buffer {
    return firstBytes(this.#bytes.parts, bytes);
  }

  /** What is pushed next stands in a new line. */
  beginLine(): void {
    if (this.#hasLines) this.push(NEWLINE);
    this.#hasLines = true;
  }

  push(part: Buffer): void {
    this.#bytes.append(part);
  }

  /** Short data as it stands in a stream; empty where there is none. */
  lines(): Buffer {
    if (!this.#hasLines) return Buffer.alloc(0);
    // Each byte is one character of Latin-1, and back.
    const text = Buffer.concat(this.#bytes.parts).toString('latin1').replaceAll('\n', '\ndata: ');
    return Buffer.from(`data: ${text}\n`, 'latin1');
  }

  clear(): void {
    this.#bytes.clear();
    this.#hasLines = false;
  }
}

/** The name of a line's field (HTML standard, "event stream interpretation"); empty for a comment. */
export function fieldOf(line: Buffer): string {
  const name = line.subarray(0, NAME_BYTES).toString('latin1');
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(0, colon);
}

/** The value of a line. */
export function withoutField(line: Buffer): Buffer {
  const colon = line.indexOf(COLON);
  if (colon === -1) return line.subarray(line.length);
  return line.subarray(line[colon + 1] === SPACE ? colon + 2 : colon + 1);
}

/** A `retry` line whose time is within bounds; as it is where it has none. */
export function clampRetry(line: Buffer): Buffer {
  const value = withoutField(line).toString('latin1');
  if (!/^\d+$/.test(value)) return line;
  return Buffer.from(`retry: ${Math.min(Math.max(Number(value), SHORTEST_RETRY_MS), LONGEST_RETRY_MS)}`);
}
