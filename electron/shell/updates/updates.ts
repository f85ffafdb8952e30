import { PanelError } from '../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../shared/ipc/call.ts';
import type { updatesCalls } from '../../../shared/ipc/topics/updates.ts';
import type { UpdateState, UpdateStep } from '../../../shared/updates.ts';
import { updateMode, type UpdateFacts, type UpdateMode } from './update-mode.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** What asks, fetches and installs: electron-updater, in a file of its own. */
export interface UpdateEngine {
  /** The version that is newer than this one, if any. @throws when the feed cannot be read. */
  check(): Promise<string | undefined>;
  /** Fetches what `check` found and has its hash and signature checked. */
  download(): Promise<void>;
  /** Starts the installation and ends the app, in whatever order this system wants; `onFailure` when it cannot. */
  install(onFailure: (error: Error) => void): void;
}

export interface UpdatesOptions {
  /** Asked once, when somebody first wants to know. */
  readonly facts: () => UpdateFacts;
  /** The engine is loaded only where there is a feed, and only when a person asks for the first time. */
  readonly loadEngine: () => Promise<UpdateEngine>;
  /** Stops every server and gives everything back. Never rejects. */
  readonly release: () => Promise<void>;
  readonly quit: () => void;
  readonly notice: (line: string) => void;
}

/** Newer versions of the panel, one step at a time, each of them asked for by a person. */
export class Updates implements CallAnswers<typeof updatesCalls> {
  readonly #options: UpdatesOptions;
  #mode?: UpdateMode;
  #state: UpdateState = { kind: 'unchecked' };
  #engine?: UpdateEngine;

  constructor(options: UpdatesOptions) {
    this.#options = options;
  }

  state(): UpdateState {
    return this.#modeOf() === 'off' ? { kind: 'off' } : this.#state;
  }

  /** A step that does not follow from the state changes nothing. @throws PanelError UNREACHABLE when it failed. */
  async take(step: UpdateStep): Promise<UpdateState> {
    const state = this.state();
    if (step === 'check' && state.kind !== 'off' && state.kind !== 'downloaded') await this.#check();
    if (step === 'download' && state.kind === 'available' && state.canInstall)
      await this.#download(state.version);
    if (step === 'install' && state.kind === 'downloaded') await this.#install();
    return this.state();
  }

  async #check(): Promise<void> {
    const version = await this.#attempt('looked for', (engine) => engine.check());
    const canInstall = this.#modeOf() === 'install';
    this.#state = version === undefined ? { kind: 'newest' } : { kind: 'available', version, canInstall };
  }

  async #download(version: string): Promise<void> {
    await this.#attempt('fetched', (engine) => engine.download());
    this.#state = { kind: 'downloaded', version };
  }

  async #install(): Promise<void> {
    const { release, quit, notice } = this.#options;
    const engine = await this.#load();
    // The servers are stopped first, because an installer ends us without asking, and them with us.
    await release();
    // Nothing runs any more, so there is nothing to go back to.
    engine.install((error) => {
      notice(`the update was not installed: ${firstLineOf(error)}`);
      quit();
    });
  }

  async #attempt<T>(what: string, run: (engine: UpdateEngine) => Promise<T>): Promise<T> {
    try {
      return await run(await this.#load());
    } catch (error) {
      const message = `The update could not be ${what}: ${firstLineOf(error)}`;
      throw new PanelError('UNREACHABLE', message, { cause: error });
    }
  }

  async #load(): Promise<UpdateEngine> {
    return (this.#engine ??= await this.#options.loadEngine());
  }

  #modeOf(): UpdateMode {
    return (this.#mode ??= updateMode(this.#options.facts()));
  }
}

/** The first line: errors of the updater go on with stacks and headers. */
const firstLineOf = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';
