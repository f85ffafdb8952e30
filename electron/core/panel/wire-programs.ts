import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Bridge } from '../../../shared/ipc/topics/programs.ts';
import { readsMetricsOnly } from '../../../shared/gateway-use.ts';
import { thisMachine } from '../config/import/this-machine.ts';
import { createCopyFinder } from '../config/moving/copies/running-copies.ts';
import type { IssuedAccess } from '../config/moving/client-mover.ts';
import type { ImportMachine } from '../config/import/machine-check.ts';
import { MovedFile } from '../config/moving/moved-file.ts';
import { programSearch } from '../platform/program-search.ts';
import type { ClientRegistry } from '../gateway/auth/client-registry.ts';
import type { PanelBase } from './panel-base.ts';
import type { GatewayTopic } from './topics/gateway.ts';
import { ProgramsTopic } from './topics/programs.ts';

/** Builds what moves servers of other programs to the panel. */
export function wirePrograms(
  { options, files: { clients, notice, ownEndpoint, servers } }: PanelBase,
  gateway: GatewayTopic,
): ProgramsTopic {
  const { clock, wallClock, home: folder, importEnvironment: env } = options;
  const { bridgeScript, ownPid, table } = options;
  const machine = () => thisMachine(options);
  return new ProgramsTopic({
    ...{ env, notice },
    copiesOf: createCopyFinder({ processTable: table, ownPids: () => [ownPid] }),
    bridge: () => findBridge(bridgeScript, folder, machine),
    clock: {
      now: () => clock.now(),
      setTimeout: (task, delayMs) => clock.setTimeout(task, delayMs),
      epochMs: () => wallClock.epochMs(),
    },
    moved: new MovedFile(join(folder, 'moved.json')),
    isOwnEndpoint: ownEndpoint.isOwn,
    machine,
    servers: {
      current: () => servers.current.servers,
      putAll: (entries) => servers.putAll(entries, 'move'),
      remove: (name) => servers.remove(name),
    },
    issue: (label, text, names) => issueAccess(clients, label, text, names),
    gateway: () => gateway.status(),
  });
}

/** Finds the user's Node, on which the bridge runs; undefined without Node, or where the bridge is not built. */
async function findBridge(
  script: string | undefined,
  home: string,
  machine: () => Promise<ImportMachine>,
): Promise<Bridge | undefined> {
  if (script === undefined || !existsSync(script)) return undefined;
  const { environment, findProgram } = await machine();
  const found = await findProgram?.(programSearch('node', environment, process.platform));
  if (found === undefined || !('file' in found)) return undefined;
  return { command: found.file, args: [script, 'connect'], env: { MCP_CONTROL_PANEL_HOME: home } };
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
