import { useEffect, useState } from 'react';
import type { UpdateState, UpdateStep } from '../../shared/updates.ts';
import { TextButton } from '../ui/text-button.tsx';
import { useServices, useTask } from '../services.ts';

/** Field with the state of updates and a button for the next step. */
export function UpdatesField() {
  const { api } = useServices();
  const [state, setState] = useState<UpdateState>();
  const { status, run } = useTask<void>();
  useEffect(() => {
    api.getUpdateState().then(setState, () => setState({ kind: 'off' }));
  }, [api]);

  const take = (step: UpdateStep) => run(() => api.takeUpdateStep(step).then(setState));
  if (state === undefined) return null;
  const { text, button } = updateWords(state);
  const isBusy = status?.phase === 'pending';
  return (
    <div className="flex flex-wrap items-center gap-x-12 gap-y-8" data-setting="updates">
      <span className="select-text" role="status">
        {status?.phase === 'failed' ? status.error.message : text}
      </span>
      {button !== undefined && (
        <TextButton isBusy={isBusy} onClick={() => void take(button.step)}>
          {isBusy ? button.busyLabel : button.label}
        </TextButton>
      )}
    </div>
  );
}

interface UpdateWords {
  readonly text: string;
  /** Button for the next possible step; undefined if there is no next step. */
  readonly button?: { readonly step: UpdateStep; readonly label: string; readonly busyLabel: string };
}

const check = { step: 'check', label: 'Check for updates', busyLabel: 'Checking…' } as const;

/** Returns the text about newer versions, and the button shown beside it. */
function updateWords(state: UpdateState): UpdateWords {
  switch (state.kind) {
    case 'off':
      return { text: 'Off: this build has no update feed, so it never checks.' };
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
