import { useState, type ReactNode } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import { formatSpanOfTime } from '../format/moments.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Page } from '../ui/page.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { SaveTools, useSaving } from './save.tsx';
import { seriesCsv } from './series-csv.ts';
import { SpanBar } from './span-bar.tsx';
import type { SpanWindow } from './use-span-window.ts';

const shapes = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
  { value: 'calls', label: 'Calls' },
] as const;

/** Data for the charts: the history's answer, a ref for the element saved as a picture, and a callback that opens the table. */
interface ShownPast {
  readonly reply: SeriesReply;
  readonly picture: (element: HTMLDivElement | null) => void;
  readonly onAll: () => void;
}

interface TimeViewProps {
  readonly title: string;
  /** Content beside the title. */
  readonly head: ReactNode;
  /** Content below the controls that choose the time. */
  readonly children?: ReactNode;
  readonly span: SpanWindow;
  readonly metrics: readonly HistoryMetric[];
  /** Answer of the history; undefined until it has loaded, or if nothing is requested. */
  readonly reply: SeriesReply | undefined;
  readonly error: ErrorReport | undefined;
  readonly onAgain: () => void;
  /** Subject of the figures for error messages; `file` is the subject for file names. */
  readonly whose: string;
  readonly file: string;
  /** Title of the saved picture, without its time span. */
  readonly picture: string;
  /** Text instead of charts and table; undefined if there are figures to show. */
  readonly nothing: ReactNode;
  readonly charts: (shown: ShownPast) => ReactNode;
  readonly table: (reply: SeriesReply) => ReactNode;
  /**
   * Content about calls, shown in place of charts and table; undefined if the view has none. Only views with this content let
   * the user compare with another time, except in the table.
   */
  readonly calls?: ReactNode;
}

/** Figures of several servers over time, as charts or a table, with header, time controls, buttons to save, and errors. */
export function TimeView({ title, head, children, span, reply, nothing, calls, ...past }: TimeViewProps) {
  const { charts, table, metrics, error, onAgain, whose, file, picture } = past;
  const [drawn, setDrawn] = useState<HTMLDivElement | null>(null);
  const [shape, setShape] = useState<(typeof shapes)[number]['value']>('charts');
  const saving = useSaving(file);
  const hasSeries = reply !== undefined && shape !== 'calls';
  return (
    <Page
      title={title}
      hasCharts
      tools={
        <>
          {head}
          <Segments
            name="Shown as"
            value={shape}
            choices={calls === undefined ? shapes.slice(0, 2) : shapes}
            onChange={setShape}
          />
        </>
      }
    >
      <SpanBar
        {...span}
        canCompare={calls !== undefined && shape !== 'table'}
        bucketMs={hasSeries ? reply.stepMs : undefined}
      >
        {hasSeries && (
          <SaveTools
            {...{ saving, drawn, window: span.window }}
            csv={() => seriesCsv(reply, metrics)}
            title={`${picture} ${formatSpanOfTime(span.window)}`}
          />
        )}
      </SpanBar>
      {children}
      {error !== undefined && (
        <div className="flex items-center gap-8 px-16 py-8">
          <ErrorNote error={error} server={whose} lead="Could not read the past" />
          <TextButton onClick={onAgain}>Try again</TextButton>
        </div>
      )}
      {shape === 'calls' && calls}
      {shape !== 'calls' && nothing !== undefined && <p className="px-16 py-24 text-dim">{nothing}</p>}
      {nothing === undefined && hasSeries && shape === 'table' && table(reply)}
      {nothing === undefined &&
        hasSeries &&
        shape === 'charts' &&
        charts({ reply, picture: setDrawn, onAll: () => setShape('table') })}
    </Page>
  );
}
