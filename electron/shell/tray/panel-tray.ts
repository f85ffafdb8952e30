import { app, Menu, nativeImage, nativeTheme, screen, Tray, type NativeImage } from 'electron';
import { systemClock } from '../../core/platform/system-clock.ts';
import { jumpTasks } from './tray-commands.ts';
import { hasTrayHost } from './tray-host.ts';
import { TrayMenu } from './tray-menu.ts';
import { trayModel, type TrayCommand, type TrayModel } from './tray-model.ts';
import type { TrayServer } from './tray-words.ts';
import { messageOf } from '../../../shared/message-of.ts';
import { drawTrayPicture, inkFor, trayPictureSizes } from '../icons/tray-picture.ts';
import { encodePng } from '../icons/raster.ts';

interface PanelTrayOptions {
  readonly onCommand: (command: TrayCommand) => void;
  /** Prints one line to the terminal. */
  readonly notice: (line: string) => void;
}

/** The icon in the system's tray, and the app's entry in the dock or task bar. The panel also works without a tray. */
export class PanelTray {
  readonly #options: PanelTrayOptions;
  /** Pictures drawn so far. They are few: an icon has one of five marks or none, and on Windows one of two line colours. */
  readonly #images = new Map<string, NativeImage>();
  #tray: Tray | undefined;
  #menu: TrayMenu<Menu> | undefined;
  #model: TrayModel = trayModel([]);
  /**
   * Whether the desktop had a program that shows tray icons (a tray host) at the last check. If the host has ended, the icon
   * must be created again for the next one.
   */
  #hasHost = false;
  #isDisposed = false;

  constructor(options: PanelTrayOptions) {
    this.#options = options;
    if (process.platform === 'win32' && app.isPackaged) setJumpTasks();
    nativeTheme.on('updated', this.#showImage);
    screen.on('display-metrics-changed', this.#showImage);
  }

  /** Returns whether the icon is visible, creating it if necessary. Checks each time: the tray may start after the panel. */
  async isShown(): Promise<boolean> {
    const hasHost = await hasTrayHost(process.platform);
    if (this.#isDisposed) return false;
    // The icon is not created before there is a tray host, the program that shows it. Without a host it would be invisible, and
    // its menu could not be used.
    if (hasHost && (this.#tray === undefined || !this.#hasHost)) this.#create();
    this.#hasHost = hasHost;
    return hasHost && this.#tray !== undefined;
  }

  /** Shows the state of these servers in the tray and on the dock. Changes only what looks different in the icon and menu. */
  update(servers: readonly TrayServer[]): void {
    const before = this.#model;
    this.#model = trayModel(servers);
    this.#updateDock(before);
    if (this.#tray === undefined) return;
    if (before.badge !== this.#model.badge) this.#showImage();
    if (before.tooltip !== this.#model.tooltip) this.#tray.setToolTip(this.#model.tooltip);
    this.#menu?.update(this.#model.items);
  }

  /** Shows the number of failed servers on the app's icon, and the commands for all servers in the dock's menu (macOS). */
  #updateDock(before: TrayModel): void {
    const { failed, forAll } = this.#model;
    // Desktops that cannot show numbers on icons ignore this.
    if (failed !== before.failed) app.setBadgeCount(failed);
    if (app.dock === undefined || JSON.stringify(forAll) === JSON.stringify(before.forAll)) return;
    const items = forAll.map(({ label, isEnabled: enabled, command }) => ({
      ...{ label, enabled },
      click: () => command && this.#options.onCommand(command),
    }));
    app.dock.setMenu(Menu.buildFromTemplate(items));
  }

  dispose(): void {
    this.#isDisposed = true;
    nativeTheme.off('updated', this.#showImage);
    screen.off('display-metrics-changed', this.#showImage);
    this.#destroy();
  }

  #destroy(): void {
    this.#menu?.dispose();
    this.#tray?.destroy();
    this.#menu = undefined;
    this.#tray = undefined;
  }

  #create(): void {
    this.#destroy();
    const { onCommand } = this.#options;
    try {
      const tray = new Tray(this.#image());
      tray.setToolTip(this.#model.tooltip);
      tray.on('click', () => {
        // On macOS, the system opens the menu on a click, so the click must not also open the window.
        if (process.platform !== 'darwin') onCommand({ kind: 'show-window' });
      });
      this.#menu = new TrayMenu({
        clock: systemClock,
        build: (entries) => Menu.buildFromTemplate(entries),
        onCommand,
        show: (menu) => tray.setContextMenu(menu),
      });
      this.#menu.update(this.#model.items);
      this.#tray = tray;
    } catch (error) {
      this.#options.notice(`no tray icon: ${messageOf(error)}`);
    }
  }

  readonly #showImage = () => this.#tray?.setImage(this.#image());

  #image(): NativeImage {
    const { platform } = process;
    const { badge } = this.#model;
    const ink = inkFor(platform, isPanelDark());
    const sizes = trayPictureSizes(platform, screen.getPrimaryDisplay().scaleFactor);
    const key = `${badge ?? 'plain'} ${ink} ${sizes[0]?.sizePx}`;
    const kept = this.#images.get(key);
    if (kept !== undefined) return kept;
    const image = nativeImage.createEmpty();
    for (const { scaleFactor, sizePx: size } of sizes)
      image.addRepresentation({ scaleFactor, buffer: encodePng(drawTrayPicture({ size, badge, ink })) });
    image.setTemplateImage(platform === 'darwin');
    this.#images.set(key, image);
    return image;
  }
}

/** Adds commands to the menu of the Windows task bar. */
function setJumpTasks(): void {
  const program = { program: process.execPath, iconPath: process.execPath, iconIndex: 0, description: '' };
  app.setUserTasks(jumpTasks.map(({ title, argument }) => ({ ...program, title, arguments: argument })));
}

/**
 * True if the desktop's panel with the tray is dark. On Windows, the task bar can be dark while windows are light. Older
 * Electron versions do not report the colour of the task bar; then that of the windows is used.
 */
function isPanelDark(): boolean {
  const theme: { shouldUseDarkColors: boolean; shouldUseDarkColorsForSystemIntegratedUI?: boolean } =
    nativeTheme;
  return theme.shouldUseDarkColorsForSystemIntegratedUI ?? theme.shouldUseDarkColors;
}
