import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientView } from '../../shared/gateway.ts';
import type { FoundClient, Move } from '../../shared/ipc/topics/programs.ts';
import { Conversation } from './conversation.ts';
import { FaultyServer, Panel } from './faulty-server.ts';
import { createHome, type OwnHome } from './own-home.ts';
import { SERVER, type Program } from './programs.ts';
import { probe, type Report, type Seen } from './scenarios.ts';
import { ScriptedModel } from './scripted-model.ts';

interface MovingOptions {
  readonly program: Program;
  /** Path of the installed program. */
  readonly command: string;
  /** File that takes what it writes. */
  readonly output: string;
  readonly folder: string;
  /** Marks the processes of the program. */
  readonly id: string;
  /** Marks those of the panel. */
  readonly panelId: string;
}

const CALL_MS = 60_000;
/** Server that the program's own command adds, where it has one. */
const ADDED = 'beta';

/**
 * Moves the servers of one real program to a panel and back, in one home: one server stands in its file, one was added by the
 * program itself. In between the program runs and calls through the panel, and afterwards it runs copies of its own again.
 */
export async function moveAndBack(options: MovingOptions, report: Report): Promise<void> {
  const { program, command, output, folder, id, panelId } = options;
  const server = new FaultyServer(folder, id);
  const model = await ScriptedModel.open();
  const home = createHome(id, program.files({ model: model.url, way: { kind: 'stdio', ...server.command } }));
  const panel = await Panel.create(folder, server, panelId, { servers: {}, env: home.env });
  const run = () => Conversation.inHome({ program, command, output, home, model });
  try {
    const file = join(home.env['HOME'] ?? '', program.config);
    addByProgram(options, home, server);
    const before = readFileSync(file);
    await panel.start();
    const found = await foundIn(panel, program);
    const servers = found.servers.map(({ name, scope }) => ({ name, scope }));
    report('found by the panel', {
      holds: servers.length === (program.add ? 2 : 1) && found.servers.every(({ moved }) => !moved),
      outcome: servers.map(({ name, scope }) => `${name} (${scope})`).join(', '),
    });
    await move(panel, { client: found.id, servers });
    const isMoved = (await foundIn(panel, program)).servers.every(({ moved }) => moved);
    await panel.call('restoreServers', { client: found.id });
    const isSame = readFileSync(file).equals(before);
    report('put back', { holds: isMoved && isSame, outcome: isSame ? 'byte for byte' : 'changed' });
    await move(panel, { client: found.id, servers });
    report('moved', await callThrough(panel, run));
    await panel.call('restoreServers', { client: found.id });
    await panel.quit();
    const session = await run();
    const answer = await probe(session);
    await session.leave();
    const outcome = answer.isAnswer ? 'works' : String(answer.text);
    report('its own copy again', { holds: answer.isAnswer, outcome });
  } finally {
    await panel.quit();
    home.end();
    model.close();
  }
}

/** Adds a server by the program's own command, as its user would. */
function addByProgram({ program, command }: MovingOptions, home: OwnHome, server: FaultyServer): void {
  if (!program.add) return;
  const { command: bin, args } = server.command;
  const { status, stderr, stdout } = spawnSync(command, program.add(ADDED, bin, args), {
    cwd: home.cwd,
    env: { ...home.env, ...program.environment('http://127.0.0.1:9') },
    encoding: 'utf8',
    timeout: CALL_MS,
  });
  if (status !== 0) throw new Error(`${program.bin} did not add ${ADDED}: ${stderr}${stdout}`);
}

async function foundIn(panel: Panel, { title }: Program): Promise<FoundClient> {
  const clients = (await panel.call('findClients')) as FoundClient[];
  const found = clients.find(({ name }) => name === title);
  if (!found) throw new Error(`${title} is none of ${clients.map(({ name }) => name).join(', ')}`);
  return found;
}

/** Previews the move, and then moves what was shown. */
async function move(panel: Panel, wanted: Move): Promise<void> {
  const { precondition } = (await panel.call('moveServers', wanted)) as { precondition: string };
  await panel.call('moveServers', { ...wanted, commit: precondition });
}

/** Runs the program, and tells whether its call came through the panel. */
async function callThrough(panel: Panel, run: () => Promise<Conversation>): Promise<Seen> {
  const session = await run();
  const hasTool = await session.hasTool('payload');
  const { isAnswer, text } = await probe(session);
  await session.leave();
  const clients = (await panel.call('listClients')) as ClientView[];
  const calls = clients.reduce((sum, client) => sum + client.calls, 0);
  return {
    holds: hasTool && isAnswer && calls > 0,
    outcome: calls > 0 ? `calls ${SERVER} under its old name` : `no call came: ${text}`,
  };
}
