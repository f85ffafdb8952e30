import { createHash } from 'node:crypto';
import { connectionFields, type ServerConfig } from '../../../shared/server-config.ts';
import { canonicalJson } from './canonical-json.ts';

/**
 * Identity for sharing: equal for two configurations exactly when they reach the same server in the same way for the
 * same tenant. Name and `panel` settings are no part of it. 64 hexadecimal digits, from which no secret can be read.
 */
export function serverKey(config: ServerConfig, scope: string | undefined = config.scope): string {
  const identity = canonicalJson({ connection: connectionFields(config), scope: scope ?? null });
  return createHash('sha256').update(identity).digest('hex');
}
