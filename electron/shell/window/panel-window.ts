import {
  app,
  BrowserWindow,
  Menu,
  nativeImage,
  nativeTheme,
  screen,
  type MenuItemConstructorOptions,
  type WebPreferences,
} from 'electron';
import { installShortcuts } from '../app/app-menu.ts';
import { contextMenuItems } from './context-menu.ts';
import type { PageOrigin } from '../app/page-origin.ts';
import {
  loadWindowState,
  MIN_HEIGHT,
  MIN_WIDTH,
  saveWindowState,
  ACTUAL_SIZE_PERCENT,
  zoomAfter,
} from './window-state.ts';
import { bringBack, hideWindow, recoverPage, watchPageEnd, watchVisibility } from './window-behaviour.ts';
import type { ZoomStep } from '../../../shared/app-commands.ts';
import { drawAppPicture } from '../icons/app-picture.ts';
import { encodePng } from '../icons/raster.ts';
import { messageOf } from '../../../shared/message-of.ts';

/** Background of the page per colour scheme, so that the window does not flash before the first paint. */
const DARK_BACKGROUND = '#15171b';
const LIGHT_BACKGROUND = '#f8f9fb';
const ICON_PX = 64;
const NO_TRAY =
  'this desktop has no place for tray icons (no org.kde.StatusNotifierWatcher), ' +
  'so nothing could bring a hidden window back; Ctrl+Q quits';

export interface PanelWindowOptions {
  readonly origin: PageOrigin;
  readonly preloadPath: string;
  /** Path of the file that keeps the window's position and zoom between app runs. */
  readonly statePath: string;
  /** Whether the user could show a hidden window again. */
  readonly canHide: () => Promise<boolean>;
  /** Whether the panel keeps running when the window is closed, according to the user's setting. */
  readonly keepsRunning: () => boolean;
  /** Called each time closing has hidden or minimised the window. */
  readonly onPutAway: (away: PutAway) => void;
  readonly onVisibility: (isVisible: boolean) => void;
  /** Called when a page has ended, whether or not another page replaces it. */
  readonly onPageEnd: () => void;
  /** Called when an app window is shown for the first time. */
  readonly onFirstShown: () => void;
  /** If true, no window opens until one is requested. */
  readonly startsHidden: boolean;
  /** Fragment of the page with which the first window opens; empty for the servers. */
  readonly fragment: string;
  /** Prints one line to the terminal. */
  readonly notice: (line: string) => void;
}

export interface PutAway {
  readonly how: 'hidden' | 'minimised';
  /** True the first time closing hides or minimizes the window, so the user must be told. The window state file records this. */
  readonly isNews: boolean;
}

/** The app's only window. If the panel keeps running when the window is closed, the window is only hidden or minimised. */
export class PanelWindow {
  readonly #options: PanelWindowOptions;
  #window: BrowserWindow | undefined;
  #zoomPercent = ACTUAL_SIZE_PERCENT;
  #isToldOfTray = false;
  #isMinimisedByUs = false;

  constructor(options: PanelWindowOptions) {
    this.#options = options;
    if (!options.startsHidden) this.#window = this.#open(undefined, options.fragment);
  }

  get browserWindow(): BrowserWindow | undefined {
    return this.#window;
  }

