import type { Keyed } from './keys.ts';

/** Zoom steps that the user can choose. */
export const zoomSteps = ['in', 'out', 'reset'] as const;
export type ZoomStep = (typeof zoomSteps)[number];

export interface AppCommand extends Keyed {
  readonly id: `zoom-${ZoomStep}` | 'close-window' | 'quit' | 'reload' | 'toggle-devtools';
  readonly keys: string;
  /** Title in the dialog that lists all shortcuts. Commands for development have none, because the dialog omits them. */
  readonly title?: string;
  readonly zoom?: {
    readonly step: ZoomStep;
    /** Name in the command palette. */
    readonly name: string;
    /** Label in the macOS menu. */
    readonly label: string;
    /** Keyboard shortcuts in the macOS menu. The menu shows the first one. */
    readonly accelerators: readonly string[];
  };
  readonly isForDevelopment?: true;
}

/**
 * Commands of the whole app. The main process handles their keys before the page receives them; on macOS, the menu bar does. On
 * keyboards where "+" needs Shift, "=" counts as "+". On keyboards where digits need Shift, the key at the position of 0 counts
 * as 0.
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
