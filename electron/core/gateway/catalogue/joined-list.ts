import { createHash, type Hash } from 'node:crypto';
import type { OfferList } from '../../../../shared/domain.ts';
import { canonicalJson } from '../../config/canonical-json.ts';
import { readListPages, type ListSink } from '../../sessions/list-pages.ts';
import { type OfferBudget } from '../../sessions/offer-budget.ts';
import type { UpstreamLink } from '../../sessions/server-link.ts';

/** More of one list are not kept, because no client shows so many. */
const MAX_ITEMS = 5000;

/** One list as it is kept: all its pages joined. */
export interface KeptList {
  /** The JSON text of the result, `{"tools":[…]}`, in UTF-8. Never changed in place. */
  readonly result: Buffer;
  readonly count: number;
  /** False where the server has more than is kept. */
  readonly isWhole: boolean;
  /** SHA-256 of what the list says, 64 hexadecimal digits: equal as long as no item changes. */
  readonly hash: string;
}

/**
 * Reads a list over the link, in turns where it is long. Undefined where it did not come to its end, or the server says
 * that it has none. @param budget what all lists of the server may hold together
 */
export async function readJoinedList(
  link: Pick<UpstreamLink, 'requestRaw'>,
  list: OfferList,
  budget: OfferBudget,
): Promise<KeptList | undefined> {
  const items = new JoinedItems(list, budget);
  const { error, isMissing, hasMore } = await readListPages(link, list, items);
  return error === undefined && isMissing !== true ? items.joined(hasMore) : undefined;
}

/** The items' texts, one after the other. */
class JoinedItems implements ListSink {
  readonly #list: OfferList;
  readonly #budget: OfferBudget;
  readonly #texts: Buffer[] = [];
  readonly #hash: Hash = createHash('sha256');
  #total = 0;
  isFull = false;

  constructor(list: OfferList, budget: OfferBudget) {
    this.#list = list;
    this.#budget = budget;
  }

  add(item: unknown): boolean {
    const verdict =
      item === undefined ? 'too-large' : this.#texts.length < MAX_ITEMS ? this.#budget.take(item) : 'full';
    this.isFull = verdict === 'full';
    if (verdict === 'taken') this.#keep(item);
    return !this.isFull;
  }

  count(items: number): void {
    this.#total += items;
  }

  joined(hasMore: boolean): KeptList {
    const isWhole = this.#texts.length === this.#total && !hasMore;
    const comma = Buffer.from(',');
    const parts = this.#texts.flatMap((text, index) => (index === 0 ? [text] : [comma, text]));
    return {
      result: ownBuffer(Buffer.concat([Buffer.from(`{"${this.#list}":[`), ...parts, Buffer.from(']}')])),
      count: this.#texts.length,
      isWhole,
      hash: this.#hash.update(`${isWhole}`).digest('hex'),
    };
  }

  #keep(item: unknown): void {
    this.#texts.push(Buffer.from(JSON.stringify(item)));
    this.#hash.update(createHash('sha256').update(canonicalJson(item)).digest('hex'));
  }
}

/** A copy with memory of its own: a short one is else a part of the pool of Node.js, all of which would stay with it. */
export function ownBuffer(bytes: Uint8Array): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return own;
}
