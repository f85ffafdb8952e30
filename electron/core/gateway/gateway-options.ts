import type { ErrorReport } from '../../../shared/error-codes.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { Clock, WallClock } from '../clock.ts';
import type { ClientRegistry } from './auth/client-registry.ts';
import type { GatewayLimits } from './http/limits.ts';
import type { Refusal } from './http/refusal.ts';
import type { Edge } from './types.ts';

/** What is served beside the servers. What is absent answers 404. */
export interface GatewayPages {
  /** GET /metrics, for a token with the scope `metrics`: a text in the OpenMetrics format. */
  readonly metrics?: (() => string) | undefined;
  /** GET /healthz, for everybody on this machine: JSON. */
  readonly healthz?: (() => object) | undefined;
}

/** Where the endpoint is, for people and for what they copy. */
export interface GatewayStatus {
  readonly isListening: boolean;
  /** `http://127.0.0.1:7411`, without a slash at its end; where nothing listens, with the port of the settings. */
  readonly url: string;
  readonly port: number;
  /** Why it does not listen, or not yet on the port of the settings: PORT_UNAVAILABLE with `port` and `freePort`. */
  readonly error?: ErrorReport;
}

/** Refusals of one reason, told together: at most once a minute. */
export interface RefusalReport {
  readonly reason: Refusal;
  /** How many there were since the last report of this reason. */
  readonly count: number;
  /** The client that was refused last, where it is known. */
  readonly clientName?: string | undefined;
}

export interface GatewayOptions {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  /** Read at the start and at `settingsChanged`. */
  readonly settings: () => Pick<Settings['gateway'], 'enabled' | 'port'>;
  readonly clients: Pick<ClientRegistry, 'authenticate' | 'seen' | 'onTokenEnded'>;
  readonly edge: Edge;
  /** Asked at each request for a page. */
  readonly pages?: () => GatewayPages;
  /** After every change of `status`. Must not throw. */
  readonly onStatus: (status: GatewayStatus) => void;
  /** Requests were refused. Must not throw. */
  readonly onRefused: (report: RefusalReport) => void;
  /** A request failed by a fault of ours, which its sender was told without details. Must not throw. */
  readonly onFault: (error: unknown) => void;
  /** Others than `gatewayLimits`. */
  readonly limits?: GatewayLimits;
  /** How long a sender may take for one request, its body included; nine seconds unless given. */
  readonly slowSenderMs?: number;
}
