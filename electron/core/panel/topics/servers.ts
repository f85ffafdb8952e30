import type { Answers } from '../../../../shared/ipc/call.ts';
import type { serversCalls } from '../../../../shared/ipc/topics/servers.ts';
import type { Fleet } from '../../supervisor/fleet.ts';
import type { ServerSupervisor } from '../../supervisor/server-supervisor.ts';
import type { SupervisedSessions } from '../../sessions/supervised-sessions.ts';

/** Commands to servers, with the further processes that their sessions have. */
export class ServersTopic implements Answers<typeof serversCalls> {
  readonly #fleet: Fleet;
  readonly #sessions: SupervisedSessions<ServerSupervisor>;

  constructor(fleet: Fleet, sessions: SupervisedSessions<ServerSupervisor>) {
    this.#fleet = fleet;
    this.#sessions = sessions;
  }

  /** Resolves when running. @throws PanelError SERVER_UNKNOWN, SUPERSEDED, or why the first attempt failed */
  async start(name: string): Promise<void> {
    await this.#fleet.get(name).start();
  }

  /** Resolves when no process of it is left. @throws PanelError SERVER_UNKNOWN, SUPERSEDED */
  async stop(name: string): Promise<void> {
    await Promise.all([this.#fleet.get(name).stop(), this.#sessions.stop(name)]);
  }

  /** Resolves when running with a new generation. @throws as `start` */
  async restart(name: string): Promise<void> {
    await Promise.all([this.#fleet.get(name).restart(), this.#sessions.endFurther(name)]);
  }
}
