import type { z } from 'zod';
import {
  offerLists,
  offerSchema,
  type Offer,
  type OfferFailure,
  type OfferInTexts,
  type OfferList,
  type OfferPart,
} from '../../../../shared/domain.ts';
import { toErrorReport } from '../../../../shared/error-codes.ts';
import { nextTurn } from '../../next-turn.ts';
import { readListPages, TURN_CHARACTERS, OfferBudget } from './list-pages.ts';
import type { ServerProtocol } from '../supervised-server.ts';

type Asker = Pick<ServerProtocol, 'capabilities' | 'requestRaw'>;

/** Result of reading one list. If there is an error, `items` contains the items that were read before it. */
interface Listing {
  readonly list: OfferList;
  readonly items: readonly unknown[];
  /** Number of items that the server has, or at least has if `isAtLeast` is set. Present only if not all of them are kept. */
  readonly total?: number;
  readonly isAtLeast?: boolean;
  readonly error?: unknown;
  /** True if even the first page failed, so that nothing is known of the list. */
  readonly isLost?: boolean;
}

/** Number of items that are validated in one event-loop tick. */
const CHECKED_PER_TURN = 100;

/**
 * Reads all lists of a server (its offer), within limits. A list that the server lacks is empty. A list that could not be read
 * is named in `failures`, and the others are returned nevertheless. A truncated list is named in `parts`.
 * @throws PanelError with the cause of the first list, when all failed
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

/** Serializes a server's lists for the app window. Each text is short enough to be produced in one event-loop tick. */
export async function inTexts({ failures, parts, ...lists }: Offer): Promise<OfferInTexts> {
  const texts: string[] = [];
  for (const list of offerLists) {
    let items: string[] = [];
    let characters = 0;
    for (const [index, item] of lists[list].entries()) {
      const text = JSON.stringify(item);
      items.push(text);
      characters += text.length;
      if (characters < TURN_CHARACTERS && index < lists[list].length - 1) continue;
      texts.push(`{"${list}":[${items.join()}]}`);
      [items, characters] = [[], 0];
      await nextTurn();
    }
  }
  return { texts, ...(failures && { failures }), ...(parts && { parts }) };
}

function listsOf({ capabilities: { tools, prompts, resources } }: Asker): readonly OfferList[] {
  return [
    ...(tools ? (['tools'] as const) : []),
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources', 'resourceTemplates'] as const) : []),
  ];
}

async function readList(protocol: Asker, list: OfferList, budget: OfferBudget): Promise<Listing> {
  const items: unknown[] = [];
  const end = await readListPages(protocol, list, budget, (item) => items.push(item));
  const { total, isWhole, hasMore, isMissing, ...failure } = end;
  if (isMissing) return { list, items };
  return { list, items, ...(!isWhole && { total, isAtLeast: hasMore }), ...failure };
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
