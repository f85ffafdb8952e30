import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { join } from 'node:path';
import { gatewayAddress } from '../gateway-client/panel-address.ts';
import { CurrentTask } from '../current-task.ts';
import { createDeferred } from '../deferred.ts';
import { openSessionIds } from '../gateway/auth/session-id.ts';
import type { SessionIds } from '../gateway/auth/session-id.ts';
import { createNonce } from '../gateway/auth/tokens.ts';
import { gatewayLimits } from '../gateway/http/limits.ts';
import {
  type Listener,
  type ListenerOptions,
  openWhenFree,
  type RequestTaker,
  SLOW_SENDER_MS,
} from '../gateway/http/listener.ts';
import { RequestHandler } from '../gateway/http/request-handler.ts';
import { answerTo } from '../mcp/worker/answer.ts';
import type { LongReader } from '../mcp/worker/questions.ts';
import { spawnDetached } from '../platform/detached-process.ts';
import { systemClock as clock } from '../platform/system-clock.ts';
import { delay } from '../wait.ts';
import { Doorkeeper } from './doorkeeper.ts';
import { forward } from './forward.ts';
import { KnownClients } from './known-clients.ts';
import { isAskedToLeave, provesHome } from './leave.ts';
import { Offers } from './offers.ts';
import { readServedServers } from './served-servers.ts';
import type { WallClock } from '../clock.ts';

export interface KeepOptions {
  readonly home: string;
  /** Command that starts the panel without a window; empty if clients may not start it. */
  readonly panelCommand: readonly string[];
  /** Lines from the panel that say how it is about to end: `quit` or `end`. If the stream ends without one, the panel died. */
  readonly stdin: NodeJS.ReadableStream;
  /** Called when the process has begun to wait for the end of the panel. */
  readonly onWaiting: () => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly say: (words: string) => void;
}

/**
 * Milliseconds within which the port of a dead panel must become free. If it does not, the doorkeeper gives up, because another
 * program probably uses the port.
 */
const TAKE_MS = 5000;
const RETRY_MS = 2;
const HOME_LOOK_MS = 30_000;

/**
 * Waits until the panel has ended, and then serves the panel's port until the panel is back. Resolves when the last client
 * connection of this process has ended. Never rejects.
 */
export async function keep(options: KeepOptions): Promise<void> {
  await rehearse(options.home);
  options.onWaiting();
  const last = await lastWord(options.stdin);
  const { port } = gatewayAddress(options.home);
  if (last === 'end' || port === undefined) return;
  try {
    await hold(options, port, last === 'quit');
  } catch (error) {
    options.say(`port ${port} could not be opened: ${String(error)}`);
  }
}

/**
 * Opens and closes a listener once in advance. The first time takes ten times as long as later ones, and when the panel ends,
 * the port must be opened quickly.
 */
async function rehearse(home: string): Promise<void> {
  gatewayAddress(home);
  const listener = await takePort({ port: 0, taker: new Door() }).catch(() => undefined);
  await listener?.close();
}

async function lastWord(stdin: NodeJS.ReadableStream): Promise<string> {
  let text = '';
  try {
    for await (const part of stdin) text += String(part);
  } catch {
    // A broken pipe means the same as a closed pipe: the panel has ended.
  }
  return text.trim().split('\n').at(-1) ?? '';
}

/** Keeps the port until the panel is back. Resolves when its last client connection has ended. @throws the system's error */
async function hold(options: KeepOptions, port: number, hasQuit: boolean): Promise<void> {
  const door = new Door();
  // The port is opened before the files are read, because a client that connects to a closed port gets an error, while one that
  // connects to the open port only waits.
  const listener = await takePort({ port, taker: door });
  const { home, say } = options;
  const sessionIds = await openSessionIds({ home, randomBytes, onProblem: say });
  const { doorkeeper, handler } = await openDoorkeeper(options, { port, hasQuit, sessionIds });
  const isFromPanel = (request: IncomingMessage) => provesHome(request, port, sessionIds, clock.epochMs());
  const isAsked = new AbortController();
  await Promise.race([door.open(handler, isFromPanel), untilGone(home, isAsked.signal)]);
  isAsked.abort();
  // The port is freed before the panel's request to leave is confirmed, so that the panel can open it immediately.
  const isOver = listener.stopAccepting();
  doorkeeper.leave();
  door.confirm();
  await isOver;
}

/** Resolves when the data folder was removed, because then no panel will return for the port. */
async function untilGone(home: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && existsSync(home)) await delay(clock, HOME_LOOK_MS, signal);
}

interface HoldOptions {
  readonly port: number;
  readonly hasQuit: boolean;
  readonly sessionIds: SessionIds;
}

