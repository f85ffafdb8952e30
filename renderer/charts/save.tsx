import type { ReactNode } from 'react';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { type UsedTask, useServices, useTask } from '../services.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { domPicture } from './dom-picture.ts';
import type { TimeWindow } from './downsample.ts';

/**
 * Function that saves charts to a file, with the status of the last save: the saved file's path, or null if the user cancelled.
 */
interface SavePanel extends Pick<UsedTask<string | null, void>, 'status' | 'reset'> {
  /** Saves content to a file. @param make creates the content; an exception that it throws is reported like a failure to write */
  readonly save: (ending: 'csv' | 'png', window: TimeWindow, make: () => string) => void;
  /** Name of the server or view that the charts show; the file name begins with it. */
  readonly subject: string;
}

export function useSaving(subject: string): SavePanel {
  const { api } = useServices();
  const { status, run, reset } = useTask<string | null>();
  return {
    ...{ subject, status, reset },
    save: (ending, window, make) =>
      void run(async () =>
        api.saveFile({
          name: fileNameOf(subject, window, ending),
          content: make(),
          encoding: ending === 'csv' ? 'utf8' : 'base64',
        }),
      ),
  };
}

/** Returns a file name such as `github 2026-11-22 2041 to 2026-11-23 2041.csv`, without colons, which some systems forbid. */
const fileNameOf = (subject: string, window: TimeWindow, ending: 'csv' | 'png'): string =>
  `${subject} ${momentOf(window.from)} to ${momentOf(window.to)}.${ending}`;

const momentOf = (at: TimeWindow['from']): string =>
  `${formatDay(at)} ${formatHourMinute(at).replace(':', '')}`;

interface SaveToolsProps {
  readonly saving: SavePanel;
  readonly window: TimeWindow;
  /** Returns the current figures as CSV. */
  readonly csv: () => string;
  /** Element with the charts that is saved as a picture; null while nothing is drawn. */
  readonly drawn: HTMLElement | null;
  readonly title: string;
  /** Further buttons, placed before those that save. */
  readonly children?: ReactNode;
}

/** Buttons that save the figures of the charts (CSV), and save or copy their picture (PNG), with the result of the last save. */
export function SaveTools({ saving, window, csv, drawn, title, children }: SaveToolsProps) {
  const { status, save, reset, subject } = saving;
  const isBusy = status?.phase === 'pending';
  const savedAs = status?.phase === 'done' ? status.value : null;
  return (
    <>
      {savedAs !== null && (
        <span className="whitespace-nowrap text-12 text-dim" role="status" data-tip={savedAs}>
          Saved
        </span>
      )}
      <div className="flex items-center gap-4">
        {children}
        <IconButton
          icon="import"
          name="Save figures as CSV…"
          label="CSV"
          isBusy={isBusy}
          onClick={() => save('csv', window, csv)}
        />
        <IconButton
          icon="import"
          name="Save picture as PNG…"
          label="PNG"
          isBusy={isBusy}
          disabled={drawn === null}
          onClick={() => drawn && save('png', window, () => domPicture(drawn, title))}
        />
        <CopyPictureButton drawn={drawn} title={title} />
      </div>
      <FailedNote status={status} server={subject} lead="Not saved" onDismiss={reset} />
    </>
  );
}

/** Button that copies the picture of the charts. After that, it shows “Copied” until the pointer or the focus leaves it. */
function CopyPictureButton({ drawn, title }: Pick<SaveToolsProps, 'drawn' | 'title'>) {
  const { api } = useServices();
  const { status, run, reset } = useTask<void>();
  const isCopied = status?.phase === 'done';
  return (
    <IconButton
      icon={isCopied ? 'done' : 'copy'}
      name={isCopied ? 'Copied' : 'Copy picture'}
      isBusy={status?.phase === 'pending'}
      disabled={drawn === null}
      {...(status?.phase === 'failed' && { tip: `Not copied: ${status.error.message}` })}
      onClick={() => drawn && void run(async () => api.copyPicture(domPicture(drawn, title)))}
      onPointerLeave={reset}
      onBlur={reset}
    />
  );
}
