import type { Settings } from '../../../shared/settings.ts';
import { Emitter } from '../emitter.ts';
import type { CallResult } from '../mcp/outgoing-calls.ts';
import type { ServerStateView } from '../../../shared/domain.ts';

export interface StateChange {
  readonly at: number;
  readonly server: string;
  readonly state: ServerStateView;
}

/**
 * Event emitters that connect the parts of the panel. Nothing is emitted before all parts have been built and have subscribed.
 */
export class PanelSignals {
  /** Emits a server's name when its state or one of its displayed settings has changed. */
  readonly serverChanged = new Emitter<string>();
  /** Emits a server's name when its measured values have changed; the app window may get them with the next push. */
  readonly figuresChanged = new Emitter<string>();
  /**
   * Emits a server's name when the server's description of its tools begins to differ from the one that the user accepted, or
   * no longer differs.
   */
  readonly offerChanged = new Emitter<string>();
  readonly serverRemoved = new Emitter<string>();
  readonly stateChanged = new Emitter<StateChange>();
  /** Emits when servers were added, removed or reconfigured. */
  readonly fleetChanged = new Emitter<void>();
  readonly settingsChanged = new Emitter<Settings>();
  /** Emits when the main instance of a server (not one of its replicas) has answered a health check. */
  readonly probeAnswered = new Emitter<{ readonly server: string; readonly rttMs: number }>();
  /** Emits when a call to a server has ended, except requests that the panel sends for its own purposes. */
  readonly callEnded = new Emitter<{ readonly server: string; readonly end: CallResult }>();
  /** Emits when a server has sent a request to its client. */
  readonly askedBack = new Emitter<{ readonly server: string; readonly method: string }>();
  /** Emits when all servers have been sampled, about once a second. */
  readonly sampled = new Emitter<void>();
}
