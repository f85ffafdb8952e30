import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import type { FoundServer, Refusal } from './found-server.ts';
import { serverOfManifest } from './bundle-manifest.ts';
import { serverOfRegistry } from './registry-entry.ts';

/** Keys of which a description has at least one. */
export const DESCRIBES: ReadonlySet<string> = new Set(['server', 'packages', 'remotes']);

/** Returns the server that its author describes: `server.json` of the registry, or the manifest of a bundle. */
export function describedServer(value: JsonObject): FoundServer | Refusal | undefined {
  const inner = value['server'];
  if (isJsonObject(inner) && isJsonObject(inner['mcp_config']))
    return serverOfManifest(value, inner['mcp_config']);
  const described = isJsonObject(inner) ? inner : value;
  return Array.isArray(described['packages']) || Array.isArray(described['remotes'])
    ? serverOfRegistry(described)
    : undefined;
}
