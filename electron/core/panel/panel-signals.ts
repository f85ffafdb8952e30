import type { Settings } from '../../../shared/settings.ts';
import { Emitter } from '../emitter.ts';
import type { CallResult } from '../mcp/outgoing-calls.ts';
import type { ServerStateView } from '../../../shared/domain.ts';

export interface StateChange {
  readonly at: number;
  readonly server: string;
  readonly state: ServerStateView;
}

/** Emitters that connect the parts of the panel. Nothing is emitted before all parts are built and have subscribed. */
export class PanelSignals {
  /** Emits a server's name after a change of its state, or of a displayed setting. */
  readonly serverChanged = new Emitter<string>();
  /** Emits a server's name after a change of its figures, which may wait for the next push. */
  readonly figuresChanged = new Emitter<string>();
  /** Emits a server's name when the server's description of its tools starts or stops differing from the accepted one. */
  readonly offerChanged = new Emitter<string>();
  readonly serverRemoved = new Emitter<string>();
  readonly stateChanged = new Emitter<StateChange>();
  /** Emits after servers were added, removed or changed. */
  readonly fleetChanged = new Emitter<void>();
  readonly settingsChanged = new Emitter<Settings>();
  /** Emits after a server's own instance answered a health check. */
  readonly probeAnswered = new Emitter<{ readonly server: string; readonly rttMs: number }>();
  /** Emits after a call to a server ended; requests of the panel itself do not count. */
  readonly callEnded = new Emitter<{ readonly server: string; readonly end: CallResult }>();
  /** Emits after a server sent a request to its client. */
  readonly askedBack = new Emitter<{ readonly server: string; readonly method: string }>();
  /** Emits after all servers were sampled. */
  readonly sampled = new Emitter<void>();
}
