import type { RunCommand } from '../../../../electron/core/platform/run-command.ts';

export interface FakeContainer {
  readonly id: string;
  readonly label?: string;
}

/** Full ids of containers, all different. */
export const containerId = (number: number): string => number.toString(16).padStart(64, '0');

/** An engine in memory, reached through a client that lists, kills and removes. */
export class FakeEngine {
  readonly containers = new Map<string, FakeContainer>();
  /** Calls of the client, without its program. */
  readonly calls: string[] = [];
  /** Environments of the calls. */
  readonly environments: unknown[] = [];
  isReached = true;
  /** Removals that are refused, because another one is under way. */
  refusals = 0;

  add(...containers: readonly FakeContainer[]): void {
    for (const container of containers) this.containers.set(container.id, container);
  }

  readonly run: RunCommand = (file, args, { env } = {}) => {
    this.calls.push([file, ...args].join(' '));
    this.environments.push(env);
    if (!this.isReached) return Promise.reject(new Error('no engine'));
    const [by, id] = [args.at(-1) ?? '', args.at(-1) ?? ''];
    if (args.includes('ps')) return Promise.resolve(`${this.#listed(by).join('\n')}\n`);
    if (args.includes('rm')) return this.#remove(id);
    return Promise.resolve('');
  };

  #listed(by: string): readonly string[] {
    const [key, ...rest] = by.split('=');
    const value = rest.join('=');
    const all = [...this.containers.values()];
    // Engines take an id for the beginning of one.
    const found = all.filter(({ id, label }) => (key === 'id' ? id.startsWith(value) : label === value));
    return found.map(({ id }) => id);
  }

  #remove(id: string): Promise<string> {
    this.refusals -= 1;
    if (this.refusals >= 0) return Promise.reject(new Error('removal in progress'));
    this.containers.delete(id);
    return Promise.resolve(id);
  }
}
