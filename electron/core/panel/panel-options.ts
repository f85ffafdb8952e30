import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js';
import type { Machine } from '../../../shared/domain.ts';
import type { StartArchiveWorker } from '../logs/archive-thread.ts';
import type { Clock, RandomSource, WallClock } from '../clock.ts';
import type { ImportEnvironment } from '../config/import/import-strategy.ts';
import type { DeathPipeWatcher } from '../platform/death-pipe.ts';
import type { LoginPath } from '../platform/login-path.ts';
import type { ProcessTable } from '../platform/process-table.ts';
import type { RunCommand } from '../platform/run-command.ts';
import type { Signaller } from '../platform/signals.ts';
import type { Spawner } from '../platform/spawner.ts';
import type { WorkerLike } from '../worker-like.ts';

/** Everything that the core is given from outside. */
export interface ControlPanelOptions {
  /** Absolute; holds everything the panel keeps. */
  readonly home: string;
  readonly appVersion: string;
  readonly electronVersion: string;
  /** What the panel declares to every server. Default: what clients of the gateway may be asked; nothing where it is off. */
  readonly clientCapabilities?: ClientCapabilities;
  /** Whether somebody is there to answer a question in the window. */
  readonly asksQuestions: boolean;
  /** Memory and cores of this machine, for the window. */
  readonly machine?: Machine;
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  /** Unguessable, letters and digits; a new one at each call. */
  readonly createToken: () => string;
  /** So many bytes that nobody can foresee: keys, tokens of clients, ids. */
  readonly randomBytes: (size: number) => Buffer;
  readonly table: ProcessTable;
  readonly signaller: Signaller;
  readonly spawner: Spawner;
  /** Runs the clients of container engines, which end what is left in them. */
  readonly run: RunCommand;
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  /** The person's home folder, absolute: where servers start whose entry has no `cwd`. */
  readonly userHome: string;
  /** The PATH of the person's terminal, whoever started the app; without it servers get the PATH of this process. */
  readonly loginPath: LoginPath | undefined;
  /** Servers that may start at the same time. */
  readonly startConcurrency: number;
  /** Identity of this boot of the machine. Undefined where the system does not tell it; then no ledger is kept. */
  readonly bootId: string | undefined;
  readonly ownPid: number;
  /** Starts the helper that ends the servers if this process dies; undefined where there is none (Windows). */
  readonly spawnDeathPipeWatcher: (() => DeathPipeWatcher) | undefined;
  /** Where other MCP clients keep their files on this machine. */
  readonly importEnvironment: ImportEnvironment;
  /** CPU time of this process so far, in milliseconds. Without it nobody watches how late the main loop is. */
  readonly cpuTimeMs?: () => number;
  /** Starts the thread that keeps the history (`store/store-worker.ts`). Without it nothing outlives this launch. */
  readonly startStoreWorker?: () => WorkerLike;
  /** Starts the thread that parses long messages (`mcp/worker/message-worker.ts`), for which the process does not wait. */
  readonly startMessageWorker: () => WorkerLike;
  /** Starts the thread that reads logs (`logs/logs-worker.ts`). Without it none but the lines in memory are found. */
  readonly startLogsWorker?: StartArchiveWorker;
  /** No server starts before this has come: the window is first. Default: at once. */
  readonly startsAfter?: Promise<void>;
}