async function openDoorkeeper(
  { home, panelCommand, env, say }: KeepOptions,
  { port, hasQuit, sessionIds }: HoldOptions,
): Promise<{ readonly doorkeeper: Doorkeeper; readonly handler: RequestHandler }> {
  const clients = new KnownClients(home);
  const starter = new PanelStarter({
    home,
    wallClock: clock,
    mayStart: () => panelCommand.length > 0 && gatewayAddress(home).startsWithClients,
    start: () => startPanel(panelCommand, env),
  });
  const doorkeeper = new Doorkeeper({
    clock,
    wallClock: clock,
    createNonce: () => createNonce(randomBytes),
    sessionIds,
    offers: new Offers(home, await readServedServers(home)),
    hiddenFrom: ({ clientId, server }) => clients.hiddenFrom(clientId, server),
    hasQuit: () => hasQuit,
    startPanel: () => starter.wanted(),
    forward: (held, withinMs) =>
      forward({ clock, port, tokenOf: (id) => clients.tokenOf(id) }, held, withinMs),
  });
  const handler = new RequestHandler({
    clock,
    wallClock: clock,
    limits: gatewayLimits,
    clients: {
      authenticate: (token) => clients.authenticate(token),
      seen: () => undefined,
    },
    edge: doorkeeper,
    currentTask: new CurrentTask(clock),
    reader,
    onRefused: () => undefined,
    onFault: (error) => say(String(error)),
  });
  handler.servesPort(port);
  return { doorkeeper, handler };
}

/** Passes client requests to the gateway's handler, but handles the panel's request to leave first. Until `open`, they wait. */
class Door implements RequestTaker {
  readonly #opened = createDeferred<void>();
  readonly #asked = createDeferred<void>();
  readonly #confirmations: ServerResponse[] = [];
  #handler: RequestHandler | undefined;
  #isFromPanel: (request: IncomingMessage) => boolean = () => false;

  /** Passes the waiting requests on. Resolves when the panel asks for the port. */
  open(handler: RequestHandler, isFromPanel: (request: IncomingMessage) => boolean): Promise<void> {
    this.#handler = handler;
    this.#isFromPanel = isFromPanel;
    this.#opened.resolve();
    return this.#asked.promise;
  }

  confirm(): void {
    for (const response of this.#confirmations) response.writeHead(204).end();
  }

  take(request: IncomingMessage, response: ServerResponse, expectsContinue: boolean): void {
    if (!this.#handler) {
      void this.#opened.promise.then(() => this.take(request, response, expectsContinue));
      return;
    }
    // Each connection ends after one response. The client's next request then reaches whichever process has the port, and this
    // process can end, for which all connections must have ended.
    response.setHeader('Connection', 'close');
    if (!isAskedToLeave(request) || !this.#isFromPanel(request))
      return this.#handler.take(request, response, expectsContinue);
    this.#confirmations.push(response);
    this.#asked.resolve();
  }

  broken(error: Error, socket: Duplex): void {
    this.#handler?.broken(error, socket);
  }

  dropped(): void {
    this.#handler?.dropped();
  }
}

/** Opens the listener as soon as the system has freed the port of the dead panel. @throws the system's error */
function takePort(options: Pick<ListenerOptions, 'port' | 'taker'>): Promise<Listener> {
  const bounds = { maxConnections: gatewayLimits.connections, slowSenderMs: SLOW_SENDER_MS };
  return openWhenFree({ ...options, ...bounds }, { clock, withinMs: TAKE_MS, retryMs: RETRY_MS });
}

/** Starts the panel. Resolves when it has ended or could not be started. */
async function startPanel(
  [command = '', ...args]: readonly string[],
  env: KeepOptions['env'],
): Promise<void> {
  const panel = spawnDetached(command, args, { env, platform: process.platform });
  panel.end();
  await panel.ended;
}

/** Reads long request bodies in the main thread, unlike the panel, because no other work here could be delayed for long. */
const reader: LongReader = {
  ask: (parts, question) => Promise.resolve(answerTo(Buffer.concat(parts), question) as never),
};

interface PanelStarterOptions {
  readonly home: string;
  readonly wallClock: WallClock;
  readonly mayStart: () => boolean;
  /** Starts the panel. Resolves when the panel's process has ended. Never rejects. */
  readonly start: () => Promise<void>;
}

/** Maximum number of starts within `WITHIN_MS`, so that a panel that keeps dying is not started endlessly. */
const MAX_STARTS = 3;

const WITHIN_MS = 10 * 60_000;

/**
 * Starts the panel when a client needs it, at most three times in ten minutes. The start times are stored in a file, because
 * each run of the panel has a new doorkeeper process, which must know the earlier starts.
 */
export class PanelStarter {
  readonly #options: PanelStarterOptions;
  #isStarting = false;

  constructor(options: PanelStarterOptions) {
    this.#options = options;
  }

  wanted(): void {
    const { mayStart, start, wallClock } = this.#options;
    if (this.#isStarting) return;
    const nowMs = wallClock.epochMs();
    const recent = this.#read().filter((at) => at <= nowMs && nowMs - at < WITHIN_MS);
    if (recent.length >= MAX_STARTS || !mayStart()) return;
    this.#write([...recent, nowMs]);
    this.#isStarting = true;
    void start().then(() => (this.#isStarting = false));
  }

  get #path(): string {
    return join(this.#options.home, 'doorkeeper-starts');
  }

  #read(): readonly number[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n').filter(Boolean).map(Number);
    } catch {
      return []; // There is no file because no client has made the doorkeeper start the panel yet.
    }
  }

  #write(times: readonly number[]): void {
    try {
      writeFileSync(this.#path, times.join('\n'), { mode: 0o600 });
    } catch {
      // A data folder that cannot be written must not prevent the start of the panel.
    }
  }
}
