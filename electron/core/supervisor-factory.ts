import type { OutputLine, ServerView } from '../../shared/domain.ts';
import type { ConnectionTest } from '../../shared/manage.ts';
import type { ServerConfig } from '../../shared/server-config.ts';
import type { Clock, RandomSource, WallClock } from './clock.ts';
import type { Journal } from './journal/journal.ts';
import type { ServerOutput } from './journal/server-output.ts';
import { requireCommand } from './platform/find-command.ts';
import type { LoginPath } from './platform/login-path.ts';
import { runFactory } from './supervisor/create-run.ts';
import { spawnRequestOf } from './supervisor/run/spawn-request.ts';
import type { ProcessCustody } from './supervisor/custody/process-custody.ts';
import { LearntServers } from './supervisor/run/run-watch.ts';
import type { StdioRunDeps } from './supervisor/run/stdio-run.ts';
import { ServerSupervisor } from './supervisor/server-supervisor.ts';
import type { ServerSupervisorDeps } from './supervisor/server-supervisor-deps.ts';
import { testConnection } from './supervisor/run/test-connection.ts';
import { StartGate } from './supervisor/start/start-gate.ts';

export interface SupervisorFactoryOptions extends Pick<StdioRunDeps, 'table' | 'signaller' | 'spawner'> {
  readonly clock: Clock;
  readonly wallClock: WallClock;
  readonly random: RandomSource;
  readonly appVersion: string;
  readonly createToken: () => string;
  readonly parentEnvironment: Readonly<Record<string, string | undefined>>;
  readonly personHome: string;
  readonly loginPath: LoginPath | undefined;
  readonly startConcurrency: number;
  readonly journal: Journal;
  /** Asked before anything starts. */
  readonly custody: () => ProcessCustody;
  /** Something that is shown of a server has changed. */
  readonly onChange: (server: string) => void;
  /** Of the server's own instance only. */
  readonly onState: (server: string, state: ServerView['state']) => void;
  /** Of the server's own instance only. */
  readonly onProbeAnswered: (server: string, rttMs: number) => void;
  /** The server sent a request of the protocol to its client. */
  readonly onAskedBack: (server: string, method: string) => void;
  readonly notice: (line: string) => void;
}

/** Makes the supervisors of this panel, with what they share and where they write. */
export class SupervisorFactory {
  readonly #options: SupervisorFactoryOptions;
  readonly #outputs = new Map<string, ServerOutput>();
  readonly #shared: Pick<ServerSupervisorDeps, 'learnt' | 'startGate' | 'requireCommand' | 'createRun'>;

  constructor(options: SupervisorFactoryOptions) {
    this.#options = options;
    const { clock, startConcurrency, appVersion, createToken } = options;
    const { parentEnvironment: parent, personHome: home, loginPath } = options;
    const surroundings = () => ({ parent, home, login: loginPath?.current });
    this.#shared = {
      learnt: new LearntServers(),
      startGate: new StartGate({ clock, startConcurrency, isOpen: false }),
      createRun: runFactory({
        ...options,
        clientVersion: appVersion,
        surroundings,
        createMarker: createToken,
      }),
      requireCommand: async (config) => {
        if (config.transport !== 'stdio') return;
        await requireCommand(await spawnRequestOf(config, surroundings(), ''));
      },
    };
  }

  /** Nothing starts before. */
  openGate(): void {
    this.#options.custody().prepare();
    this.#shared.startGate.open();
  }

  /** @param server whose instance it is: a further one has a name that is not in the configuration */
  create(config: ServerConfig, server = config.name): ServerSupervisor {
    const { clock, wallClock, random, custody, notice, onChange, onAskedBack, onProbeAnswered } =
      this.#options;
    const isFurther = config.name !== server;
    return new ServerSupervisor(config, {
      ...this.#shared,
      ...(isFurther ? this.#reportsOfFurther(config.name, server) : this.#reportsOfOwn(server)),
      clock,
      wallClock,
      random,
      custody: custody(),
      output: this.#outputOf(config.name),
      onChange: () => onChange(server),
      onConnection: (connection) => {
        connection.onAsked(({ method }) => onAskedBack(server, method));
        if (!isFurther) connection.onProbeAnswered((rttMs) => onProbeAnswered(server, rttMs));
      },
      notice,
    });
  }

  /** Starts a server aside and ends it; nothing of it is left. */
  test(config: ServerConfig): Promise<ConnectionTest> {
    const { clock, custody, table } = this.#options;
    return testConnection(config, { clock, createRun: this.#shared.createRun, custody: custody(), table });
  }

  /** Lines that the server wrote to stderr, with an id above `afterId`, oldest first. */
  output(server: string, afterId: number): readonly OutputLine[] {
    return this.#outputs.get(server)?.since(afterId) ?? [];
  }

  /** What earlier launches left of it. */
  async earlierOutput(server: string): Promise<readonly OutputLine[]> {
    return (await this.#outputs.get(server)?.earlier()) ?? [];
  }

  #reportsOfOwn(server: string): Reports {
    const { journal, onState } = this.#options;
    return {
      onState: (state) => onState(server, state),
      logEvent: (kind, detail) => journal.append(server, kind, detail),
    };
  }

  /** Its state is not the server's; what happens to it is told with its name. */
  #reportsOfFurther(instance: string, server: string): Reports {
    return {
      onState: () => undefined,
      logEvent: (kind, detail) => this.#options.journal.append(server, kind, { ...detail, instance }),
    };
  }

  /** Kept over a removal: the server may come back, and its log file is the same. */
  #outputOf(name: string): ServerOutput {
    const output = this.#outputs.get(name) ?? this.#options.journal.openOutput(name);
    this.#outputs.set(name, output);
    return output;
  }
}

type Reports = Pick<ServerSupervisorDeps, 'onState' | 'logEvent'>;
