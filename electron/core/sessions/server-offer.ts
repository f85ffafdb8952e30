import type { z } from 'zod';
import {
  offerSchema,
  type Offer,
  type OfferFailure,
  type OfferList,
  type OfferPart,
} from '../../../shared/domain.ts';
import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import { nextTurn } from '../next-turn.ts';
import type { RawResult } from '../supervisor/connection/long-message.ts';
import { readLongList, type LongList } from './long-list.ts';
import { OfferBudget } from './offer-budget.ts';
import type { ServerProtocol } from './supervised-server.ts';

/** A server that never ends its list is cut off here. */
const MAX_PAGES = 100;
/** Of one list. More than anybody looks through. */
const MAX_ITEMS = 5000;
/** A cursor is sent back as it came. */
const MAX_CURSOR_LENGTH = 64 * 1024;
/** Lists are short work; who looks at them should not wait for the deadline of a call. */
const LIST_TIMEOUT_MS = 15_000;
/** JSON-RPC: the server does not know the method. */
const METHOD_NOT_FOUND = -32_601;

type Asker = Pick<ServerProtocol, 'capabilities' | 'requestRaw'>;

/** What came of one list. With an error, `items` is what came before it. */
interface Listing {
  readonly list: OfferList;
  readonly items: readonly unknown[];
  /** Where only a part of the list is kept: how many there are, as far as anybody counted. */
  readonly total?: number;
  readonly isAtLeast?: boolean;
  readonly error?: unknown;
  /** Not even its first page came. */
  readonly isLost?: boolean;
}

/** Items are checked so many at a time, in a turn of their own. */
const CHECKED_PER_TURN = 100;

const methods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const satisfies Record<OfferList, string>;

/**
 * Everything a server says it offers, within bounds. A list that it does not have is empty; one that fails is among the
 * `failures` and does not hide the others; one that is kept in part is among the `parts`.
 * @throws PanelError why the first list failed, when no list came
 */
export async function readOffer(protocol: Asker): Promise<Offer> {
  const budget = new OfferBudget();
  const listings = await Promise.all(listsOf(protocol).map((list) => readList(protocol, list, budget)));
  const [first] = listings;
  if (first && listings.every(({ isLost }) => isLost)) throw first.error;
  const { tools, prompts, resources, resourceTemplates } = offerSchema.shape;
  const itemsOf = (wanted: OfferList) => listings.find(({ list }) => list === wanted)?.items ?? [];
  const failures = listings.flatMap(failureOf);
  const parts = listings.flatMap(partOf);
  return {
    tools: await valid(tools.element, itemsOf('tools')),
    prompts: await valid(prompts.element, itemsOf('prompts')),
    resources: await valid(resources.element, itemsOf('resources')),
    resourceTemplates: await valid(resourceTemplates.element, itemsOf('resourceTemplates')),
    ...(failures.length > 0 && { failures }),
    ...(parts.length > 0 && { parts }),
  };
}

function listsOf({ capabilities: { tools, prompts, resources } }: Asker): readonly OfferList[] {
  return [
    ...(tools ? (['tools'] as const) : []),
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources', 'resourceTemplates'] as const) : []),
  ];
}

async function readList(protocol: Asker, list: OfferList, budget: OfferBudget): Promise<Listing> {
  const kept = new KeptItems(budget);
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    try {
      cursor = await readPage(protocol, list, cursor, kept);
    } catch (error) {
      if (isMissing(list, error)) return { list, items: kept.items };
      return { list, ...kept.outcome(false), error, isLost: page === 0 };
    }
    if (cursor === undefined || cursors.has(cursor)) return { list, ...kept.outcome(false) };
    if (kept.isFull || cursor.length > MAX_CURSOR_LENGTH) break;
    cursors.add(cursor);
  }
  return { list, ...kept.outcome(true) };
}

/** The first items of a list, up to its bounds. */
class KeptItems {
  readonly items: unknown[] = [];
  readonly #budget: OfferBudget;
  #total = 0;
  #isFull = false;

  constructor(budget: OfferBudget) {
    this.#budget = budget;
  }

  get isFull(): boolean {
    return this.#isFull;
  }

  /** @param item undefined for one that is too large to be looked at. False when no more are wanted. */
  add(item: unknown): boolean {
    if (item === undefined) return true;
    const verdict = this.items.length < MAX_ITEMS ? this.#budget.take(item) : 'full';
    this.#isFull = verdict === 'full';
    if (verdict === 'taken') this.items.push(item);
    return !this.#isFull;
  }

  /** So many more there are, whether they were kept or not. */
  count(items: number): void {
    this.#total += items;
  }

  outcome(hasMore: boolean): Pick<Listing, 'items' | 'total' | 'isAtLeast'> {
    const isWhole = this.items.length === this.#total && !hasMore;
    return { items: this.items, ...(!isWhole && { total: this.#total, isAtLeast: hasMore }) };
  }
}

/** Returns the cursor of the next page. @throws PanelError why the request failed, PROTOCOL_ERROR when the answer holds no list */
async function readPage(
  protocol: Asker,
  list: OfferList,
  cursor: string | undefined,
  kept: KeptItems,
): Promise<string | undefined> {
  const method = methods[list];
  const params = cursor === undefined ? {} : { cursor };
  const raw = await protocol.requestRaw(method, params, { timeoutMs: LIST_TIMEOUT_MS });
  const { count, nextCursor } = await readItems(raw, list, kept);
  if (count === undefined)
    throw new PanelError('PROTOCOL_ERROR', `The answer to ${method} holds no list "${list}".`);
  kept.count(count);
  return nextCursor;
}

async function readItems(raw: RawResult, list: OfferList, kept: KeptItems): Promise<LongList> {
  if (raw.kind === 'long') return readLongList(raw.message, { name: list, onItem: (item) => kept.add(item) });
  const { [list]: items, nextCursor } = raw.result;
  const isList = Array.isArray(items);
  if (isList) for (const item of items as readonly unknown[]) if (!kept.add(item)) break;
  return {
    count: isList ? items.length : undefined,
    nextCursor: typeof nextCursor === 'string' ? nextCursor : undefined,
  };
}

/** `resources` may be advertised without templates: there is no capability of their own. */
function isMissing(list: OfferList, error: unknown): boolean {
  return (
    list === 'resourceTemplates' &&
    error instanceof PanelError &&
    error.data?.['rpcCode'] === METHOD_NOT_FOUND
  );
}

function failureOf({ list, error }: Listing): OfferFailure[] {
  return error === undefined ? [] : [{ list, error: toErrorReport(error, 'PROTOCOL_ERROR') }];
}

function partOf({ list, items, total, isAtLeast = false }: Listing): OfferPart[] {
  return total === undefined ? [] : [{ list, shown: items.length, total, isAtLeast }];
}

async function valid<Item extends z.ZodType>(
  schema: Item,
  items: readonly unknown[],
): Promise<z.output<Item>[]> {
  const found: z.output<Item>[] = [];
  for (const [index, item] of items.entries()) {
    if (index > 0 && index % CHECKED_PER_TURN === 0) await nextTurn();
    const parsed = schema.safeParse(item);
    if (parsed.success) found.push(parsed.data);
  }
  return found;
}
