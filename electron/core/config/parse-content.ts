import { basename, dirname } from 'node:path';
import type { FileContent } from '../files/file-content.ts';
import type { IsOwnEndpoint } from './own-endpoint.ts';
import { resolveFrom } from './resolve-path.ts';
import { parseServers, type PanelDefaults, type ParsedServers } from './parse-servers.ts';

/** Parses the content of servers.json; content that is no text is `broken`. Relative paths start at its folder. Never throws. */
export function parseServersContent(
  path: string,
  content: FileContent,
  defaults?: PanelDefaults,
  isOwnEndpoint?: IsOwnEndpoint,
): ParsedServers {
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
      return parseServers(
        content.text,
        (written) => resolveFrom(dirname(path), written),
        defaults,
        isOwnEndpoint,
      );
  }
}
