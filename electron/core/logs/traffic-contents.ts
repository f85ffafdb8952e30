/** JSON text of a message, or its bytes when it was long. */
export type MessageContent = string | readonly Buffer[];

/** Stored part of a message's content. */
export interface KeptContent {
  readonly content: MessageContent;
  readonly keptBytes: number;
  /** Bytes left out after the stored part. */
  readonly leftOutBytes: number;
}

const MAX_MESSAGE_BYTES = 256 * 1024;
const MOST_READ_BYTES = 64 * 1024;
/** Maximum bytes of the stored contents of all servers together. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** A message with its content; `kept` is undefined once the content was dropped. */
export interface ContentHolder {
  kept: KeptContent | undefined;
}

/** Contents of some messages of one server, in bounded memory; the oldest are dropped first. */
export class ContentQueue {
  readonly #budget: ContentBudget;
  readonly #maxBytes: number;
  readonly #maxContents: number;
  #holders: ContentHolder[] = [];
  /** Index of the oldest message that still has its content. */
  #first = 0;
  #keptBytes = 0;

  constructor(budget: ContentBudget, maxBytes: number, maxContents: number) {
    this.#budget = budget;
    this.#maxBytes = maxBytes;
    this.#maxContents = maxContents;
    budget.join(this);
  }

  get keptBytes(): number {
    return this.#keptBytes;
  }

  add(holder: ContentHolder, kept: KeptContent): void {
    holder.kept = kept;
    this.#holders.push(holder);
    this.#keptBytes += kept.keptBytes;
    while (this.#keptBytes > this.#maxBytes || this.#holders.length - this.#first > this.#maxContents)
      if (!this.dropOldest()) break;
    this.#budget.changed(kept.keptBytes);
  }

  /** Drops the oldest content. False when there is none. */
  dropOldest(): boolean {
    const oldest = this.#holders[this.#first];
    if (oldest === undefined) return false;
    this.#first += 1;
    // The array is compacted only at intervals, because every shift copies it.
    if (this.#first > this.#maxContents) {
      this.#holders = this.#holders.slice(this.#first);
      this.#first = 0;
    }
    const bytes = oldest.kept?.keptBytes ?? 0;
    oldest.kept = undefined;
    this.#keptBytes -= bytes;
    this.#budget.changed(-bytes);
    return true;
  }
}

/** Byte budget for the contents of all servers: the server with the most bytes drops its oldest content first. */
export class ContentBudget {
  readonly #maxBytes: number;
  readonly #keepers = new Set<ContentQueue>();
  #bytes = 0;

  constructor(maxBytes = MAX_TOTAL_BYTES) {
    this.#maxBytes = maxBytes;
  }

  join(keeper: ContentQueue): void {
    this.#keepers.add(keeper);
  }

  /** Notes a change of the stored bytes. @param bytes negative for dropped content */
  changed(bytes: number): void {
    this.#bytes += bytes;
    while (this.#bytes > this.#maxBytes && this.#largest?.dropOldest());
  }

  get #largest(): ContentQueue | undefined {
    let largest: ContentQueue | undefined;
    for (const keeper of this.#keepers)
      if (!largest || keeper.keptBytes > largest.keptBytes) largest = keeper;
    return largest;
  }
}

/** Bytes of a message without its final line break. */
export function sizeOfContent(content: MessageContent): number {
  if (typeof content !== 'string') return content.reduce((bytes, part) => bytes + part.length, 0);
  return Buffer.byteLength(content) - (content.endsWith('\n') ? 1 : 0);
}

/** Returns content without copying it; of very long content the beginning alone. */
export function toKept(content: MessageContent, sizeBytes: number): KeptContent {
  if (sizeBytes <= MAX_MESSAGE_BYTES) return { content, keptBytes: sizeBytes, leftOutBytes: 0 };
  const text = typeof content === 'string' ? [Buffer.from(content.slice(0, MAX_MESSAGE_BYTES))] : content;
  const kept = beginningOf(text);
  return { content: kept, keptBytes: MAX_MESSAGE_BYTES, leftOutBytes: sizeBytes - MAX_MESSAGE_BYTES };
}

/** Returns content as text. A character of which only a part was stored is left out. */
export function textOfContent(content: MessageContent): string {
  if (typeof content === 'string') return content.trimEnd();
  const text = Buffer.concat(content).toString('utf8');
  return text.replace(/\ufffd$/, '');
}

function beginningOf(parts: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let missing = MAX_MESSAGE_BYTES;
  for (const part of parts) {
    if (missing <= 0) break;
    const piece = part.subarray(0, missing);
    // A piece keeps all the memory that it is a part of: that of one read is little, that of a whole message is not.
    pieces.push(piece.buffer.byteLength > MOST_READ_BYTES ? Buffer.from(piece) : piece);
    missing -= piece.length;
  }
  return pieces;
}
