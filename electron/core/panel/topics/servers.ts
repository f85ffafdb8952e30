import { PanelError } from '../../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../../shared/ipc/call.ts';
import type { serversCalls } from '../../../../shared/ipc/topics/servers.ts';
import { workloadPlaceOf } from '../../../../shared/panel-settings.ts';
import type { StateKind } from '../../../../shared/server-states.ts';
import { cannotSleep } from '../../supervisor/run/run-errors.ts';
import type { ServerSupervisor } from '../../supervisor/server-supervisor.ts';
import type { PanelBase } from '../panel-base.ts';
import type { ServersParts } from '../wire-servers.ts';

type ServersTopicParts = Pick<ServersParts, 'fleet' | 'sessions' | 'supervisors'>;

/**
 * Requests of the app window that start, stop or restart servers or put them to sleep. They also apply to the server's
 * replicas, the separate instances for single sessions.
 */
export class ServersTopic implements CallAnswers<typeof serversCalls> {
  readonly #parts: ServersTopicParts;

  constructor({ signals }: PanelBase, parts: ServersTopicParts) {
    this.#parts = parts;
    // Emits about once a second while servers run.
    signals.sampled.subscribe(() => this.#sleepUnused());
  }

  /** Starts a server. Resolves when it runs. @throws PanelError SERVER_UNKNOWN, SUPERSEDED, or the error of the first attempt */
  async start(name: string): Promise<void> {
    await this.#parts.fleet.get(name).start();
  }

  /** Stops a server; resolves when no process of it is left. @throws PanelError SERVER_UNKNOWN, SUPERSEDED */
  async stop(name: string): Promise<void> {
    await Promise.all([this.#parts.fleet.get(name).stop(), this.#parts.sessions.stop(name)]);
  }

  /** Restarts a server; resolves when it is running with a new generation. @throws as `start` */
  async restart(name: string): Promise<void> {
    const server = this.#parts.fleet.get(name);
    if (workloadPlaceOf(server.config.panel.runOn)) await this.#parts.supervisors.restartPods(server.config);
    await Promise.all([server.restart(), this.#parts.sessions.endFurther(name)]);
  }

  /**
   * Stops a server and its replicas until the server is used again. Resolves when none of their processes is left.
   * @throws PanelError SERVER_UNKNOWN, SUPERSEDED, CANNOT_SLEEP
   */
  async sleep(name: string, by: 'person' | 'idle' = 'person'): Promise<void> {
    const server = this.#parts.fleet.get(name);
    if (this.#parts.sessions.further(name).some(({ idle }) => typeof idle === 'string'))
      throw cannotSleep(name, 'in-use');
    const asleep = server.sleep(by);
    // The replicas are ended only once the server has begun to sleep. Otherwise clients with subscriptions would start new
    // replicas.
    await Promise.all([asleep, server.sleeps && this.#parts.sessions.endFurther(name, 'session')]);
  }

  /**
   * Stops every server that may have a process, including servers that wait for a restart. All are stopped in parallel.
   * Resolves when no process is left. Never rejects.
   */
  stopAll(): Promise<ManyOutcome> {
    const isLeft = ({ name, stateKind }: ServerSupervisor): boolean =>
      !isDown(stateKind) ||
      this.#parts.sessions.further(name).some((instance) => !isDown(instance.stateKind));
    return this.#commandAll(isLeft, (name) => this.stop(name));
  }

  /**
   * Restarts every server for which the panel has given up restarting. All are restarted in parallel; the start gate limits how
   * many install packages at the same time. Resolves when each server is running or has failed again. Never rejects.
   */
  restartFailed(): Promise<ManyOutcome> {
    return this.#commandAll(
      ({ stateKind }) => stateKind === 'failed',
      (name) => this.restart(name),
    );
  }

  /** Puts every server to sleep that has not been used for the time in its settings. */
  #sleepUnused(): void {
    for (const { config, name, idle } of this.#parts.fleet.supervisors) {
      const { sleepAfterMs } = config.panel;
      if (sleepAfterMs === 0 || typeof idle === 'string') continue;
      const idles = [idle, ...this.#parts.sessions.further(name).map((replica) => replica.idle)];
      const isUnused = idles.every((ms) => typeof ms === 'number' && ms >= sleepAfterMs);
      if (isUnused) this.sleep(name, 'idle').catch(() => undefined);
    }
  }

  #commandAll(
    isMeant: (supervisor: ServerSupervisor) => boolean,
    command: (name: string) => Promise<void>,
  ): Promise<ManyOutcome> {
    const meant = this.#parts.fleet.supervisors.filter(isMeant).map(({ name }) => name);
    return commandMany(meant, command);
  }
}

const isDown = (kind: StateKind): boolean => kind === 'stopped' || kind === 'failed';

/** Result of a command that was sent to several servers. */
export interface ManyOutcome {
  /** Servers that got the command, in the order of the configuration. */
  readonly servers: readonly string[];
  /** Servers whose command failed, with the errors. A command that a later command replaced does not count as failed. */
  readonly failures: readonly { readonly server: string; readonly error: unknown }[];
}

/** Sends a command to several servers in parallel and waits for all. Never rejects: one failure must not affect the others. */
export async function commandMany(
  servers: readonly string[],
  command: (server: string) => Promise<void>,
): Promise<ManyOutcome> {
  const failures = await Promise.all(
    servers.map((server) =>
      command(server).then(
        () => [],
        (error: unknown) => (isSuperseded(error) ? [] : [{ server, error }]),
      ),
    ),
  );
  return { servers, failures: failures.flat() };
}

const isSuperseded = (error: unknown): boolean => error instanceof PanelError && error.code === 'SUPERSEDED';
