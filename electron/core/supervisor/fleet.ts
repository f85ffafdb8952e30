import { PanelError } from '../../../shared/error-codes.ts';
import type { ServerConfig } from '../../../shared/server-config.ts';
import type { ServerSupervisor } from './server-supervisor.ts';

interface FleetOptions {
  readonly createSupervisor: (config: ServerConfig) => ServerSupervisor;
  /** Called once the last process of a removed server has ended and the server has left the fleet. */
  readonly onRemoved: (name: string) => void;
}

interface Member {
  readonly supervisor: ServerSupervisor;
  /** True if the server has been removed from the configuration and is being stopped; false again if it is added back. */
  isLeaving: boolean;
}

/** All supervised servers, in the order of the configuration. */
export class Fleet {
  readonly #options: FleetOptions;
  #members = new Map<string, Member>();
  /** The supervisors in order; reset when a member is added, removed or moved. */
  #listed: readonly ServerSupervisor[] | undefined;
  #isClosed = false;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get supervisors(): readonly ServerSupervisor[] {
    return (this.#listed ??= [...this.#members.values()].map((member) => member.supervisor));
  }

  find(name: string): ServerSupervisor | undefined {
    return this.#members.get(name)?.supervisor;
  }

  /** @throws PanelError SERVER_UNKNOWN */
  get(name: string): ServerSupervisor {
    const member = this.#members.get(name);
    if (member && !member.isLeaving) return member.supervisor;
    const known = this.supervisors.map((supervisor) => supervisor.name).join(', ') || 'none';
    throw new PanelError('SERVER_UNKNOWN', `There is no server "${name}". Known: ${known}.`);
  }

  /** Applies a configuration: starts new servers as `autoStart` says, stops and removes missing ones, and updates the others. */
  apply(configs: readonly ServerConfig[]): void {
    if (this.#isClosed) return;
    const wanted = new Set(configs.map((config) => config.name));
    for (const [name, member] of this.#members) if (!wanted.has(name)) this.#remove(name, member);
    for (const config of configs) this.#put(config);
    this.#sort(configs);
  }

  /** Resolves once the server has left the fleet; immediately if the server is unknown. */
  async whenRemoved(name: string): Promise<void> {
    const member = this.#members.get(name);
    if (member?.isLeaving) await member.supervisor.stop().catch(() => undefined);
  }

  /** Stops every server. No server starts afterwards. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.supervisors.map((supervisor) => supervisor.stop('panel').catch(() => undefined)));
  }

  #put(config: ServerConfig): void {
    const member = this.#members.get(config.name);
    if (!member) return this.#add(config);
    const { supervisor } = member;
    const isReturning = member.isLeaving;
    const wasEnabled = supervisor.config.enabled;
    member.isLeaving = false;
    supervisor.configure(config);
    if (!config.enabled && wasEnabled) ignore(supervisor.stop('configuration'));
    else if (startsByItself(config) && (isReturning || !wasEnabled))
      ignore(supervisor.start('configuration'));
  }

  #add(config: ServerConfig): void {
    const supervisor = this.#options.createSupervisor(config);
    this.#members.set(config.name, { supervisor, isLeaving: false });
    this.#listed = undefined;
    if (startsByItself(config)) ignore(supervisor.start('configuration'));
  }

  #remove(name: string, member: Member): void {
    if (member.isLeaving) return;
    member.isLeaving = true;
    const leave = () => {
      if (!member.isLeaving) return;
      this.#members.delete(name);
      this.#listed = undefined;
      this.#options.onRemoved(name);
    };
    // A stop that was superseded by a later command means that the server was added back to the configuration.
    member.supervisor.stop('configuration').then(leave, () => undefined);
  }

  #sort(configs: readonly ServerConfig[]): void {
    const leaving = [...this.#members].filter(([, member]) => member.isLeaving);
    const staying = configs.flatMap(({ name }) => {
      const member = this.#members.get(name);
      return member ? [[name, member] as const] : [];
    });
    this.#members = new Map([...staying, ...leaving]);
    this.#listed = undefined;
  }
}

function startsByItself(config: ServerConfig): boolean {
  return config.enabled && config.panel.autoStart;
}

/** Ignores the outcome of a command that no caller awaits. The state and the events show it. */
function ignore(outcome: Promise<void>): void {
  outcome.catch(() => undefined);
}
