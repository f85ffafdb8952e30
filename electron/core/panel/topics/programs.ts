import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PanelError } from '../../../../shared/error-codes.ts';
import { readsMetricsOnly, serverAddress } from '../../../../shared/gateway-use.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { Bridge, Move, programsCalls, Restore } from '../../../../shared/ipc/topics/programs.ts';
import type { Disposable } from '../../clock.ts';
import { thisMachine } from '../../config/import/this-machine.ts';
import type { ClientMover, IssuedAccess } from '../../config/moving/client-mover.ts';
import { createCopyFinder } from '../../config/moving/copies/running-copies.ts';
import { MovedFile } from '../../config/moving/moved-file.ts';
import type { ClientRegistry } from '../../gateway/auth/client-registry.ts';
import { programSearch } from '../../platform/program-search.ts';
import type { PanelBase } from '../panel-base.ts';
import type { ControlPanelOptions } from '../panel-options.ts';
import type { GatewayTopic } from './gateway.ts';

/** Requests of the app window about other programs: find servers in their configuration, move them to the panel, or back. */
export class ProgramsTopic implements CallAnswers<typeof programsCalls> {
  readonly #base: PanelBase;
  readonly #gateway: Pick<GatewayTopic, 'status'>;
  readonly #moved: MovedFile;
  #mover: Promise<ClientMover> | undefined;
  #watch: Disposable | undefined;
  #isDisposed = false;

  constructor(base: PanelBase, gateway: Pick<GatewayTopic, 'status'>) {
    this.#base = base;
    this.#gateway = gateway;
    this.#moved = new MovedFile(join(base.options.home, 'moved.json'));
  }

  /** Returns the programs on this machine that use MCP servers, with their servers. @throws CONFIG_BROKEN for moved.json */
  async find() {
    return (await this.#ready()).find();
  }

  /**
   * Returns the servers that other programs start themselves instead of through the panel. @throws CONFIG_BROKEN for moved.json
   */
  async started() {
    return (await this.#ready()).started();
  }

  /**
   * Moves servers of a program to the panel if `commit` is given; otherwise returns a preview. @throws PORT_UNAVAILABLE while
   * the gateway does not listen; as `ClientMover.move`
   */
  async move({ client, servers, commit, partly }: Move) {
    const { isListening, error } = this.#gateway.status();
    if (!isListening)
      throw new PanelError('PORT_UNAVAILABLE', error?.message ?? 'The endpoint for clients is off.', {
        remedy: 'Switch it on in the settings first, so that the program finds its servers.',
      });
    const moved = await (await this.#ready()).move(client, servers, commit, partly);
    if (commit !== undefined) await this.watch();
    return moved;
  }

  /** Moves servers back into the program's own configuration. @throws CONFIG_BROKEN for moved.json */
  async restore(filter: Restore) {
    return (await this.#ready()).restore(filter);
  }

  /**
   * Finds the Node.js that runs the bridge, the program that connects clients that can only start a program. Undefined if there
   * is no Node.js, or if the bridge has no permanent path.
   */
  findBridge(): Promise<Bridge | undefined> {
    return findBridge(this.#base.options);
  }

  /**
   * Starts to watch the configuration files into which the panel wrote entries, if there are any. Reports an entry that another
   * program overwrites. Never rejects.
   */
  async watch(): Promise<void> {
    const { notice } = this.#base.files;
    const entries = await this.#moved.read().catch((error: unknown) => notice(String(error)));
    if (this.#watch !== undefined || entries === undefined || entries.length === 0) return;
    const { watchForLost } = await import('../../config/moving/lost-watch.ts');
    if (this.#isDisposed) return;
    this.#watch ??= watchForLost({
      moved: this.#moved,
      clock: this.#base.options.clock,
      onLost: ({ name, path }, label) =>
        notice(`${label}: ${name} no longer leads to the panel: ${path} was written by another program`),
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#watch?.dispose();
  }

  #ready(): Promise<ClientMover> {
    return (this.#mover ??= this.#open());
  }

  async #open(): Promise<ClientMover> {
    const { options, files } = this.#base;
    const { clock, wallClock, importEnvironment: env, ownPid, table } = options;
    const { clients, ownEndpoint, servers } = files;
    // The parsers of TOML and YAML are loaded on demand, because otherwise they would slow down every app start.
    const { ClientMover: Mover } = await import('../../config/moving/client-mover.ts');
    return new Mover({
      env,
      copiesOf: createCopyFinder({ processTable: table, ownPids: () => [ownPid] }),
      bridge: () => this.findBridge(),
      clock: {
        now: () => clock.now(),
        setTimeout: (task, delayMs) => clock.setTimeout(task, delayMs),
        epochMs: () => wallClock.epochMs(),
      },
      moved: this.#moved,
      isOwnEndpoint: ownEndpoint.isOwn,
      machine: () => thisMachine(options),
      servers: {
        current: () => servers.current.servers,
        putAll: (entries) => servers.putAll(entries, 'move'),
        remove: (name) => servers.remove(name),
      },
      issue: (label, text, names) => issueAccess(clients, label, text, names),
      addressOf: (server) => serverAddress(this.#gateway.status().url, server),
    });
  }
}

async function findBridge(options: ControlPanelOptions): Promise<Bridge | undefined> {
  const { bridgeScript: script, home } = options;
  if (script === undefined || !existsSync(script)) return undefined;
  const { environment, findProgram } = await thisMachine(options);
  const found = await findProgram?.(programSearch('node', environment, process.platform));
  if (found === undefined || !('file' in found)) return undefined;
  return { command: found.file, args: [script, 'connect'], env: { MCP_CONTROL_PANEL_HOME: home } };
}

const TOKENS = /mcpcp_[\w-]{43}/g;

/**
 * Returns a token for a program. Reuses a token in the program's configuration if it gives access to the servers; otherwise
 * creates a client with the program's name.
 */
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
