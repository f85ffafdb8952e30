import { createHash } from 'node:crypto';
import { isJsonObject, type JsonObject } from '../../../../shared/json-object.ts';
import { canonicalJson } from '../../config/canonical-json.ts';

/** A tool as clients see it. */
export interface KnownTool {
  /** Hash of what a model and a person go by: title, description, schemas, hints. */
  readonly digest: string;
  readonly description: string | undefined;
  /** Whether it may destroy something: by its own word, or because it does not say that it only reads. */
  readonly isMarked: boolean;
}

/** Longest list in bytes that is parsed in one event-loop tick. */
const MAX_PARSED_BYTES = 512 * 1024;

/** Tools by name, parsed once for each list. */
export class KnownTools {
  readonly #lists = new WeakMap<Buffer, ReadonlyMap<string, KnownTool>>();

  /** @param result result of `tools/list` as JSON; a longer one than 512 KiB counts as unknown */
  in(result: Buffer | undefined): ReadonlyMap<string, KnownTool> {
    if (result === undefined || result.length > MAX_PARSED_BYTES) return new Map();
    const known = this.#lists.get(result);
    if (known) return known;
    const { tools } = JSON.parse(result.toString()) as { tools?: unknown };
    const found = new Map(
      (Array.isArray(tools) ? tools : []).flatMap((tool: unknown) =>
        isJsonObject(tool) && typeof tool['name'] === 'string' ? [[tool['name'], knownTool(tool)]] : [],
      ),
    );
    this.#lists.set(result, found);
    return found;
  }
}

function knownTool(tool: JsonObject): KnownTool {
  const { description } = tool;
  const hints = isJsonObject(tool['annotations']) ? tool['annotations'] : {};
  const isHarmless = hints['destructiveHint'] === false || hints['readOnlyHint'] === true;
  return {
    digest: digestOf(tool),
    description: typeof description === 'string' ? description : undefined,
    isMarked: hints['destructiveHint'] === true || !isHarmless,
  };
}

function digestOf({ title, description, inputSchema, outputSchema, annotations }: JsonObject): string {
  const said = { title, description, inputSchema, outputSchema, annotations };
  return createHash('sha256').update(canonicalJson(said)).digest('hex');
}
