import { basename, dirname } from 'node:path';
import { readContent, type FileContent } from './file-content.ts';
import { resolveFrom } from './resolve-path.ts';
import { parseServers, type PanelDefaults, type ParsedServers } from './parse-servers.ts';

/** One look at the file. Content that is no text is `broken` in `parsed`. */
export interface ServersReading {
  readonly content: FileContent;
  readonly parsed: ParsedServers;
}

/** Reads and parses servers.json. Never throws. A relative path in it is relative to its folder. */
export async function readServers(path: string, defaults?: PanelDefaults): Promise<ServersReading> {
  const content = await readContent(path);
  return { content, parsed: parseContent(path, content, defaults) };
}

/** Whether two looks saw the same. */
export function isSameContent(one: FileContent, other: FileContent): boolean {
  if (one.kind !== 'text' || other.kind !== 'text') return one.kind === other.kind;
  return one.text === other.text;
}

function parseContent(path: string, content: FileContent, defaults?: PanelDefaults): ParsedServers {
  const name = basename(path);
  switch (content.kind) {
    case 'gone':
      return {
        kind: 'broken',
        problem: { message: `${name} is gone: expected a file at ${path}, found none` },
      };
    case 'unreadable':
      return { kind: 'broken', problem: { message: `${name} cannot be read: ${content.reason}` } };
    case 'text':
      return parseServers(content.text, (written) => resolveFrom(dirname(path), written), defaults);
  }
}
