import { isJsonObject, type JsonObject } from '../../../../../shared/json-object.ts';
import type { AskHint } from '../entry-asks.ts';
import type { FoundServer } from './found-server.ts';

const FOLDER = '${__dirname}';

/** Returns the server of an unpacked bundle's `manifest.json` (.mcpb). The user is asked for its folder and settings. */
export function serverOfManifest(manifest: JsonObject, { command, args, env }: JsonObject): FoundServer {
  const { name, display_name: title, user_config: settings } = manifest;
  const hints = isJsonObject(settings)
    ? Object.entries(settings).map(([key, setting]): [string, AskHint] => [
        `\${user_config.${key}}`,
        hintOf(setting),
      ])
    : [];
  return {
    name:
      ([name, title].find((text) => typeof text === 'string' && text !== '') as string | undefined) ??
      'server',
    client: { command, args, env },
    hints: new Map([
      ...hints,
      [FOLDER, { description: 'Folder into which the bundle was unpacked', kind: 'path' }],
    ]),
  };
}

function hintOf(setting: unknown): AskHint {
  if (!isJsonObject(setting)) return {};
  const { title, sensitive, type, default: suggestion } = setting;
  return {
    ...(typeof title === 'string' && { description: title }),
    ...(typeof sensitive === 'boolean' && { isSecret: sensitive }),
    ...(typeof suggestion === 'string' && { suggestion }),
    ...((type === 'directory' || type === 'file') && { kind: 'path' as const }),
  };
}
