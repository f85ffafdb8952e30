import { createHash } from 'node:crypto';
import type { OfferList } from '../../../../shared/domain.ts';
import { isJsonObject, type JsonObject } from '../../../../shared/json-object.ts';
import { ownValue } from '../../../../shared/own-value.ts';
import { canonicalJson } from '../../config/server-key.ts';

/**
 * Fields that determine what a tool, prompt or resource means to the model and the user. Icons, `_meta` and sizes are left out,
 * because they may change at any time.
 */
export const judgedFields = {
  tools: ['title', 'description', 'inputSchema', 'outputSchema', 'annotations'],
  prompts: ['title', 'description', 'arguments'],
  resources: ['name', 'title', 'description', 'mimeType'],
  resourceTemplates: ['name', 'title', 'description', 'mimeType'],
} as const satisfies Record<OfferList, readonly string[]>;

/** Name of the field that identifies an item within its list. */
const idFields = { tools: 'name', prompts: 'name', resources: 'uri', resourceTemplates: 'uriTemplate' };

/** A tool, prompt or resource as its server described it. */
export interface OfferedItem {
  readonly id: string;
  /** Hash of the fields in `judgedFields`. Keys are sorted; arrays keep their order. */
  readonly hash: string;
  readonly value: JsonObject;
}

/** Returns the items in the result of a list request, by id. Items without an id are left out. */
export function itemsIn(list: OfferList, result: unknown): ReadonlyMap<string, OfferedItem> {
  const items = isJsonObject(result) ? result[list] : undefined;
  const found = (Array.isArray(items) ? items : []).flatMap((value: unknown) => {
    const item = itemOf(list, value);
    return item ? [[item.id, item] as const] : [];
  });
  return new Map(found);
}

export function itemOf(list: OfferList, value: unknown): OfferedItem | undefined {
  if (!isJsonObject(value)) return undefined;
  const id = ownValue(value, idFields[list]);
  if (typeof id !== 'string') return undefined;
  const judged = judgedFields[list].map((field) => [field, value[field]]);
  const hash = createHash('sha256')
    .update(canonicalJson(Object.fromEntries(judged)))
    .digest('hex');
  return { id, hash, value };
}
