import type { Settings } from '../../../shared/settings.ts';
import { Emitter } from '../emitter.ts';
import type { CallResult } from '../mcp/outgoing-calls.ts';
import type { StateChange } from './control-panel.ts';

/** What the parts of the panel report to each other. Nothing is emitted before all parts are built and have subscribed. */
export class PanelSignals {
  /** A state, or a setting that is shown, of a server has changed; by the server's name. */
  readonly serverChanged = new Emitter<string>();
  /** A figure of a server has changed, which may wait for the next push; by the server's name. */
  readonly figuresChanged = new Emitter<string>();
  readonly serverRemoved = new Emitter<string>();
  readonly stateChanged = new Emitter<StateChange>();
  /** Servers were added, removed or changed. */
  readonly fleetChanged = new Emitter<void>();
  readonly settingsChanged = new Emitter<Settings>();
  /** A remote server answered a probe. */
  readonly probeAnswered = new Emitter<{ readonly server: string; readonly rttMs: number }>();
  /** Somebody's call to a server is over; what the panel asks for itself is nobody's. */
  readonly callEnded = new Emitter<{ readonly server: string; readonly end: CallResult }>();
  /** A server sent a request of the protocol to its client. */
  readonly askedBack = new Emitter<{ readonly server: string; readonly method: string }>();
  /** All servers were sampled. */
  readonly sampled = new Emitter<void>();
}
