import type { OfferList } from '../../../../shared/domain.ts';
import { PanelError } from '../../../../shared/error-codes.ts';
import type { RawResult } from '../../mcp/long-message.ts';
import type { LongList } from '../../mcp/worker/questions.ts';
import { METHOD_NOT_FOUND } from '../../mcp/rpc-error.ts';
import { nextTurn } from '../../next-turn.ts';
import type { ServerProtocol } from '../supervised-server.ts';

/** Maximum number of items kept of one list, more than any client shows or user reads. */
const MAX_ITEMS = 5000;
/** Maximum number of pages of one list, for servers whose list never ends. */
const MAX_PAGES = 100;
/** Maximum length of a page cursor in characters. It is limited because the panel has to send the cursor back unchanged. */
const MAX_CURSOR_LENGTH = 64 * 1024;
/** Time limit for one page in ms. Listing is quick, so the caller should not have to wait as long as for a tool call. */
const LIST_TIMEOUT_MS = 15_000;
/** Maximum characters of a long list that are parsed or serialized in one event-loop tick, which takes a millisecond or two. */
export const TURN_CHARACTERS = 64 * 1024;

/** Request method of each list; the list's name is also the name of its items in the result. */
export const listMethods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const satisfies Record<OfferList, string>;

const listsByMethod: ReadonlyMap<string, OfferList> = new Map(
  (Object.keys(listMethods) as OfferList[]).map((list) => [listMethods[list], list]),
);

/** Returns the list that a request method asks for; undefined for other methods. */
export const listedBy = (method: string): OfferList | undefined => listsByMethod.get(method);

/** Outcome of reading a list. */
interface ListEnd {
  /** Number of items that the server has. If not all pages were read, only the items of the pages read are counted. */
  readonly total: number;
  /** True when all items of the server were kept. */
  readonly isWhole: boolean;
  /** True when reading stopped at a limit before the last page, so that the server may have more items. */
  readonly hasMore: boolean;
  /** True when the server lacks this list, although it declares the capability. */
  readonly isMissing?: boolean;
  readonly error?: unknown;
  /** True when even the first page failed, so that nothing is known of the list. */
  readonly isLost?: boolean;
}

/**
 * Requests the pages of a list until its end, a failure, or until the limit of kept items is reached. Never rejects.
 * @param budget limit for all lists of the server together @param keep called with each item that is kept
 */
export async function readListPages(
  protocol: Pick<ServerProtocol, 'requestRaw'>,
  list: OfferList,
  budget: OfferBudget,
  keep: (item: unknown) => void,
): Promise<ListEnd> {
  const kept = new KeptItems(budget, keep);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    try {
      cursor = await readPage(protocol, list, cursor, kept);
    } catch (error) {
      if (isMissing(list, error)) return { ...kept.end(false), isMissing: true };
      return { ...kept.end(false), error, isLost: page === 0 };
    }
    if (cursor === undefined || cursors.has(cursor)) return kept.end(false);
    if (kept.isFull || cursor.length > MAX_CURSOR_LENGTH) break;
    cursors.add(cursor);
  }
  return kept.end(true);
}

/** Keeps the first items of a list, up to `MAX_ITEMS` and the budget of the server. */
class KeptItems {
  readonly #budget: OfferBudget;
  readonly #keep: (item: unknown) => void;
  #count = 0;
  /** Number of items that the server has, kept or not. */
  total = 0;
  /** True when no further items are accepted. */
  isFull = false;

  constructor(budget: OfferBudget, keep: (item: unknown) => void) {
    this.#budget = budget;
    this.#keep = keep;
  }

  /** Adds an item; returns false when no further items are accepted. @param item undefined when it is too large to be parsed */
  add(item: unknown): boolean {
    if (item === undefined) return true;
    const verdict = this.#count < MAX_ITEMS ? this.#budget.take(item) : 'full';
    this.isFull = verdict === 'full';
    if (verdict === 'taken') {
      this.#count += 1;
      this.#keep(item);
    }
    return !this.isFull;
  }

