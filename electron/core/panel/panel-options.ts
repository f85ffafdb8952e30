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

/** What the core needs from outside: paths, clocks, and access to the operating system. */
export interface ControlPanelOptions {
  /** Home folder, absolute; it contains everything that the panel stores. */
  readonly home: string;
  readonly appVersion: string;
  readonly electronVersion: string;
  /**
   * Client capabilities that the panel declares to every server. Default: those of the gateway's clients; none if the gateway
   * is off.
   */
  readonly clientCapabilities?: ClientCapabilities;
  /** True if there is a window in which the user can answer questions. */
  readonly asksQuestions: boolean;
  /** Memory and cores of this machine, for display. */
  readonly machine?: Machine;
  /**
   * Whether the user must consent to definitions that were not written in the panel. Default `ask`. With `agree`, consent is
   * given automatically, as in tests.
   */
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
  /**
   * Opens the source of the resource usage of containers. Default: the kernel's files if possible, otherwise the engine's API.
   */
  readonly openFigures?: OpenFigures;
  /** Runs a command line of a container engine, for example to end leftover containers. */
  readonly run: RunCommand;
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  /** Home folder of the user, absolute: the working directory of servers without `cwd`. */
  readonly userHome: string;
  /**
   * PATH as in the user's terminal, even if the app was started from the desktop. Without it, servers get the PATH of this
   * process.
   */
  readonly loginPath: LoginPath | undefined;
  /** Maximum number of servers that start at the same time. */
  readonly startConcurrency: number;
  /**
   * Identifies the current boot of the machine. Undefined if the system does not report it; then the panel does not record the
   * processes of its servers on disk.
   */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  /**
   * Starts the helper process that ends the servers if this process dies. Undefined on Windows, where there is no such helper.
   */
  readonly spawnDeathPipeWatcher: (() => DeathPipeWatcher) | undefined;
  /** Where other MCP clients on this machine keep their configuration files. */
  readonly importEnvironment: ImportEnvironment;
  /**
   * Absolute path of the bridge, the program that connects clients that can only start a program. Undefined if its path is
   * temporary, as in an AppImage.
   */
  readonly bridgeScript?: string | undefined;
  /**
   * Starts the doorkeeper, the process that keeps the gateway's port while the panel is not running. @throws Error with the
   * reason for users
   */
  readonly startDoorkeeper?: () => Promise<WaitingProcess>;
  /** Returns the CPU time of this process so far, in milliseconds. Without it, the delay of the event loop is not measured. */
  readonly cpuTimeMs?: () => number;
  /**
   * Starts the history thread (`store/store-worker.ts`). Without it, the history of measured values is lost when the app ends.
   */
  readonly startStoreWorker?: () => WorkerLike;
  /** Starts the parser thread for long messages (`mcp/worker/message-worker.ts`), which does not keep the process alive. */
  readonly startMessageWorker: () => WorkerLike;
  /** Starts the log reading thread (`logs/logs-worker.ts`). Without it, only log lines in memory can be read. */
  readonly startLogsWorker?: StartArchiveWorker;
  /**
   * Sends requests to the keyring of this system. Without it, the key that encrypts the secrets is kept in a file or derived
   * from a passphrase.
   */
  readonly askKeyring?: AskKeyring;
  /** Opens a page in the user's browser. If undefined, only the address is shown, as in tests. */
  readonly openBrowser?: (url: string) => void;
  /** Passphrase from which the key that encrypts the secrets is derived, if the panel was started with one. */
  readonly secretsPassphrase?: string | undefined;
  /** Creates the scan for processes that other MCP clients left running. If undefined, there is no scan. */
  readonly createScan?: CreateScan;
  /** Delays the first start of a server until this resolves, so that the window opens first. Default: no delay. */
  readonly startsAfter?: Promise<void>;
}
