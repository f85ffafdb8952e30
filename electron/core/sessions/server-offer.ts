import type { z } from 'zod';
import { offerSchema, type Offer } from '../../../shared/domain.ts';
import type { ServerProtocol } from './supervised-server.ts';

/** A server that never ends its list is cut off here. */
const MAX_PAGES = 50;
/** Lists are short work; who looks at them should not wait for the deadline of a call. */
const LIST_TIMEOUT_MS = 15_000;

type Asker = Pick<ServerProtocol, 'capabilities' | 'request'>;

/** Everything a server says it offers. A list that it does not have, or that fails, is empty. */
export async function readOffer(protocol: Asker): Promise<Offer> {
  const { tools, prompts, resources } = protocol.capabilities;
  const [toolList, promptList, resourceList, templateList] = await Promise.all([
    tools ? listAll(protocol, 'tools/list', 'tools') : [],
    prompts ? listAll(protocol, 'prompts/list', 'prompts') : [],
    resources ? listAll(protocol, 'resources/list', 'resources') : [],
    resources ? listAll(protocol, 'resources/templates/list', 'resourceTemplates') : [],
  ]);
  return {
    tools: valid(offerSchema.shape.tools.element, toolList),
    prompts: valid(offerSchema.shape.prompts.element, promptList),
    resources: valid(offerSchema.shape.resources.element, resourceList),
    resourceTemplates: valid(offerSchema.shape.resourceTemplates.element, templateList),
  };
}

/** What came before a failure is kept. */
async function listAll(protocol: Asker, method: string, key: keyof Offer): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await protocol
      .request(method, params, { timeoutMs: LIST_TIMEOUT_MS })
      .catch(() => undefined);
    const found = result?.[key];
    if (Array.isArray(found)) items.push(...(found as unknown[]));
    const next = result?.['nextCursor'];
    if (typeof next !== 'string' || cursors.has(next)) break;
    cursors.add(next);
    cursor = next;
  }
  return items;
}

function valid<Item extends z.ZodType>(schema: Item, items: readonly unknown[]): z.output<Item>[] {
  return items.flatMap((item) => {
    const parsed = schema.safeParse(item);
    return parsed.success ? [parsed.data] : [];
  });
}
