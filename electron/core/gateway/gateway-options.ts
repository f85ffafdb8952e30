import type { ErrorReport } from '../../../shared/error-codes.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { HandlerOptions } from './http/handler-options.ts';
import type { GatewayLimits } from './http/limits.ts';

export type { RefusalReport } from './http/handler-options.ts';

/** Where the endpoint is, for people and for what they copy. */
export interface GatewayStatus {
  readonly isListening: boolean;
  /** `http://127.0.0.1:7411`, without a slash at its end; where nothing listens, with the port of the settings. */
  readonly url: string;
  readonly port: number;
  /** Why it does not listen, or not yet on the port of the settings: PORT_UNAVAILABLE with `port` and `freePort`. */
  readonly error?: ErrorReport;
}

export interface GatewayOptions extends HandlerOptions {
  /** Read at the start and at `settingsChanged`. */
  readonly settings: () => Pick<Settings['gateway'], 'enabled' | 'port'>;
  /** After every change of `status`. Must not throw. */
  readonly onStatus: (status: GatewayStatus) => void;
  /** Others than `gatewayLimits`. */
  readonly limits?: GatewayLimits;
  /** How long a sender may take for one request, its body included; nine seconds unless given. */
  readonly slowSenderMs?: number;
}
