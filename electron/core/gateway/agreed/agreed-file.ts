import { parsedJson } from '../../../../shared/parsed.ts';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { changedOfferSchema, type ChangedOffer } from '../../../../shared/offered-tools.ts';
import type { OfferList } from '../../../../shared/domain.ts';
import { jsonObjectSchema } from '../../../../shared/json-object-schema.ts';
import { readContent } from '../../files/file-content.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { OfferedItem } from '../../sessions/offer/offer-items.ts';

/**
 * What the user has accepted of a server's lists (tools, prompts, resources) and instructions: the first list of each kind, and
 * all changes that were accepted later.
 */
export interface AgreedContent {
  /** Version of the server's installed package; undefined if it is not known. */
  installed: string | undefined;
  /** Version of that package before its last update. */
  former: string | undefined;
  readonly lists: Map<OfferList, Map<string, OfferedItem>>;
  /** Accepted instructions of the server from `initialize`. Undefined before the first connection; null if it has none. */
  instructions: string | null | undefined;
  /** Changes of the lists or instructions that clients already see and the user has not looked at yet. */
  shown: readonly ChangedOffer[];
  /** Marks of changed items accepted for one client only, by client id. A mark is the list, the item's id and its text's hash. */
  readonly clients: Map<string, Set<string>>;
}

export const nothingAgreed = (): AgreedContent => ({
  installed: undefined,
  former: undefined,
  lists: new Map(),
  instructions: undefined,
  shown: [],
  clients: new Map(),
});

const MAX_BYTES = 8 * 1024 * 1024;

const itemSchema = z.object({ id: z.string(), hash: z.string(), value: jsonObjectSchema });
const fileSchema = z.object({
  version: z.literal(1),
  installed: z.string().optional(),
  former: z.string().optional(),
  lists: z.array(
    z.tuple([z.enum(['tools', 'prompts', 'resources', 'resourceTemplates']), z.array(itemSchema)]),
  ),
  instructions: z.string().nullable().optional(),
  shown: z.array(changedOfferSchema),
  clients: z.array(z.tuple([z.string(), z.array(z.string())])),
});

/**
 * Reads the accepted content. Returns empty content if the file is missing or does not have the panel's format. Never rejects.
 */
export async function readAgreed(path: string): Promise<AgreedContent> {
  const content = await readContent(path, MAX_BYTES);
  if (content.kind !== 'text') return nothingAgreed();
  const file = fileSchema.safeParse(parsedJson(content.text)).data;
  if (!file) return nothingAgreed();
  const { installed, former, instructions, shown } = file;
  const lists = file.lists.map(
    ([list, items]) => [list, new Map(items.map((item) => [item.id, item as OfferedItem]))] as const,
  );
  const clients = file.clients.map(([id, marks]) => [id, new Set(marks)] as const);
  return { installed, former, lists: new Map(lists), instructions, shown, clients: new Map(clients) };
}

/** @throws FileWriteError */
export async function writeAgreed(path: string, agreed: AgreedContent): Promise<void> {
  const { lists, clients, ...rest } = agreed;
  const content = {
    version: 1,
    ...rest,
    lists: [...lists].map(([list, items]) => [list, [...items.values()]]),
    clients: [...clients].map(([id, marks]) => [id, [...marks]]),
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, `${JSON.stringify(content)}\n`);
}
