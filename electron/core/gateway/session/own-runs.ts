import { PanelError } from '../../../../shared/error-codes.ts';

import { OWN_RUN_HEADER, type AdmittedRequest, type Edge, type GatewayReply } from '../types.ts';
import { wireErrorOf } from './answers.ts';

export interface OwnRunsOptions {
  /** Unguessable; a new one at each call. */
  readonly createToken: () => string;
  /** Whether the server can be asked now, so that a request to it waits for no start. */
  readonly isUp: (server: string) => boolean;
  readonly redact: (text: string) => string;
}

interface Waiting {
  readonly from: string;
  readonly to: string;
  readonly reply: GatewayReply;
}

const REMEDY = 'Enter the command or the address of the server itself in its configuration.';
/** `name#2`: a further process or connection of the same server. */
const FURTHER = /#\d+$/;

/**
 * Knows the requests that servers of this panel send to its own gateway: each connection to a remote server names its run
 * with a header, which whoever forwards the request passes on. One that would wait for a server that waits for its sender
 * is refused at once. What strips the header, or is a program with a connection of its own, cannot be told from a client.
 */
export class OwnRuns {
  readonly #options: OwnRunsOptions;
  readonly #tokens = new Map<string, string>();
  readonly #servers = new Map<string, string>();
  /** Requests of own runs that may be open. */
  #waiting: readonly Waiting[] = [];

  constructor(options: OwnRunsOptions) {
    this.#options = options;
  }

  /** What a connection to a remote server sends with each request. Random for each launch, so that it tells others nothing. */
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

  /** The same edge, which refuses what closes a ring. */
  guarding(edge: Edge): Edge {
    return {
      post: (request, message, reply) => {
        const { id, method } = message;
        const ring = id === undefined || method === undefined ? undefined : this.#ringOf(request, reply);
        if (!ring) return edge.post(request, message, reply);
        const words = `"${request.server}" waits for itself: ${ring.join(' → ')}`;
        const error = new PanelError('START_FAILED', words, { remedy: REMEDY });
        reply.end({ jsonrpc: '2.0', id, error: wireErrorOf(error, request.server, this.#options.redact) });
      },
      listen: (request, reply) => edge.listen(request, reply),
      end: (request, reply) => edge.end(request, reply),
    };
  }

  /** Names of the servers that wait for each other, the first one last again; undefined where the request may wait. */
  #ringOf({ server: to, ownRun }: AdmittedRequest, reply: GatewayReply): readonly string[] | undefined {
    const from = ownRun === undefined ? undefined : this.#servers.get(ownRun);
    if (from === undefined) return undefined;
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
