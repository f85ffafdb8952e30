import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  ClientMover,
  type ClientMoverOptions,
} from '../../../../electron/core/config/moving/client-mover.ts';
import { MovedFile } from '../../../../electron/core/config/moving/moved-file.ts';
import { OwnEndpoint } from '../../../../electron/core/config/own-endpoint.ts';
import type { ImportEnvironment } from '../../../../electron/core/config/programs/environment.ts';
import { systemClock } from '../../../../electron/core/platform/system-clock.ts';
import { tempFolder } from '../../../support/temp-folder.ts';
import type { ServerConfig } from '../../../../shared/server-config.ts';
import { configOf } from '../../../support/config-of.ts';

export const TOKEN = `mcpcp_${'a'.repeat(43)}`;
const PORT = 7420;

/** A mover on a home folder of its own that goes with the test, with servers.json and tokens in memory. */
export function testMover(
  changes: Partial<ClientMoverOptions> & { readonly environment?: Partial<ImportEnvironment> } = {},
) {
  const home = tempFolder('moving-');
  const panel = join(home, 'panel');
  mkdirSync(panel);
  const servers = new Map<string, ServerConfig>();
  const issued: string[] = [];
  const env = { home, platform: 'linux' as const, ...changes.environment };
  const moved = new MovedFile(join(panel, 'moved.json'));
  const mover = new ClientMover({
    env,
    clock: systemClock,
    moved,
    isOwnEndpoint: new OwnEndpoint(PORT).isOwn,
    machine: async () => undefined,
    servers: {
      current: () => [...servers.values()],
      putAll: async (entries) => {
        for (const { name, ...entry } of entries) servers.set(name, configOf(entry, name));
      },
      remove: async (name) => void servers.delete(name),
    },
    addressOf: (name) => `http://127.0.0.1:${PORT}/servers/${encodeURIComponent(name)}/mcp`,
    issue: async (label, text) => {
      if (text.includes(TOKEN)) return { token: TOKEN };
      issued.push(label);
      return { token: TOKEN, undo: async () => void issued.pop() };
    },
    ...changes,
  });
  const put = (path: string, text: string): string => {
    // With slashes on Windows as well, because the mover reads the home folder of a Linux.
    const whole = path.startsWith(home) ? path : `${home}/${path}`;
    mkdirSync(dirname(whole), { recursive: true });
    writeFileSync(whole, text);
    return whole;
  };
  return { home, panel, env, mover, moved, servers, issued, put };
}

/** Shows a move and makes it. */
export async function moved(mover: ClientMover, client: string, servers: Parameters<ClientMover['move']>[1]) {
  const { precondition } = await mover.move(client, servers);
  return mover.move(client, servers, precondition);
}
