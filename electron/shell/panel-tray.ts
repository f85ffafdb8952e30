import { Menu, nativeTheme, Tray, type MenuItemConstructorOptions } from 'electron';
import { hasTrayHost } from './tray-host.ts';
import { TrayImages } from './tray-images.ts';
import { trayModel, type TrayCommand, type TrayItem, type TrayModel, type TrayServer } from './tray-model.ts';

export interface PanelTrayOptions {
  readonly platform: NodeJS.Platform;
  readonly onCommand: (command: TrayCommand) => void;
  /** One line for the terminal. */
  readonly notice: (line: string) => void;
}

/** The icon in the system's tray. Without a tray the panel works as well. */
export class PanelTray {
  readonly #options: PanelTrayOptions;
  readonly #images: TrayImages;
  #tray: Tray | undefined;
  #model: TrayModel = trayModel([]);
  /** The desktop took the icon. An icon made before there was a host stays unseen and must be made anew. */
  #hasHost = false;
  #isDisposed = false;

  constructor(options: PanelTrayOptions) {
    this.#options = options;
    this.#images = new TrayImages(options.platform);
    nativeTheme.on('updated', this.#showImage);
  }

  /** True when the icon is to be seen. Asks again each time, since a desktop's tray may come later than we do. */
  async isShown(): Promise<boolean> {
    const hasHost = await hasTrayHost(this.#options.platform);
    if (this.#isDisposed) return false;
    if (this.#tray === undefined || (hasHost && !this.#hasHost)) this.#create();
    this.#hasHost = hasHost;
    return hasHost && this.#tray !== undefined;
  }

  /** Shows these servers; touches the system only for what looks different. */
  update(servers: readonly TrayServer[]): void {
    const before = this.#model;
    this.#model = trayModel(servers);
    if (this.#tray === undefined) return;
    if (before.badge !== this.#model.badge) this.#showImage();
    if (before.tooltip !== this.#model.tooltip) this.#tray.setToolTip(this.#model.tooltip);
    if (JSON.stringify(before.items) !== JSON.stringify(this.#model.items)) this.#showMenu(this.#tray);
  }

  dispose(): void {
    this.#isDisposed = true;
    nativeTheme.off('updated', this.#showImage);
    this.#tray?.destroy();
    this.#tray = undefined;
  }

  #create(): void {
    this.#tray?.destroy();
    this.#tray = undefined;
    try {
      const tray = new Tray(this.#images.image(this.#model.badge, isPanelDark()));
      tray.setToolTip(this.#model.tooltip);
      tray.on('click', () => {
        // On macOS a click opens the menu.
        if (this.#options.platform !== 'darwin') this.#options.onCommand({ kind: 'show-window' });
      });
      this.#showMenu(tray);
      this.#tray = tray;
    } catch (error) {
      this.#options.notice(`no tray icon: ${String(error)}`);
    }
  }

  readonly #showImage = () => this.#tray?.setImage(this.#images.image(this.#model.badge, isPanelDark()));

  #showMenu(tray: Tray): void {
    tray.setContextMenu(Menu.buildFromTemplate(this.#model.items.map((item) => this.#menuItem(item))));
  }

  #menuItem(item: TrayItem): MenuItemConstructorOptions {
    if (item === 'separator') return { type: 'separator' };
    if ('submenu' in item)
      return { label: item.label, submenu: item.submenu.map((inner) => this.#menuItem(inner)) };
    const { command, isEnabled: enabled, label } = item;
    return { label, enabled, click: () => this.#options.onCommand(command) };
  }
}

/** Windows can have a dark taskbar under light windows; older Electrons do not tell. */
function isPanelDark(): boolean {
  const theme: { shouldUseDarkColors: boolean; shouldUseDarkColorsForSystemIntegratedUI?: boolean } =
    nativeTheme;
  return theme.shouldUseDarkColorsForSystemIntegratedUI ?? theme.shouldUseDarkColors;
}
