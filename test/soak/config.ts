import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SoakServer } from './fleet.ts';

type Entry = SoakServer['entry'];

/** servers.json as an editor writes it: replaced in one step, one change after the other. */
export class SoakConfig {
  readonly #path: string;
  readonly #entries: Map<string, Entry>;
  #isBroken = false;
  #edition = 0;

  constructor(home: string, servers: readonly SoakServer[]) {
    this.#path = join(home, 'servers.json');
    this.#entries = new Map(servers.map(({ name, entry }) => [name, entry]));
    this.#write();
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** A change that asks for another process. */
  changeEnvironment(name: string): void {
    this.#edition += 1;
    this.#change(name, (entry) => ({ ...entry, env: { ...entry.env, EDITION: String(this.#edition) } }));
  }

  /** A change that a running server does not notice. */
  changeLimits(name: string): void {
    this.#edition += 1;
    const limits = { maxMemoryMiB: 1024 + this.#edition };
    this.#change(name, (entry) => ({ ...entry, panel: { ...entry.panel, limits } }));
  }

  add({ name, entry }: Pick<SoakServer, 'name' | 'entry'>): void {
    this.#entries.set(name, entry);
    this.#write();
  }

  remove(name: string): void {
    this.#entries.delete(name);
    this.#write();
  }

  break(): void {
    this.#isBroken = true;
    this.#replace('{ "mcpServers": { "half');
  }

  mend(): void {
    this.#isBroken = false;
    this.#write();
  }

  #change(name: string, change: (entry: Entry) => Entry): void {
    const entry = this.#entries.get(name);
    if (entry === undefined) return;
    this.#entries.set(name, change(entry));
    this.#write();
  }

  #write(): void {
    // What changes while the file is broken is written when it is mended.
    if (this.#isBroken) return;
    this.#replace(JSON.stringify({ mcpServers: Object.fromEntries(this.#entries) }, null, 2));
  }

  #replace(text: string): void {
    writeFileSync(`${this.#path}.new`, text);
    renameSync(`${this.#path}.new`, this.#path);
  }
}