  end(hasMore: boolean): ListEnd {
    const { total } = this;
    return { total, hasMore, isWhole: this.#count === total && !hasMore };
  }
}

/** Returns the next page's cursor. @throws PanelError with the failed request's cause; PROTOCOL_ERROR if there is no list */
async function readPage(
  protocol: Pick<ServerProtocol, 'requestRaw'>,
  list: OfferList,
  cursor: string | undefined,
  kept: KeptItems,
): Promise<string | undefined> {
  const method = listMethods[list];
  const params = cursor === undefined ? {} : { cursor };
  const raw = await protocol.requestRaw(method, params, {
    timeoutMs: LIST_TIMEOUT_MS,
    isOwnQuestion: true,
  });
  const { count, nextCursor } = await readItems(raw, list, kept);
  if (count === undefined)
    throw new PanelError('PROTOCOL_ERROR', `The answer to ${method} contains no list "${list}".`);
  kept.total += count;
  return nextCursor;
}

type ListFacts = Pick<LongList, 'count' | 'nextCursor'>;

async function readItems(raw: RawResult, list: OfferList, kept: KeptItems): Promise<ListFacts> {
  if (raw.kind === 'long') return addInTurns(await raw.message.list(list), kept);
  const { [list]: items, nextCursor } = raw.result;
  const isList = Array.isArray(items);
  if (isList) for (const item of items as readonly unknown[]) if (!kept.add(item)) break;
  return {
    count: isList ? items.length : undefined,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
  };
}

async function addInTurns(long: LongList, kept: KeptItems): Promise<ListFacts> {
  let characters = 0;
  for (const text of long.items) {
    characters += text?.length ?? 0;
    if (characters > TURN_CHARACTERS) {
      await nextTurn();
      characters = text?.length ?? 0;
    }
    if (!kept.add(text === undefined ? undefined : JSON.parse(text))) break;
  }
  return long;
}

/**
 * True when the error only means that the server lacks this list. That is possible for resource templates: they have no
 * capability of their own, so a server that declares `resources` need not support them.
 */
function isMissing(list: OfferList, error: unknown): boolean {
  return (
    list === 'resourceTemplates' &&
    error instanceof PanelError &&
    error.data?.['rpcCode'] === METHOD_NOT_FOUND
  );
}

/** Maximum characters and values of all lists of a server together, because they are copied to the app window and shown. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_VALUES = 100_000;
/** Maximum characters of one item, because no user could read a larger tool. */
const MAX_ITEM_CHARACTERS = 256 * 1024;
/** Maximum nesting depth of an item, because a deeper one cannot be cloned for the app window. */
const MAX_ITEM_DEPTH = 64;

interface Size {
  readonly characters: number;
  readonly values: number;
}

/** Characters and values that the lists of one server may still use. */
export class OfferBudget {
  #characters = MAX_CHARACTERS;
  #values = MAX_VALUES;

  /** Subtracts the item from the budget, if enough is left. An item that is too large on its own subtracts nothing. */
  take(item: unknown): 'taken' | 'too-large' | 'full' {
    const size = sizeOf(item);
    if (size === undefined) return 'too-large';
    if (size.characters > this.#characters || size.values > this.#values) return 'full';
    this.#characters -= size.characters;
    this.#values -= size.values;
    return 'taken';
  }
}

/** Returns an item's size; undefined if it is too large or deep. Does not recurse, because items may be nested to any depth. */
function sizeOf(item: unknown): Size | undefined {
  let characters = 0;
  let values = 0;
  const waiting: { readonly value: unknown; readonly depth: number }[] = [{ value: item, depth: 1 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    values += 1;
    if (typeof value === 'string') characters += value.length;
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) characters += name.length;
        waiting.push({ value: inner, depth: depth + 1 });
      }
    }
    if (characters > MAX_ITEM_CHARACTERS || depth > MAX_ITEM_DEPTH || values > MAX_VALUES) return undefined;
  }
  return { characters, values };
}
