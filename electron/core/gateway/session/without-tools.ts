import { isJsonObject } from '../../../../shared/json-object.ts';

/** Returns the list of tools without those that are hidden from the client; the same object if it sees all. */
export function withoutTools(list: unknown, hidden: ReadonlySet<string> | undefined): unknown {
  if (hidden === undefined || !isJsonObject(list) || !Array.isArray(list['tools'])) return list;
  const tools = (list['tools'] as unknown[]).filter(
    (tool) => !isJsonObject(tool) || typeof tool['name'] !== 'string' || !hidden.has(tool['name']),
  );
  return { ...list, tools };
}
