import { app, Menu } from 'electron';
import { dockModel, jumpTasks, type DockModel } from './dock-model.ts';
import type { TrayCommand } from './tray-model.ts';
import type { TrayServer } from './tray-words.ts';

/** Number of failed servers on the app's icon, and commands in the menu of the dock (macOS) or task bar (Windows). */
export class Dock {
  readonly #onCommand: (command: TrayCommand) => void;
  #shown: DockModel = dockModel([]);

  constructor(onCommand: (command: TrayCommand) => void) {
    this.#onCommand = onCommand;
    if (process.platform !== 'win32' || !app.isPackaged) return;
    const program = { program: process.execPath, iconPath: process.execPath, iconIndex: 0, description: '' };
    app.setUserTasks(jumpTasks.map(({ title, argument }) => ({ ...program, title, arguments: argument })));
  }

  update(servers: readonly TrayServer[]): void {
    const model = dockModel(servers);
    const before = this.#shown;
    this.#shown = model;
    // Desktops without numbers on icons ignore it.
    if (model.failed !== before.failed) app.setBadgeCount(model.failed);
    if (app.dock === undefined || JSON.stringify(model.items) === JSON.stringify(before.items)) return;
    const items = model.items.flatMap((item) =>
      item === 'separator' || 'submenu' in item || item.command === undefined
        ? []
        : [{ label: item.label, enabled: item.isEnabled, click: this.#click(item.command) }],
    );
    app.dock.setMenu(Menu.buildFromTemplate(items));
  }

  #click(command: TrayCommand): () => void {
    return () => this.#onCommand(command);
  }
}
