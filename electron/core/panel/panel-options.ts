import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Machine } from '../../../shared/domain.ts';
import type { StartArchiveWorker } from '../logs/archive-thread.ts';
import type { Clock, RandomSource, WallClock } from '../clock.ts';
import type { WaitingProcess } from '../doorkeeper/stand-by.ts';
import type { CreateScan } from '../left-behind/parent-scan.ts';
import type { ImportEnvironment } from '../config/programs/environment.ts';
import type { DeathPipeWatcher } from '../platform/death-pipe.ts';
import type { LoginPath } from '../platform/login-path.ts';
import type { OpenFigures } from '../platform/containers/open-figures.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { RunCommand } from '../platform/run-command.ts';
import type { Signaller } from '../platform/signals.ts';
import type { Spawner } from '../platform/spawner.ts';
import type { AskKeyring } from '../secrets/store-key.ts';
import type { WorkerLike } from '../worker-like.ts';

/** Dependencies that are passed to the core. */
export interface ControlPanelOptions {
  /** Home folder, absolute; it contains everything that the panel stores. */
  readonly home: string;
  readonly appVersion: string;
  readonly electronVersion: string;
  /** Client capabilities declared to every server. Default: those of the gateway's clients; none if the gateway is off. */
  readonly clientCapabilities?: ClientCapabilities;
  /** True if a user can answer questions in the window. */
  readonly asksQuestions: boolean;
  /** Memory and cores of this machine, for display. */
  readonly machine?: Machine;
  /** Default `ask`. With `agree`, definitions from outside are agreed to automatically, as in tests. */
  readonly consent?: 'ask' | 'agree';
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  /** Returns a new unguessable token of letters and digits at each call. */
  readonly createToken: () => string;
  /** Returns unpredictable bytes for keys, tokens of clients and ids. */
  readonly randomBytes: (size: number) => Buffer;
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly spawner: Spawner;
  /** Opens the figures of containers. Default: from the kernel's files, otherwise from the engine's API. */
  readonly openFigures?: OpenFigures;
  /** Runs the command lines of container engines, which is needed to end leftover containers. */
  readonly run: RunCommand;
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user, absolute: the working directory of servers without `cwd`. */
  readonly userHome: string;
  /** PATH of the user's terminal, regardless of how the app was started; without it servers get the PATH of this process. */
  readonly loginPath: LoginPath | undefined;
  /** Limit of servers that start at the same time. */
  readonly startConcurrency: number;
  /** Identity of this boot of the machine. Undefined if the system does not report it; then no ledger is written. */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  /** Starts the helper that ends the servers if this process dies; undefined on Windows, which has none. */
  readonly spawnDeathPipeWatcher: (() => DeathPipeWatcher) | undefined;
  /** Locations of the files of other MCP clients on this machine. */
  readonly importEnvironment: ImportEnvironment;
  /**
   * File of the bridge, for clients that can only start programs; absolute. Undefined if its path is temporary, as in an
   * AppImage.
   */
  readonly bridgeScript?: string | undefined;
  /** Starts the process that keeps the gateway's port while the panel is not running. @throws Error with the reason for users */
  readonly startDoorkeeper?: () => Promise<WaitingProcess>;
  /** CPU time of this process so far, in milliseconds. Without it the delay of the event loop is not measured. */
  readonly cpuTimeMs?: () => number;
  /** Starts the history thread (`store/store-worker.ts`). Without it the history ends with this app run. */
  readonly startStoreWorker?: () => WorkerLike;
  /** Starts the parser thread for long messages (`mcp/worker/message-worker.ts`), which does not keep the process alive. */
  readonly startMessageWorker: () => WorkerLike;
  /** Starts the log reading thread (`logs/logs-worker.ts`). Without it only lines in memory are found. */
  readonly startLogsWorker?: StartArchiveWorker;
  /**
   * Sends requests to the keyring of this system. Without it the key of the secrets is kept in a file, or derived from a
   * passphrase.
   */
  readonly askKeyring?: AskKeyring;
  /** Opens a page in the user's browser. Undefined if only the address is shown, as in tests. */
  readonly openBrowser?: (url: string) => void;
  /** Passphrase of the secrets, if the panel was started with one. */
  readonly secretsPassphrase?: string | undefined;
  /** Creates the scan for processes that clients left behind. Without it there is none. */
  readonly createScan?: CreateScan;
  /** Promise that delays the first start of a server, because the window is opened first. Default: no delay. */
  readonly startsAfter?: Promise<void>;
}
