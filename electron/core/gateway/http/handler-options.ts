import type { Clock, WallClock } from '../../clock.ts';
import type { Doing } from '../../doing.ts';
import type { LongReader } from '../../mcp/worker/questions.ts';
import type { ClientRegistry } from '../auth/client-registry.ts';
import type { Edge } from '../types.ts';
import type { RefusalReason } from '../../../../shared/gateway.ts';

/** What is served beside the servers. What is absent answers 404. */
export interface GatewayPages {
  /** GET /metrics, for a token with the scope `metrics`: a text in the OpenMetrics format. */
  readonly metrics?: (() => string) | undefined;
  /** GET /healthz, for everybody on this machine: JSON. */
  readonly healthz?: (() => object) | undefined;
}

/** Refusals of one reason, told together: at most once a minute. */
export interface RefusalReport {
  readonly reason: RefusalReason;
  /** How many there were since the last report of this reason. */
  readonly count: number;
  /** The client that was refused last, where it is known. */
  readonly clientName?: string | undefined;
}

/** What requests are judged by, and whom they are handed to. */
export interface HandlerOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly clients: Pick<ClientRegistry, 'authenticate' | 'seen' | 'onTokenEnded'> &
    Partial<Pick<ClientRegistry, 'refuseFormer'>>;
  readonly edge: Edge;
  /** What is done for a request is marked here, because one that is costly holds up everything else. */
  readonly doing: Pick<Doing, 'run'>;
  /** Parses bodies that are too long for the main loop. */
  readonly reader: LongReader;
  /** Asked at each request for a page. */
  readonly pages?: () => GatewayPages;
  /** Requests were refused. Must not throw. */
  readonly onRefused: (report: RefusalReport) => void;
  /** A request failed by a fault of ours, which its sender was told without details. Must not throw. */
  readonly onFault: (error: unknown) => void;
}