  /** Brings the window to the front, and opens one if there is none. */
  show(): void {
    this.#window ??= this.#open();
    bringBack(this.#window, this.#isMinimisedByUs);
  }

  /**
   * Opens the app window minimised, unless it is already open. Used after a hidden start without a tray, because the user could
   * not show a hidden window later.
   */
  openMinimised(): void {
    if (this.#window !== undefined) return;
    this.#options.notice(`started with a minimised window: ${NO_TRAY}`);
    this.#window = this.#open((window) => window.minimize());
    this.#isMinimisedByUs = true;
  }

  /** Opens the page of one server. */
  showServer(name: string): void {
    this.showPage(`#/servers/${encodeURIComponent(name)}`);
  }

  /** Changes the zoom of everything in the window. */
  zoom(step: ZoomStep): void {
    if (this.#window === undefined) return;
    this.#zoomPercent = zoomAfter(this.#zoomPercent, step);
    this.#applyZoom(this.#window);
    this.#save(this.#window);
  }

  /** Sets the icon on Linux; on the other systems, it comes from the package. */
  setIcon(): void {
    if (process.platform !== 'linux') return;
    this.#window?.setIcon(nativeImage.createFromBuffer(encodePng(drawAppPicture(ICON_PX))));
  }

  /** Shows a menu at the pointer. */
  showMenu(items: readonly MenuItemConstructorOptions[]): void {
    if (this.#window === undefined || items.length === 0) return;
    Menu.buildFromTemplate([...items]).popup({ window: this.#window });
  }

  dispose(): void {
    if (this.#window === undefined) return;
    this.#save(this.#window);
    this.#window.destroy();
  }

  /** Shows the page with this fragment. */
  showPage(fragment: string): void {
    this.show();
    // Only the fragment of the URL changes, so the page is not reloaded and its router navigates.
    if (this.#window !== undefined) this.#load(this.#window, fragment);
  }

  #open(appear = (window: BrowserWindow) => window.show(), fragment = ''): BrowserWindow {
    const { notice, onFirstShown, onPageEnd, onVisibility } = this.#options;
    const { bounds, zoomPercent, isToldOfTray } = this.#stored();
    this.#zoomPercent = zoomPercent;
    this.#isToldOfTray = isToldOfTray;
    const window = new BrowserWindow({
      ...bounds,
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      backgroundColor: nativeTheme.shouldUseDarkColors ? DARK_BACKGROUND : LIGHT_BACKGROUND,
      webPreferences: this.#webPreferences(),
    });
    window.once('ready-to-show', () => appear(window));
    window.once('show', onFirstShown);
    window.on('close', (event) => {
      event.preventDefault();
      if (this.#options.keepsRunning()) void this.#putAway(window);
      else app.quit();
    });
    window.on('closed', () => (this.#window = undefined));
    window.on('focus', () => (this.#isMinimisedByUs = false));
    watchVisibility(window, onVisibility);
    watchPageEnd(window, onPageEnd);
    recoverPage(window, () => this.#load(window), notice);
    installShortcuts(window, (step) => this.zoom(step));
    window.webContents.on('context-menu', (_event, place) => this.showMenu(contextMenuItems(place)));
    window.webContents.on('zoom-changed', (_event, direction) => this.zoom(direction));
    // Chromium stores one zoom level per origin. The app therefore applies its own level to each page that is loaded.
    window.webContents.on('dom-ready', () => this.#applyZoom(window));
    this.#load(window, fragment);
    return window;
  }

  #webPreferences(): WebPreferences {
    return {
      preload: this.#options.preloadPath,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
      webSecurity: true,
      webviewTag: false,
      spellcheck: false,
      zoomFactor: this.#zoomPercent / 100,
      devTools: !app.isPackaged,
    };
  }

  #load(window: BrowserWindow, fragment = ''): void {
    window.loadURL(this.#options.origin.pageUrl + fragment).catch((error: unknown) => {
      if (window.isDestroyed()) return;
      this.#options.notice(`the window's page did not load: ${messageOf(error)}`);
      window.show();
    });
  }

  async #putAway(window: BrowserWindow): Promise<void> {
    const canHide = await this.#options.canHide();
    if (window.isDestroyed()) return;
    const isNews = !this.#isToldOfTray;
    this.#isToldOfTray = true;
    this.#save(window);
    if (canHide) hideWindow(window, process.platform);
    else {
      this.#options.notice(`closing the window minimised it: ${NO_TRAY}`);
      window.minimize();
    }
    this.#isMinimisedByUs = !canHide;
    this.#options.onPutAway({ how: canHide ? 'hidden' : 'minimised', isNews });
  }

  #applyZoom(window: BrowserWindow): void {
    window.webContents.setZoomFactor(this.#zoomPercent / 100);
  }

  #stored() {
    const screens = screen.getAllDisplays().map((display) => display.workArea);
    return loadWindowState(this.#options.statePath, screens, this.#options.notice);
  }

  #save(window: BrowserWindow): void {
    // `getNormalBounds` ignores that the app window is maximised or minimised, and returns the bounds that it has otherwise.
    saveWindowState(this.#options.statePath, {
      bounds: window.getNormalBounds(),
      zoomPercent: this.#zoomPercent,
      isToldOfTray: this.#isToldOfTray,
    });
  }
}
