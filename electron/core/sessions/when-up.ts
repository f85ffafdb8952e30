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
  /** Whether the server may be started. Default: true. */
  readonly mayStart?: MayStart;
}

/**
 * Resolves with the result of `use`, which is called when the server is up. The check and the call happen in the same
 * event-loop tick, because a stop in between would go unnoticed. A stopped server is started if `mayStart` allows it, unless
 * the panel stopped it because of a limit. A restart or stop in progress is awaited but not changed, so that callers cannot
 * bypass the restart policy or the user. @throws PanelError SERVER_UNKNOWN, STOPPED (if the server is stopped during the wait
 * or disabled in the configuration), the cause of the failed start, or the reason why the panel no longer restarts the server;
 * errors of `use`; `signal.reason` when aborted, which does not cancel a start
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
 * Works like `whenUp`, for a caller that needs a replica: it does not wait until the main instance is up. A main instance that
 * is stopped or asleep is started too, so that the server's state shows that it is in use. If its last start failed, or it is
 * being stopped, this function waits like `whenUp`, because the restart policy and the user decide.
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
  if (!['stopped', 'asleep'].includes(server.stateKind)) return whenUp(waiting, (up) => use(up.server));
  checkMayStart(server, mayStart);
  requireStartable(server);
  // A failed start is ignored here, because the server reports it in its state.
  server.start('configuration').catch(() => undefined);
  return use(server);
}

/**
 * Checks that the server is up, comes up automatically, or may be started. @throws PanelError STOPPED, or the reason why the
 * panel stopped it
 */
export function checkMayStart(server: SupervisedServer, mayStart: MayStart): void {
  if (mayStart === true) return;
  const { name, sleeps, wasStopped, stateKind } = server;
  if (wasStopped)
    throw server.view().state.reason === undefined ? stopped(name, 'was stopped') : stoppedByPanel(server);
  if (sleeps && !mayStart) throw stopped(name, 'is asleep');
  if (mayStart !== 'unless-stopped' && stateKind === 'stopped') throw stopped(name, 'was not started');
}

/**
 * Returns the connection of a server that is up or starting. A server that is stopped or asleep is not started. @throws as
 * `whenUp`
 */
export async function whenUpAgain(
  name: string,
  servers: SupervisedServers,
  signal: AbortSignal,
): Promise<ServerProtocol> {
  const { sleeps, stateKind } = servers.get(name);
  if (sleeps || stateKind === 'stopped') throw stopped(name, sleeps ? 'is asleep' : 'is stopped');
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
    case 'asleep':
      return started(server, signal);
    case 'running':
    case 'suspect':
    case 'stalled':
    case 'stopping':
    case 'backoff':
      return stateChange(server.name, servers, signal);
  }
}

/**
 * Checks that a call may start the stopped server. @throws PanelError with the reason why the panel stopped it, or because it
 * is disabled
 */
function requireStartable(server: SupervisedServer): void {
  if (server.view().state.reason !== undefined) throw stoppedByPanel(server);
  if (!server.config.enabled) throw stopped(server.name, 'is disabled in servers.json');
}

/**
 * Starts the server and waits for it. Another command, such as a stop, may replace the start. That is not an error here,
 * because the caller checks the server's state next.
 */
async function started(server: SupervisedServer, signal: AbortSignal): Promise<void> {
  try {
    await abortable(server.start('call'), signal);
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
    remedy: lastError?.remedy ?? 'Fix its problem, then start it in MCP Control Panel.',
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
