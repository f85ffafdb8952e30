import { useState } from 'react';
import { formatSpanOfTime } from '../format/moments.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { CallCurve } from './call-curves.ts';
import type { TimeWindow } from './downsample.ts';
import { SaveTools, useSaving } from './save.tsx';
import { stackCsv } from './series-csv.ts';
import type { Curve } from './series.ts';
import { StackDialog } from './stack-dialog.tsx';
import { stackTable, type StackTable } from './stack-table.ts';

interface StackToolsProps {
  readonly server: string;
  readonly curves: readonly (Curve | CallCurve)[];
  readonly bucketMs: number;
  readonly window: TimeWindow;
  /** What the picture shows. */
  readonly drawn: HTMLElement | null;
}

/** What can be taken along of the charts: a table to read, a file of figures, a picture. */
export function StackTools({ server, curves, bucketMs, window, drawn }: StackToolsProps) {
  const [open, setOpen] = useState<{ readonly table: StackTable; readonly window: TimeWindow }>();
  const saving = useSaving(server);
  return (
    <>
      <SaveTools
        {...{ saving, window, drawn }}
        csv={() => stackCsv(stackTable(curves, bucketMs))}
        title={`${server}, ${formatSpanOfTime(window)}`}
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
          {...open}
          onSave={() => saving.save('csv', open.window, () => stackCsv(open.table))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}
