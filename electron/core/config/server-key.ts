import { createHash } from 'node:crypto';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { isJsonObject } from '../../../shared/json-object.ts';

/**
 * Identity for sharing: equal for two configurations exactly when they reach the same server in the same way for the
 * same tenant. Name and `panel` settings are no part of it. 64 hexadecimal digits, from which no secret can be read.
 */
export function serverKey(config: ServerConfig, scope: string | undefined = config.scope): string {
  const identity = canonicalJson({ connection: connectionFields(config), scope: scope ?? null });
  return createHash('sha256').update(identity).digest('hex');
}

/** JSON with the keys of every object sorted, so that the order in which they were written does not matter. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isJsonObject(part) ? Object.fromEntries(Object.entries(part).sort(byKey)) : part,
  );
}

/** Sorting is by code unit, because the order must not depend on the language of the machine. */
function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
