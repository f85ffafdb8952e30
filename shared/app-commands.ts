import type { Keyed } from './keys.ts';

/** Zoom steps that the user can choose. */
export const zoomSteps = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof zoomSteps)[number];

export interface AppCommand extends Keyed {
  readonly id: `zoom-${ZoomStep}` | 'close-window' | 'quit' | 'reload' | 'toggle-devtools';
  readonly keys: string;
  /** Title on the sheet of shortcuts, which leaves out the commands for development. */
  readonly title?: string;
  readonly zoom?: {
    readonly step: ZoomStep;
    /** Name in the command palette. */
    readonly name: string;
    /** Label in the menu of macOS. */
    readonly label: string;
    /** Keys in the menu of macOS; the key that the menu shows is first. */
    readonly accelerators: readonly string[];
  };
  readonly isForDevelopment?: true;
}

/**
 * Commands of the whole app. The main process takes their keys before the page sees them; on macOS the menu bar does. "="
 * counts as "+" where "+" needs Shift, and the key at the position of 0 counts where digits need Shift.
 */
export const appCommands: readonly AppCommand[] = [
  {
    id: 'zoom-in',
    title: 'Enlarge',
    keys: 'Mod++',
    alsoKeys: ['Mod+=', 'Mod+Shift++', 'Mod+Shift+='],
    zoom: { step: 'in', name: 'Zoom in', label: 'Zoom In', accelerators: ['Plus', '=', 'numadd'] },
  },
  {
    id: 'zoom-out',
    title: 'Shrink',
    keys: 'Mod+−',
    alsoKeys: ['Mod+-', 'Mod+_', 'Mod+Shift+-', 'Mod+Shift+_'],
    zoom: { step: 'out', name: 'Zoom out', label: 'Zoom Out', accelerators: ['-', 'numsub'] },
  },
  {
    id: 'zoom-reset',
    title: 'Actual size',
    keys: 'Mod+0',
    alsoKeys: ['Mod+Shift+0', 'Mod+Digit0'],
    zoom: { step: 'reset', name: 'Actual size', label: 'Actual Size', accelerators: ['0', 'num0'] },
  },
  { id: 'close-window', title: 'Close the window', keys: 'Mod+W' },
  { id: 'quit', title: 'Quit', keys: 'Mod+Q' },
  { id: 'reload', keys: 'Mod+R', isForDevelopment: true },
  { id: 'toggle-devtools', keys: 'Mod+Shift+I', alsoKeys: ['F12'], isForDevelopment: true },
];
