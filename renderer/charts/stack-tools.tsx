import { useState, type RefObject } from 'react';
import type { FileToSave } from '../../shared/file-to-save.ts';
import { formatSpanOfTime } from '../format/moments.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { CallCurve } from './call-curves.ts';
import { domPicture } from './dom-picture.ts';
import type { TimeWindow } from './downsample.ts';
import { SaveTools } from './save-tools.tsx';
import { stackCsv } from './stack-csv.ts';
import { StackDialog } from './stack-dialog.tsx';
import { stackTable, type StackTable } from './stack-table.ts';
import type { Curve } from './series.ts';
import { fileNameOf, useSaving } from './use-saving.ts';

interface StackToolsProps {
  readonly server: string;
  readonly curves: readonly (Curve | CallCurve)[];
  readonly bucketMs: number;
  readonly window: TimeWindow;
  /** What the picture shows. */
  readonly drawn: RefObject<HTMLElement | null>;
}

/** What can be taken along of the charts: a table to read, a file of figures, a picture. */
export function StackTools({ server, curves, bucketMs, window, drawn }: StackToolsProps) {
  const [open, setOpen] = useState<{ readonly table: StackTable; readonly window: TimeWindow }>();
  const saving = useSaving();
  const csvFile = (table: StackTable, of: TimeWindow): FileToSave => ({
    name: fileNameOf(server, of, 'csv'),
    content: stackCsv(table),
    encoding: 'utf8',
  });
  return (
    <>
      <SaveTools
        saving={saving}
        subject={server}
        csv={() => csvFile(stackTable(curves, bucketMs), window)}
        png={() => ({
          name: fileNameOf(server, window, 'png'),
          content: domPicture(drawn.current!, `${server}, ${formatSpanOfTime(window)}`),
          encoding: 'base64',
        })}
      >
        <IconButton
          icon="table"
          name="Show as table"
          onClick={() => setOpen({ window, table: stackTable(curves, bucketMs) })}
        />
      </SaveTools>
      {open !== undefined && (
        <StackDialog
          server={server}
          table={open.table}
          window={open.window}
          onSave={() => saving.save(() => csvFile(open.table, open.window))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
