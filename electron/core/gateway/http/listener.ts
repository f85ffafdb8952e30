import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import type { Clock } from '../../clock.ts';
import { errnoOf } from '../../errno.ts';
import { delay } from '../../wait.ts';
import { createServer as createTcpServer, Server as NetServer } from 'node:net';

/** Handler of the requests of a listener. */
export interface RequestTaker {
  /** @param expectsContinue the sender waits for `100 Continue` before it sends its body */
  take(req: IncomingMessage, res: ServerResponse, expectsContinue: boolean): void;
  /** Handles input that is not an HTTP request, or a request that took too long. */
  broken(error: Error, socket: Duplex): void;
  /** Called after a connection beyond the limit of connections was closed. */
  dropped(): void;
}

export interface ListenerOptions {
  /** Port to listen on; 0 for any free one. */
  readonly port: number;
  readonly taker: RequestTaker;
  readonly maxConnections: number;
  /** Milliseconds that a sender has for a whole request, including its body. */
  readonly slowSenderMs: number;
}

/**
 * Default number of milliseconds that a sender has for a whole request. Node.js checks this time at intervals; even with one
 * interval added, a slow sender is cut off in less than ten seconds.
 */
export const SLOW_SENDER_MS = 9000;
const IPV4 = '127.0.0.1';
const IPV6 = '::1';
const MAX_HEADER_BYTES = 16 * 1024;
/**
 * Milliseconds for which an idle connection is kept. This is longer than the minute for which clients keep it, because closing
 * it before them would break their next request.
 */
const KEEP_ALIVE_MS = 75_000;
const ANY_PORT_TRIES = 8;
/** Error codes of the system when it has no IPv6, or no IPv6 on its loopback interface. */
const NO_IPV6 = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EINVAL', 'EPROTONOSUPPORT'];

/** Listens on 127.0.0.1 and, if there is IPv6, on ::1. @throws the system's error (EADDRINUSE, EACCES), leaving no socket open */
export async function openListener(options: ListenerOptions): Promise<Listener> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await openBoth(options);
    } catch (error) {
      // With port 0, the system chose a port that is free for IPv4 but taken for IPv6. The next attempt gets another port.
      if (options.port !== 0 || errnoOf(error) !== 'EADDRINUSE' || attempt === ANY_PORT_TRIES) throw error;
    }
  }
}

interface FreeingOptions {
  readonly clock: Clock;
  /** Time for the system to free the port, in ms. */
  readonly withinMs: number;
  readonly retryMs: number;
}

/** Listens on a port that is about to become free. @throws as `openListener` */
export async function openWhenFree(
  options: ListenerOptions,
  { clock, withinMs, retryMs }: FreeingOptions,
): Promise<Listener> {
  for (const untilMs = clock.now() + withinMs; ;) {
    try {
      return await openListener(options);
    } catch (error) {
      if (errnoOf(error) !== 'EADDRINUSE' || clock.now() > untilMs) throw error;
    }
    await delay(clock, retryMs);
  }
}

/** The open sockets of one port. */
export class Listener {
  readonly port: number;
  readonly #servers: readonly Server[];

  constructor(servers: readonly Server[]) {
    this.#servers = servers;
    this.port = portOf(servers[0]);
  }

  /**
   * Frees the port immediately, and lets open connections continue. Resolves when the last of them has ended.
   * `http.Server.close` is not used, because it would end idle connections, to which a client may be writing its next request.
   */
  async stopAccepting(): Promise<void> {
    const ends = this.#servers.map(
      (server) =>
        new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve())),
    );
    await Promise.all(ends);
  }

  /** Stops accepting and closes open connections. */
  async close(): Promise<void> {
    await Promise.all(this.#servers.map(closeServer));
  }
}

async function openBoth(options: ListenerOptions): Promise<Listener> {
  const first = await listen(options, IPV4, options.port);
  try {
    return new Listener([first, await listen(options, IPV6, portOf(first))]);
  } catch (error) {
    if (NO_IPV6.includes(errnoOf(error) ?? '')) return new Listener([first]);
    // Listening on IPv4 only would be unsafe: if another program has this port on IPv6, it would receive the tokens of clients
    // for which `localhost` is the IPv6 address.
    await closeServer(first);
    throw error;
  }
}

function listen(options: ListenerOptions, host: string, port: number): Promise<Server> {
  const server = createHttpServer(options);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true, ipv6Only: host === IPV6 }, () => {
      server.off('error', reject);
      // Errors of the listening socket, for example that the process has no file descriptor left, are ignored: the socket
      // continues to listen.
      server.on('error', () => undefined);
      resolve(server);
    });
  });
}

function createHttpServer({ taker, maxConnections, slowSenderMs }: ListenerOptions): Server {
  const options: ServerOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: slowSenderMs,
    requestTimeout: slowSenderMs,
    connectionsCheckingInterval: Math.min(500, slowSenderMs),
    keepAliveTimeout: KEEP_ALIVE_MS,
    insecureHTTPParser: false,
  };
  const server = createServer(options, (req, res) => taker.take(req, res, false));
  server.maxConnections = maxConnections;
  // There is no timeout, because a stream may be silent for as long as it has no messages.
  server.timeout = 0;
  server.on('checkContinue', (req: IncomingMessage, res: ServerResponse) => taker.take(req, res, true));
  server.on('checkExpectation', (req: IncomingMessage, res: ServerResponse) => taker.take(req, res, true));
  server.on('connect', (_req, socket: Duplex) => taker.broken(new Error('CONNECT'), socket));
  server.on('clientError', (error: Error, socket: Duplex) => taker.broken(error, socket));
  server.on('drop', () => taker.dropped());
  return server;
}

function portOf(server: Server | undefined): number {
  const address = server?.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

const TRIES = 32;
const LAST_PORT = 65_535;

/** Returns the next port above `port` that is free now; undefined if none of the nearest ports is free. Never rejects. */
export async function nextFreePort(port: number): Promise<number | undefined> {
  for (let next = port + 1; next <= Math.min(port + TRIES, LAST_PORT); next += 1)
    if (await isFree(next)) return next;
  return undefined;
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createTcpServer();
    probe.once('error', () => resolve(false));
    probe.listen({ port, host: '127.0.0.1', exclusive: true }, () => probe.close(() => resolve(true)));
  });
}
