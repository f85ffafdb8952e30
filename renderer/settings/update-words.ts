import type { UpdateState, UpdateStep } from '../../shared/updates.ts';

export interface UpdateWords {
  readonly text: string;
  /** Button for the next possible step; undefined without one. */
  readonly button?: { readonly step: UpdateStep; readonly label: string; readonly busyLabel: string };
}

const check = { step: 'check', label: 'Check for updates', busyLabel: 'Checking…' } as const;

/** Text on newer versions, with the button beside it. */
export function updateWords(state: UpdateState): UpdateWords {
  switch (state.kind) {
    case 'off':
      return { text: 'Off: this build has no update feed, and asks nobody.' };
    case 'unchecked':
      return { text: 'The panel checks for updates only when you ask.', button: check };
    case 'newest':
      return { text: 'This is the newest version.', button: check };
    case 'available':
      return state.canInstall
        ? {
            text: `Version ${state.version} is available.`,
            button: { step: 'download', label: 'Download', busyLabel: 'Downloading…' },
          }
        : { text: `Version ${state.version} is available. Get it the way you got this one.`, button: check };
    case 'downloaded':
      return {
        text: `Version ${state.version} is ready. Every server is stopped first, and the panel starts again.`,
        button: { step: 'install', label: 'Restart and update', busyLabel: 'Stopping servers…' },
      };
  }
}
