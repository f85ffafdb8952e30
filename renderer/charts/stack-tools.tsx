import { useState } from 'react';
import type { FileToSave } from '../../shared/file-to-save.ts';
import { formatDay, formatHourMinute } from '../format/moments.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { useTask } from '../use-task.ts';
import type { TimeWindow } from './downsample.ts';
import { pictureFile } from './picture-file.ts';
import { stackCsv } from './stack-csv.ts';
import { StackDialog } from './stack-dialog.tsx';
import type { StackPicture } from './stack-picture.ts';
import { stackTable, type StackTable } from './stack-table.ts';
import styles from './span-bar.module.css';

interface StackToolsProps {
  /** What is shown as of now; it is asked for when somebody wants it. */
  readonly picture: () => StackPicture;
}

/** What can be taken along of the charts: a table to read, a file of figures, a picture. */
export function StackTools({ picture }: StackToolsProps) {
  const { api } = useServices();
  const [open, setOpen] = useState<{ readonly table: StackTable; readonly shown: StackPicture }>();
  const { status, run, reset } = useTask<string | null>();
  const tableOf = (shown: StackPicture) => stackTable(shown.curves, shown.bucketMs);
  const save = (make: () => FileToSave) => void run(async () => api.saveFile(make()));
  const saveTable = (shown: StackPicture, table: StackTable) =>
    save(() => ({ name: fileName(shown, 'csv'), content: stackCsv(table), encoding: 'utf8' }));
  const saved = status?.phase === 'done' ? status.value : null;
  return (
    <>
      {saved !== null && (
        <span className={styles.points} role="status" data-tip={saved}>
          Saved
        </span>
      )}
      <div className={styles.steps}>
        <IconButton
          icon="table"
          name="Show as table"
          onClick={() => {
            const shown = picture();
            setOpen({ shown, table: tableOf(shown) });
          }}
        />
        <IconButton
          icon="import"
          name="Save figures as CSV…"
          label="CSV"
          isBusy={status?.phase === 'pending'}
          onClick={() => {
            const shown = picture();
            saveTable(shown, tableOf(shown));
          }}
        />
        <IconButton
          icon="import"
          name="Save picture as PNG…"
          label="PNG"
          isBusy={status?.phase === 'pending'}
          onClick={() => {
            const shown = picture();
            save(() => ({ name: fileName(shown, 'png'), content: pictureFile(shown), encoding: 'base64' }));
          }}
        />
      </div>
      {status?.phase === 'failed' && (
        <ErrorNote error={status.error} server={picture().server} lead="Not saved" onDismiss={reset} />
      )}
      {open !== undefined && (
        <StackDialog
          server={open.shown.server}
          table={open.table}
          window={open.shown.window}
          onSave={() => saveTable(open.shown, open.table)}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

/** `github 2026-11-22 2041 to 2026-11-23 2041.csv`, without the colons that some systems refuse. */
function fileName({ server, window }: StackPicture, ending: string): string {
  return `${server} ${momentOf(window.from)} to ${momentOf(window.to)}.${ending}`;
}

const momentOf = (at: TimeWindow['from']): string =>
  `${formatDay(at)} ${formatHourMinute(at).replace(':', '')}`;
