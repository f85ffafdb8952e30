import { createHash } from 'node:crypto';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { isJsonObject } from '../../../shared/json-object.ts';

/**
 * Returns the identity of a server, by which clients can share it: it is equal for two configurations if and only if both reach
 * the same server in the same way for the same tenant (`scope`). The name and the `panel` settings do not matter. The result
 * has 64 hexadecimal digits. It must be kept only in memory, because a short secret in the configuration could be found by
 * trying. Files in the data folder therefore contain `SessionIds.nameOf` of the identity instead.
 */
export function serverKey(config: ServerConfig, scope: string | undefined = config.scope): string {
  const identity = canonicalJson({ connection: connectionFields(config), scope: scope ?? null });
  return createHash('sha256').update(identity).digest('hex');
}

/** Returns a cached `serverKey` for callers that ask repeatedly about the same configurations, such as for each call. */
export function serverKeys(): (config: ServerConfig) => string {
  const known = new WeakMap<ServerConfig, string>();
  return (config) => {
    const key = known.get(config) ?? serverKey(config);
    known.set(config, key);
    return key;
  };
}

/** Returns JSON with the keys of every object sorted, so that their original order does not matter. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );
}

/** Compares keys by code unit, because the order must not depend on the machine's locale. */
function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
