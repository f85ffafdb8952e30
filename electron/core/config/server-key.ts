import { createHash } from 'node:crypto';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * Returns the identity for sharing: equal for two configurations exactly when they reach the same server in the same way for the
 * same tenant. Name and `panel` settings do not count. 64 hexadecimal digits, for memory alone:
 * a short secret could be found in them by trying, so files of the home hold `SessionIds.nameOf` it.
 */
export function serverKey(config: ServerConfig, scope: string | undefined = config.scope): string {
  const identity = canonicalJson({ connection: connectionFields(config), scope: scope ?? null });
  return createHash('sha256').update(identity).digest('hex');
}

/** Returns `serverKey` for who asks again and again about the same configurations, such as at each call. */
export function serverKeys(): (config: ServerConfig) => string {
  const known = new WeakMap<ServerConfig, string>();
  return (config) => {
    const key = known.get(config) ?? serverKey(config);
    known.set(config, key);
    return key;
  };
}
