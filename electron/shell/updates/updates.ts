import { PanelError } from '../../../shared/error-codes.ts';
import type { CallAnswers } from '../../../shared/ipc/call.ts';
import type { updatesCalls } from '../../../shared/ipc/topics/updates.ts';
import type { UpdateState, UpdateStep } from '../../../shared/updates.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { parsedUrl } from '../../../shared/parsed.ts';

/** Checks for, downloads and installs updates. It is implemented with electron-updater, in a separate module. */
export interface UpdateEngine {
  /** Returns the newer version; undefined if there is none. @throws when the feed cannot be read. */
  check(): Promise<string | undefined>;
  /** Downloads the version that `check` found; its hash and signature are verified. */
  download(): Promise<void>;
  /** Starts the installation and ends the app, in the order that this system needs; calls `onFailure` if it cannot. */
  install(onFailure: (error: Error) => void): void;
}

interface UpdatesOptions {
  /** Returns what determines which update steps are possible; called once, at the first query. */
  readonly facts: () => UpdateFacts;
  /** Loads the engine. Called only if there is a feed, when the user first asks for updates. */
  readonly loadEngine: () => Promise<UpdateEngine>;
  /** Stops every server and disposes of all parts. Never rejects. */
  readonly release: () => Promise<void>;
  readonly quit: () => void;
  readonly notice: (line: string) => void;
}

/** Updates of the panel, one step at a time, each requested by the user. */
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

  /** Performs a step; a step that does not fit the state has no effect. @throws PanelError UNREACHABLE when the step failed */
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
    // The servers are stopped first, because an installer kills the app, and thereby the servers, without asking.
    await release();
    // All parts have been disposed of. If the installation fails, the app can only quit.
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

/** Returns the first line, because the updater's errors continue with stacks and headers. */
const firstLineOf = (error: unknown): string => messageOf(error).split('\n', 1)[0] ?? '';

/** Properties of this app run that determine what the panel can do about updates. */
export interface UpdateFacts {
  readonly isPackaged: boolean;
  readonly platform: NodeJS.Platform;
  /** Text of `app-update.yml`, which electron-builder packs if the build has a feed; otherwise undefined. */
  readonly feed: string | undefined;
}

/**
 * What the panel can do about updates. `off`: nothing, because there is no update feed. `tell`: it only reports newer versions.
 * `install`: it can also install them, because the system or electron-updater refuses packages that were not signed by the
 * signer of this app.
 */
type UpdateMode = 'off' | 'tell' | 'install';

/**
 * Returns what the panel can do about updates. It may install them only if somebody verifies the signer. macOS does. On
 * Windows, electron-updater does if electron-builder wrote a publisher name to the feed file, as in a signed build; without
 * that name, it would install any package. On Linux, nothing verifies the signer.
 */
function updateMode({ isPackaged, platform, feed }: UpdateFacts): UpdateMode {
  if (!isPackaged || feed === undefined) return 'off';
  const isChecked = platform === 'darwin' || (platform === 'win32' && /^publisherName:/m.test(feed));
  return isChecked ? 'install' : 'tell';
}

/** True if an update may be fetched from the URL: over https, or from this machine. Redirects are also checked. */
export function isUpdateUrl(url: string): boolean {
  const { protocol, hostname } = parsedUrl(url) ?? {};
  if (protocol === 'http:') return ['127.0.0.1', '[::1]', 'localhost'].includes(hostname ?? '');
  return protocol === 'https:';
}
