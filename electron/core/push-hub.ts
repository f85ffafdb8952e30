import type { ConfigStatus, PanelEvent, Push, ServerView } from '../../shared/domain.ts';
import type { Clock, Disposable } from './clock.ts';
import { Emitter } from './emitter.ts';

export interface PushHubOptions {
  readonly clock: Clock;
  /** The server as it is now; undefined once it is removed. */
  readonly view: (name: string) => ServerView | undefined;
  readonly config: () => ConfigStatus;
}

/** Changes within this time go out together; short enough that a click is answered well within 100 ms. */
const COALESCE_MS = 30;

/**
 * Collects what changed and sends it as one push. A hidden window gets none; when it is shown again one sequence
 * number is left out, so that it asks for a snapshot instead of replaying what it missed.
 */
export class PushHub {
  readonly pushed = new Emitter<Push>();
  readonly #options: PushHubOptions;
  readonly #changed = new Set<string>();
  readonly #removed = new Set<string>();
  #events: PanelEvent[] = [];
  #isConfigChanged = false;
  #sequence = 0;
  #isOpen = true;
  #timer: Disposable | undefined;

  constructor(options: PushHubOptions) {
    this.#options = options;
  }

  /** Of the last push; what is still being collected is in the next one, and in a snapshot taken now. */
  get sequence(): number {
    return this.#sequence;
  }

  serverChanged(name: string): void {
    this.#removed.delete(name);
    this.#changed.add(name);
    this.#schedule();
  }

  serverRemoved(name: string): void {
    this.#changed.delete(name);
    this.#removed.add(name);
    this.#schedule();
  }

  eventAppended(event: PanelEvent): void {
    this.#events.push(event);
    this.#schedule();
  }

  configChanged(): void {
    this.#isConfigChanged = true;
    this.#schedule();
  }

  setOpen(isOpen: boolean): void {
    if (isOpen === this.#isOpen) return;
    this.#isOpen = isOpen;
    if (isOpen) {
      this.#sequence += 1;
      this.#schedule();
    } else this.#drop();
  }

  /** Sends what was collected now. */
  flush(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const push = this.#collect();
    if (push) this.pushed.emit(push);
  }

  dispose(): void {
    this.#drop();
    this.#isOpen = false;
  }

  #schedule(): void {
    if (!this.#isOpen) return this.#drop();
    this.#timer ??= this.#options.clock.setTimeout(() => this.flush(), COALESCE_MS);
  }

  #collect(): Push | undefined {
    const servers = [...this.#changed]
      .map((name) => this.#options.view(name))
      .filter((view) => view !== undefined);
    const removed = [...this.#removed];
    const events = this.#events;
    const isConfigChanged = this.#isConfigChanged;
    this.#forget();
    if (servers.length + removed.length + events.length === 0 && !isConfigChanged) return undefined;
    this.#sequence += 1;
    return {
      sequence: this.#sequence,
      ...(servers.length > 0 && { servers }),
      ...(removed.length > 0 && { removed }),
      ...(events.length > 0 && { events }),
      ...(isConfigChanged && { config: this.#options.config() }),
    };
  }

  #drop(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    this.#forget();
  }

  #forget(): void {
    this.#changed.clear();
    this.#removed.clear();
    this.#events = [];
    this.#isConfigChanged = false;
  }
}
