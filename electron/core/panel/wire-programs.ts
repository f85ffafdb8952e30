import { join } from 'node:path';
import { readsMetricsOnly } from '../../../shared/gateway-use.ts';
import { thisMachine } from '../config/import/this-machine.ts';
import type { IssuedAccess } from '../config/moving/client-mover.ts';
import { MovedFile } from '../config/moving/moved-file.ts';
import type { ClientRegistry } from '../gateway/auth/client-registry.ts';
import type { OpenedFiles } from './open-files.ts';
import type { ControlPanelOptions } from './panel-options.ts';
import type { GatewayTopic } from './topics/gateway.ts';
import { ProgramsTopic } from './topics/programs.ts';

/** Builds what moves servers of other programs to the panel. */
export function wirePrograms(
  options: ControlPanelOptions,
  { clients, notice, ownEndpoint, servers }: OpenedFiles,
  gateway: GatewayTopic,
): ProgramsTopic {
  const { clock, wallClock, home: folder, importEnvironment: env } = options;
  const { bridge, copiesOf, loginPath, parentEnvironment: parent, userHome } = options;
  return new ProgramsTopic({
    ...{ env, bridge, copiesOf, notice },
    clock: {
      now: () => clock.now(),
      setTimeout: (task, delayMs) => clock.setTimeout(task, delayMs),
      epochMs: () => wallClock.epochMs(),
    },
    moved: new MovedFile(join(folder, 'moved.json')),
    isOwnEndpoint: ownEndpoint.isOwn,
    machine: () => thisMachine({ parent, loginPath, clock, userHome, folder }),
    servers: {
      current: () => servers.current.servers,
      putAll: (entries) => servers.putAll(entries),
      remove: (name) => servers.remove(name),
    },
    issue: (label, text, names) => issueAccess(clients, label, text, names),
    gateway: () => gateway.status(),
  });
}

const TOKENS = /mcpcp_[\w-]{43}/g;

/** Takes a token that stands in the text and reaches the servers, or makes a client with the program's name. */
async function issueAccess(
  clients: ClientRegistry,
  label: string,
  text: string,
  servers: readonly string[],
): Promise<IssuedAccess> {
  for (const token of new Set(text.match(TOKENS))) {
    const client = clients.authenticate(token);
    if (client === undefined || readsMetricsOnly(client)) continue;
    if (servers.every((name) => client.servers?.includes(name) ?? true)) return { token };
  }
  const taken = new Set(clients.list().map(({ name }) => name));
  let name = label;
  for (let count = 2; taken.has(name); count += 1) name = `${label} ${count}`;
  const { id, token } = await clients.create({ name });
  return { token, undo: () => clients.revoke(id) };
}
