import { join } from 'node:path';
import { messageOf } from '../../../shared/message-of.ts';
import type { Settings } from '../../../shared/settings.ts';
import type { LoginState } from '../../../shared/system-state.ts';
import { readContent } from '../../core/files/file-content.ts';

/** Whether the system is to start the app at login. */
export const needsLoginItem = ({ startAtLogin, gateway }: Settings): boolean =>
  startAtLogin || gateway.startWithClients;

/** What a start at login opens: only a doorkeeper if clients alone are to start the panel. */
export const loginStart = ({ startAtLogin, gateway }: Settings): 'panel' | 'doorkeeper' =>
  !startAtLogin && gateway.startWithClients ? 'doorkeeper' : 'panel';

export interface AppStart {
  readonly home: string;
  readonly isPackaged: boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Whether this start of the app opens no panel, but only a doorkeeper. A file that cannot be used is left to the panel. */
export async function isForDoorkeeperAlone(start: AppStart, isLoginStart: boolean): Promise<boolean> {
  const isTest = start.environment['MCP_CONTROL_PANEL_TEST'] === '1';
  if (!isLoginStart || !start.isPackaged || isTest) return false;
  const { parseSettings } = await import('../../core/settings/parse-settings.ts');
  const content = await readContent(join(start.home, 'settings.json'));
  const parsed = parseSettings(content.kind === 'text' ? content.text : '{}');
  return parsed.kind === 'parsed' && loginStart(parsed.settings) === 'doorkeeper';
}

/** The system's list of programs that start at login. */
interface LoginItem {
  look(): Promise<LoginState>;
  /** Sets the item, even if the user disabled it in the system's list. */
  set(isOn: boolean): Promise<unknown>;
}

interface StartAtLoginOptions {
  readonly item: LoginItem;
  readonly platform: NodeJS.Platform;
  /** Stores that nothing, or the panel, is to start at login. */
  readonly save: (isOn: boolean) => Promise<void>;
  /** What the settings ask for once that is stored: clients may start the panel, too. */
  readonly wantedAfter: (isOn: boolean) => boolean;
  readonly notice: (line: string) => void;
}

/**
 * Synchronizes the settings for which the app starts at login with the system's list. At the start of the app run the system wins, because the
 * user may have disabled the panel there; later the setting wins, because the user just changed it here.
 */
export class StartAtLogin {
  readonly #options: StartAtLoginOptions;
  /** What the settings ask for, as last applied to the system; undefined until the system's state was read. */
  #isOn: boolean | undefined;

  constructor(options: StartAtLoginOptions) {
    this.#options = options;
  }

  /** Takes over the system's state. Call once, with what the settings ask for as they were read. Never rejects. */
  async launched(isWanted: boolean): Promise<void> {
    const { item, platform, save, wantedAfter } = this.#options;
    this.#isOn = isWanted;
    await this.#told(async () => {
      const state = await item.look();
      // The user decides on an approval in the system's settings.
      if (state === 'unknown' || state === 'needs-approval') return;
      // Windows keeps disabled items in its list, so a missing item was never in it: another path, or a new machine.
      const isMissing = platform === 'win32' && state === 'off';
      const isStarted = state === 'on';
      if (isWanted && isMissing) await item.set(true);
      // The file is rewritten, because an AppImage may have been moved.
      else if (isWanted && state === 'on' && platform === 'linux') await item.set(true);
      else if (isWanted !== isStarted) {
        this.#isOn = wantedAfter(isStarted);
        await save(isStarted);
      }
    });
  }

  /** Applies a changed setting. Never rejects. */
  async changed(isOn: boolean): Promise<void> {
    if (this.#isOn === undefined || this.#isOn === isOn) return;
    this.#isOn = isOn;
    await this.#told(() => this.#options.item.set(isOn));
  }

  /** Returns the system's current state. */
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
