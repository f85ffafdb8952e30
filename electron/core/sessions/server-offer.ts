import type { z } from 'zod';
import { offerSchema, type Offer, type OfferFailure, type OfferList } from '../../../shared/domain.ts';
import { PanelError, toErrorReport } from '../../../shared/error-codes.ts';
import type { ServerProtocol } from './supervised-server.ts';

/** A server that never ends its list is cut off here. */
const MAX_PAGES = 50;
/** Lists are short work; who looks at them should not wait for the deadline of a call. */
const LIST_TIMEOUT_MS = 15_000;
/** JSON-RPC: the server does not know the method. */
const METHOD_NOT_FOUND = -32_601;

type Asker = Pick<ServerProtocol, 'capabilities' | 'request'>;

/** What came of one list. With an error, `items` is what came before it. */
interface Listing {
  readonly list: OfferList;
  readonly items: readonly unknown[];
  readonly error?: unknown;
  /** Not even its first page came. */
  readonly isLost?: boolean;
}

const methods = {
  tools: 'tools/list',
  prompts: 'prompts/list',
  resources: 'resources/list',
  resourceTemplates: 'resources/templates/list',
} as const satisfies Record<OfferList, string>;

/**
 * Everything a server says it offers. A list that it does not have is empty; one that fails is among the `failures`,
 * and does not hide the others.
 * @throws PanelError why the first list failed, when no list came
 */
export async function readOffer(protocol: Asker): Promise<Offer> {
  const listings = await Promise.all(listsOf(protocol).map((list) => readList(protocol, list)));
  const [first] = listings;
  if (first && listings.every(({ isLost }) => isLost)) throw first.error;
  const { tools, prompts, resources, resourceTemplates } = offerSchema.shape;
  const itemsOf = (wanted: OfferList) => listings.find(({ list }) => list === wanted)?.items ?? [];
  const failures = listings.flatMap(failureOf);
  return {
    tools: valid(tools.element, itemsOf('tools')),
    prompts: valid(prompts.element, itemsOf('prompts')),
    resources: valid(resources.element, itemsOf('resources')),
    resourceTemplates: valid(resourceTemplates.element, itemsOf('resourceTemplates')),
    ...(failures.length > 0 && { failures }),
  };
}

function listsOf({ capabilities: { tools, prompts, resources } }: Asker): readonly OfferList[] {
  return [
    ...(tools ? (['tools'] as const) : []),
    ...(prompts ? (['prompts'] as const) : []),
    ...(resources ? (['resources', 'resourceTemplates'] as const) : []),
  ];
}

async function readList(protocol: Asker, list: OfferList): Promise<Listing> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    try {
      const result = await readPage(protocol, list, cursor);
      items.push(...result.items);
      cursor = result.nextCursor;
    } catch (error) {
      if (isMissing(list, error)) return { list, items };
      return { list, items, error, isLost: page === 0 };
    }
    if (cursor === undefined || cursors.has(cursor)) break;
    cursors.add(cursor);
  }
  return { list, items };
}

/** @throws PanelError why the request failed, PROTOCOL_ERROR when the answer holds no list */
async function readPage(
  protocol: Asker,
  list: OfferList,
  cursor: string | undefined,
): Promise<{ items: readonly unknown[]; nextCursor: string | undefined }> {
  const method = methods[list];
  const params = cursor === undefined ? {} : { cursor };
  const result = await protocol.request(method, params, { timeoutMs: LIST_TIMEOUT_MS });
  const { [list]: items, nextCursor } = result;
  if (!Array.isArray(items))
    throw new PanelError('PROTOCOL_ERROR', `The answer to ${method} holds no list "${list}".`);
  return {
    items: items as readonly unknown[],
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

function valid<Item extends z.ZodType>(schema: Item, items: readonly unknown[]): z.output<Item>[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
