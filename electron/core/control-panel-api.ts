import type { Settings } from '../../shared/settings.ts';
import type { SettingsFile } from './settings/settings-file.ts';
import type { ServerManagement } from './config/manage-servers.ts';
import type {
  CallOutcome,
  CallProgress,
  Offer,
  OutputLine,
  PanelEvent,
  Push,
  Sample,
  ServerStateView,
  SessionsView,
  SharingView,
  Snapshot,
} from '../../shared/domain.ts';
import type { EditBasis, NamedEntry, ServerCall } from '../../shared/ipc-contract.ts';

export interface StateChange {
  readonly at: number;
  readonly server: string;
  readonly state: ServerStateView;
}

/** What the Electron side sees of the core: the commands of `window.controlPanel`, and a little for the tray and the launcher. */
export interface ControlPanel {
  readonly manage: ServerManagement;
  /** settings.json: what a person decides about the panel itself. */
  readonly settings: SettingsFile;
  /** After every change of a setting, whoever made it. Returns the undo. */
  onSettings(listener: (settings: Settings) => void): () => void;
  /** Applies servers.json and starts what is to start by itself. Called once, after the listeners are on. */
  start(): void;
  getSnapshot(): Snapshot;
  /** One call per tick at most, with everything that changed since the last. Returns the undo. */
  onPush(listener: (push: Push) => void): () => void;
  /** Every single state change, at once and in order, also those that a push merges. Returns the undo. */
  onStateChange(listener: (change: StateChange) => void): () => void;
  /** Every event, at once and whether a window is visible or not. Returns the undo. */
  onEvent(listener: (event: PanelEvent) => void): () => void;
  /** Servers came, went or were set up differently. Returns the undo. */
  onFleetChange(listener: () => void): () => void;
  /** Notices for the terminal: configuration errors, force-killed processes. One line each. Returns the undo. */
  onNotice(listener: (line: string) => void): () => void;
  /** The text without the secrets of the configuration, and without what looks like one. */
  readonly redactText: (text: string) => string;
  /** @throws SERVER_UNKNOWN, SUPERSEDED, or why the first attempt failed. */
  startServer(name: string): Promise<void>;
  stopServer(name: string): Promise<void>;
  restartServer(name: string): Promise<void>;
  /** @throws CONFIG_BROKEN, CONFIG_INVALID; CONFIG_CONFLICT when the basis is no longer what stands on disk */
  putServer(entry: NamedEntry, basis?: EditBasis): Promise<void>;
  removeServer(name: string): Promise<void>;
  /** A person says that a stall verdict was wrong: from now on this server is reported, and not restarted, for one. */
  disputeVerdict(name: string): Promise<void>;
  getHistory(name: string, sinceMs: number): readonly Sample[];
  /** Lines that the server wrote to stderr, with an id above `afterId`, oldest first. @throws SERVER_UNKNOWN */
  getOutput(name: string, afterId: number): readonly OutputLine[];
  /** The last lines of it that earlier launches left on disk, oldest first, with ids up to 0. @throws SERVER_UNKNOWN */
  getEarlierOutput(name: string): Promise<readonly OutputLine[]>;
  /** @throws SERVER_UNKNOWN */
  getSessions(name: string): SessionsView;
  /** Ends the leases of the session of that generation, and the process if it had one of its own; of an ended one: nothing. */
  evictSession(name: string, generation: number): Promise<void>;
  setSharing(name: string, mode: SharingView['setting']): Promise<void>;
  /** Tools, prompts and resources of a running server. @throws STOPPED, or why it does not come up */
  getOffer(name: string): Promise<Offer>;
  /** Starts the server if it is stopped. A call that was sent is never repeated. @throws what became of it */
  callServer(call: ServerCall): Promise<CallOutcome>;
  /** Tells the server, too. The call rejects with CANCELLED. */
  cancelCall(callId: string): void;
  /** Progress of calls that `callServer` made. Returns the undo. */
  onCallProgress(listener: (progress: CallProgress) => void): () => void;
  /** The machine is about to sleep. */
  suspended(): void;
  /** The machine was asleep: no silence of that time counts, and what was given up is tried once more. */
  resumed(): void;
  /** A visible window wants samples every second and pushes; a hidden one gets none. */
  setWindowVisible(isVisible: boolean): void;
  /** Stops every server and releases everything. Bounded by the longest stop sequence. Idempotent. */
  dispose(): Promise<void>;
}
