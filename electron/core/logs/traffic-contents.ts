import { freeMemory } from '../free-memory.ts';

/** JSON text of a message; the bytes of that text if the message was long. */
export type MessageContent = string | readonly Buffer[];

/** Stored part of a message's content. */
interface KeptContent {
  readonly content: MessageContent;
  readonly keptBytes: number;
  /** Number of bytes of the message after the stored part, which were not stored. */
  readonly leftOutBytes: number;
}

const MAX_MESSAGE_BYTES = 256 * 1024;
/** Maximum bytes of the stored contents of all servers together. */
const MAX_TOTAL_BYTES = 64 * 1024 * 1024;

/** A message with its content; `kept` is undefined once the content was dropped. */
export interface ContentHolder {
  kept: KeptContent | undefined;
}

/** Contents of the latest messages of one server, in bounded memory; the oldest are dropped first. */
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

  /** Drops the oldest content. Returns false if there is none. */
  dropOldest(): boolean {
    const oldest = this.#holders[this.#first];
    if (oldest === undefined) return false;
    this.#first += 1;
    // Dropped entries are removed from the array only occasionally, because removing the first element copies the array each
    // time.
    if (this.#first > this.#maxContents) {
      this.#holders = this.#holders.slice(this.#first);
      this.#first = 0;
    }
    const bytes = oldest.kept?.keptBytes ?? 0;
    if (typeof oldest.kept?.content === 'object') oldest.kept.content.forEach(freeMemory);
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

  /** Records that the number of stored bytes has changed. @param bytes the difference; negative if content was dropped */
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

/** Returns the size of a message in bytes, not counting its final line break. */
export function sizeOfContent(content: MessageContent): number {
  if (typeof content !== 'string') return content.reduce((bytes, part) => bytes + part.length, 0);
  return Buffer.byteLength(content) - (content.endsWith('\n') ? 1 : 0);
}

/**
 * Returns the content in the form in which it is stored. Short text is stored unchanged. Bytes are copied, because their owner
 * may release their memory. Of very long content, only the beginning is stored.
 */
export function toKept(content: MessageContent, sizeBytes: number): KeptContent {
  const keptBytes = Math.min(sizeBytes, MAX_MESSAGE_BYTES);
  if (typeof content === 'string' && keptBytes === sizeBytes) return { content, keptBytes, leftOutBytes: 0 };
  const parts = typeof content === 'string' ? [Buffer.from(content.slice(0, keptBytes))] : content;
  return { content: [Buffer.concat(parts, keptBytes)], keptBytes, leftOutBytes: sizeBytes - keptBytes };
}

/** Returns content as text. A character of which only a part was stored is left out. */
export function textOfContent(content: MessageContent): string {
  if (typeof content === 'string') return content.trimEnd();
  const text = Buffer.concat(content).toString('utf8');
  return text.replace(/\ufffd$/, '');
}
