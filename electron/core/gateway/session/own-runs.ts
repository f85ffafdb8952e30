import { PanelError } from '../../../../shared/error-codes.ts';
import { OWN_RUN_HEADER, type GatewayReply, type InboundMessage } from '../types.ts';
import { wireErrorOf } from './answers.ts';

interface OwnRunsOptions {
  /** Returns a new unguessable token at each call. */
  readonly createToken: () => string;
  /** Returns true if the server is up, so that a request to it does not wait for a start. */
  readonly isUp: (server: string) => boolean;
  readonly redact: (text: string) => string;
}

interface Waiting {
  readonly from: string;
  readonly to: string;
  readonly reply: GatewayReply;
}

const REMEDY = 'Enter the command or the address of the server itself in its configuration.';
/** Matches the suffix of an instance name such as `name#2`: a replica, or another connection of the same server. */
const FURTHER = /#\d+$/;

/**
 * Detects requests that servers of this panel send to the panel's own gateway. The panel adds a header with the server's token
 * to each request to a remote server; a server that forwards the request passes the header on. A request that would make
 * servers wait for each other in a ring is refused immediately. A request without the header, or from a program with its own
 * connection, looks like any client's request.
 */
export class OwnRuns {
  readonly #options: OwnRunsOptions;
  readonly #tokens = new Map<string, string>();
  readonly #servers = new Map<string, string>();
  /** Open requests that servers of this panel have sent to the gateway. */
  #waiting: readonly Waiting[] = [];

  constructor(options: OwnRunsOptions) {
    this.#options = options;
  }

  /**
   * Returns headers to add to each request to this remote server. A server that forwards the request passes their token on,
   * which shows who sent it. The token is random and new for each app run, so that it reveals nothing.
   */
  headersOf(instance: string): Readonly<Record<string, string>> {
    const server = instance.replace(FURTHER, '');
    let token = this.#tokens.get(server);
    if (token === undefined) {
      token = this.#options.createToken();
      this.#tokens.set(server, token);
      this.#servers.set(token, server);
    }
    return { [OWN_RUN_HEADER]: token };
  }

  /**
   * Answers a request with an error and returns true if it would make servers wait for each other in a ring; otherwise returns
   * false. @param ownRun token of the server that sends the request
   */
  refuses(ownRun: string, server: string, { id, method }: InboundMessage, reply: GatewayReply): boolean {
    const from = this.#servers.get(ownRun);
    const isRequest = id !== undefined && method !== undefined;
    const ring = from !== undefined && isRequest ? this.#ringOf(from, server, reply) : undefined;
    if (!ring) return false;
    const words = `"${server}" waits for itself: ${ring.join(' → ')}`;
    const error = new PanelError('START_FAILED', words, { remedy: REMEDY });
    reply.end({ jsonrpc: '2.0', id, error: wireErrorOf(error, server, this.#options.redact) });
    return true;
  }

  /**
   * Returns the names of the servers that would wait for each other in a ring, with the first name repeated at the end. If
   * there is no ring, records the request as waiting and returns undefined.
   */
  #ringOf(from: string, to: string, reply: GatewayReply): readonly string[] | undefined {
    if (from === to) return [from, to];
    this.#waiting = this.#waiting.filter((one) => one.reply.isOpen);
    const way = this.#options.isUp(to) ? undefined : this.#wayBetween(to, from, new Set());
    if (way) return [from, ...way];
    this.#waiting = [...this.#waiting, { from, to, reply }];
    return undefined;
  }

  #wayBetween(from: string, to: string, seen: Set<string>): readonly string[] | undefined {
    if (from === to) return [to];
    seen.add(from);
    for (const next of this.#waiting) {
      if (next.from !== from || seen.has(next.to)) continue;
      const rest = this.#wayBetween(next.to, to, seen);
      if (rest) return [from, ...rest];
    }
    return undefined;
  }
}
