import { isJsonObject } from '../../../../shared/json-object.ts';
import { itemsIn, type OfferedItem } from './offer-items.ts';

/** A tool as clients see it. */
export interface KnownTool {
  /** Hash of what models and users rely on: title, description, schemas, hints. */
  readonly digest: string;
  readonly description: string | undefined;
  /** True if the tool may be destructive: its hints say so, or they say neither that it is harmless nor that it only reads. */
  readonly isMarked: boolean;
}

/** Maximum bytes of a list that is parsed in one event-loop tick. */
export const MAX_LIST_BYTES = 512 * 1024;

/** Tools by name, parsed once for each list. */
export class KnownTools {
  readonly #lists = new WeakMap<Buffer, ReadonlyMap<string, KnownTool>>();

  /** Returns a list's tools by name. @param result result of `tools/list` as JSON; no tools are returned if it exceeds 512 KiB */
  in(result: Buffer | undefined): ReadonlyMap<string, KnownTool> {
    if (result === undefined || result.length > MAX_LIST_BYTES) return new Map();
    const known = this.#lists.get(result);
    if (known) return known;
    const items = itemsIn('tools', JSON.parse(result.toString()));
    const found = new Map([...items].map(([name, item]) => [name, knownTool(item)]));
    this.#lists.set(result, found);
    return found;
  }
}

function knownTool({ hash: digest, value: { description, annotations } }: OfferedItem): KnownTool {
  const hints = isJsonObject(annotations) ? annotations : {};
  const isHarmless = hints['destructiveHint'] === false || hints['readOnlyHint'] === true;
  return {
    digest,
    description: typeof description === 'string' ? description : undefined,
    isMarked: hints['destructiveHint'] === true || !isHarmless,
  };
}
