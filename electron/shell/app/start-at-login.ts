import type { LoginState } from '../../../shared/system-state.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** The system's own list of what starts at login. */
export interface LoginItem {
  look(): Promise<LoginState>;
  /** Overrules what a person switched off in the system's list. */
  set(isOn: boolean): Promise<unknown>;
}

export interface StartAtLoginOptions {
  readonly item: LoginItem;
  readonly platform: NodeJS.Platform;
  /** Changes the setting. */
  readonly save: (isOn: boolean) => Promise<void>;
  readonly notice: (line: string) => void;
}

/**
 * Keeps the setting "start at login" and the system's own list in step. At a launch the system is right, because a person
 * may have switched the panel off there; later the setting is, because a person has just changed it here.
 */
export class StartAtLogin {
  readonly #options: StartAtLoginOptions;
  /** What the setting says as far as the system has followed it; undefined before the first look. */
  #isOn: boolean | undefined;

  constructor(options: StartAtLoginOptions) {
    this.#options = options;
  }

  /** Takes over what the system says. To be called once, with the setting as it was read. Never rejects. */
  async launched(isWanted: boolean): Promise<void> {
    const { item, platform, save } = this.#options;
    this.#isOn = isWanted;
    await this.#told(async () => {
      const state = await item.look();
      // What waits for approval is the person's to decide, in the system's settings.
      if (state === 'unknown' || state === 'needs-approval') return;
      // Windows only switches off what it lists, so that nothing there means nobody was asked: another path, a new machine.
      const isMissing = platform === 'win32' && state === 'off';
      const isStarted = state === 'on';
      if (isWanted && isMissing) await item.set(true);
      // The file is written anew, because an AppImage may have been moved.
      else if (isWanted && state === 'on' && platform === 'linux') await item.set(true);
      else if (isWanted !== isStarted) {
        this.#isOn = isStarted;
        await save(isStarted);
      }
    });
  }

  /** The setting says so now. Never rejects. */
  async changed(isOn: boolean): Promise<void> {
    if (this.#isOn === undefined || this.#isOn === isOn) return;
    this.#isOn = isOn;
    await this.#told(() => this.#options.item.set(isOn));
  }

  /** What the system says now. */
  state(): Promise<LoginState> {
    return this.#options.item.look().catch(() => 'unknown');
  }

  async #told(act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
    } catch (error) {
      this.#options.notice(`start at login could not be changed: ${messageOf(error)}`);
    }
  }
}
