import { PanelError, type ErrorCode } from '../../../shared/error-codes.ts';
import { abortable } from '../wait.ts';
import type { ServerProtocol, SupervisedServer, SupervisedServers } from './supervised-server.ts';
import type { MayStart } from './waiter.ts';

interface UpServer {
  readonly server: SupervisedServer;
  readonly protocol: ServerProtocol;
}

interface Waiting {
  readonly name: string;
  readonly servers: SupervisedServers;
  readonly signal: AbortSignal;
  /** Default: true. */
  readonly mayStart?: MayStart;
}

/**
 * Resolves with what `use` made of a server that is up; it is called in the very moment in which the server was seen up,
 * because a stop that comes between look and use would be missed. A stopped one is started where `mayStart` allows it,
 * unless the panel stopped it for a limit. A restart or stop under way is waited for and never interfered with, so that
 * callers cannot outrun the restart policy or a person.
 * @throws PanelError SERVER_UNKNOWN, STOPPED (meanwhile, or by the configuration), why the start under way failed, or
 * why the server was given up, what `use` throws; `signal.reason` when aborted, and what was begun goes on
 */
export async function whenUp<T>(
  { name, servers, signal, mayStart = true }: Waiting,
  use: (up: UpServer) => T | Promise<T>,
): Promise<T> {
  for (let hasWaited = false; ; hasWaited = true) {
    signal.throwIfAborted();
    const server = servers.get(name);
    const protocol = server.connection;
    if (protocol) return use({ server, protocol });
    if (!hasWaited) checkMayStart(server, mayStart);
    await step(server, servers, signal, hasWaited);
  }
}

/**
 * `whenUp` for who needs a process beside the server's own run, and does not wait for that: a stopped server is started
 * beside it, so that its state tells that it is in use. Where its last start failed, or it is being stopped, the restart
 * policy and the person have the first word.
 * @throws as `whenUp`
 */
export async function whenInUse<T>(
  waiting: Waiting,
  use: (server: SupervisedServer) => T | Promise<T>,
): Promise<T> {
  const { name, servers, signal, mayStart = true } = waiting;
  signal.throwIfAborted();
  const server = servers.get(name);
  const isFirstStart = server.stateKind === 'starting' && server.view().lastError === undefined;
  if (isFirstStart) return use(server);
  if (server.stateKind !== 'stopped') return whenUp(waiting, (up) => use(up.server));
  checkMayStart(server, mayStart);
  requireStartable(server);
  // It has its own way of telling how that ended.
  server.start('configuration').catch(() => undefined);
  return use(server);
}

/** @throws PanelError STOPPED, or why the panel stopped it, unless the server is up, comes up by itself, or may be started */
export function checkMayStart(server: SupervisedServer, mayStart: MayStart): void {
  if (mayStart === true) return;
  const { name, wasStopped, stateKind } = server;
  if (wasStopped)
    throw server.view().state.reason === undefined ? stopped(name, 'was stopped') : stoppedByPanel(server);
  if (!mayStart && stateKind === 'stopped') throw stopped(name, 'was not started');
}

/** The connection of a server that is up, or about to be; a stopped one is left alone. @throws as `whenUp` */
export async function whenUpAgain(
  name: string,
  servers: SupervisedServers,
  signal: AbortSignal,
): Promise<ServerProtocol> {
  if (servers.get(name).stateKind === 'stopped') throw stopped(name, 'is stopped');
  return whenUp({ name, servers, signal }, ({ protocol }) => protocol);
}

async function step(
  server: SupervisedServer,
  servers: SupervisedServers,
  signal: AbortSignal,
  hasWaited: boolean,
): Promise<void> {
  switch (server.stateKind) {
    case 'failed':
      throw givenUp(server);
    case 'stopped':
      if (hasWaited) throw stopped(server.name, 'was stopped');
      requireStartable(server);
      return started(server, signal);
    case 'starting':
      return started(server, signal);
    case 'running':
    case 'suspect':
    case 'stalled':
    case 'stopping':
    case 'backoff':
      return stateChange(server.name, servers, signal);
  }
}

/** @throws PanelError why a stopped server is not to be started by whoever uses it */
function requireStartable(server: SupervisedServer): void {
  if (server.view().state.reason !== undefined) throw stoppedByPanel(server);
  if (!server.config.enabled) throw stopped(server.name, 'is disabled in servers.json');
}

/** Waits for the start. A later command may take its place, which is no error here, because the state says what became of it. */
async function started(server: SupervisedServer, signal: AbortSignal): Promise<void> {
  try {
    await abortable(server.start(), signal);
  } catch (error) {
    if (!(error instanceof PanelError) || error.code !== 'SUPERSEDED') throw error;
  }
}

async function stateChange(name: string, servers: SupervisedServers, signal: AbortSignal): Promise<void> {
  let undo: () => void = () => undefined;
  const changed = new Promise<void>((resolve) => {
    undo = servers.onStateChange((changedName) => {
      if (changedName === name) resolve();
    });
  });
  try {
    await abortable(changed, signal);
  } finally {
    undo();
  }
}

function givenUp(server: SupervisedServer): PanelError {
  const { lastError } = server.view();
  const code: ErrorCode = lastError?.code ?? 'START_FAILED';
  const why = lastError?.message ?? 'it did not start';
  return new PanelError(code, `${server.name} was given up: ${why}`, {
    remedy: lastError?.remedy ?? 'Start it in MCP Control Panel once its trouble is mended.',
  });
}

function stoppedByPanel(server: SupervisedServer): PanelError {
  const { lastError, state } = server.view();
  return new PanelError(lastError?.code ?? 'STOPPED', `${server.name} was stopped: ${state.reason ?? ''}`, {
    remedy: lastError?.remedy ?? 'Start it in MCP Control Panel.',
  });
}

export function stopped(name: string, how: string): PanelError {
  return new PanelError('STOPPED', `${name} ${how}.`, { remedy: 'Start it in MCP Control Panel.' });
}
