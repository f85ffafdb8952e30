import { useState } from 'react';
import type { FileToSave } from '../../shared/file-to-save.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { pictureFile } from './picture-file.ts';
import { SaveTools } from './save-tools.tsx';
import { stackCsv } from './stack-csv.ts';
import { StackDialog } from './stack-dialog.tsx';
import type { StackPicture } from './stack-picture.ts';
import { stackTable, type StackTable } from './stack-table.ts';
import { fileNameOf, useSaving } from './use-saving.ts';

interface StackToolsProps {
  readonly server: string;
  /** What is shown as of now; it is asked for when somebody wants it. */
  readonly picture: () => StackPicture;
}

/** What can be taken along of the charts: a table to read, a file of figures, a picture. */
export function StackTools({ server, picture }: StackToolsProps) {
  const [open, setOpen] = useState<{ readonly table: StackTable; readonly shown: StackPicture }>();
  const saving = useSaving();
  return (
    <>
      <SaveTools
        saving={saving}
        subject={server}
        csv={() => {
          const shown = picture();
          return csvFile(shown, tableOf(shown));
        }}
        png={() => {
          const shown = picture();
          return {
            name: fileNameOf(server, shown.window, 'png'),
            content: pictureFile(shown),
            encoding: 'base64',
          };
        }}
      >
        <IconButton
          icon="table"
          name="Show as table"
          onClick={() => {
            const shown = picture();
            setOpen({ shown, table: tableOf(shown) });
          }}
        />
      </SaveTools>
      {open !== undefined && (
        <StackDialog
          server={open.shown.server}
          table={open.table}
          window={open.shown.window}
          onSave={() => saving.save(() => csvFile(open.shown, open.table))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

const tableOf = ({ curves, bucketMs }: StackPicture): StackTable => stackTable(curves, bucketMs);

const csvFile = ({ server, window }: StackPicture, table: StackTable): FileToSave => ({
  name: fileNameOf(server, window, 'csv'),
  content: stackCsv(table),
  encoding: 'utf8',
});
