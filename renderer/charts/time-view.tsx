import { useState, type ReactNode } from 'react';
import type { ErrorReport } from '../../shared/error-codes.ts';
import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import { formatSpanOfTime } from '../format/moments.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { SaveTools, useSaving } from './save.tsx';
import { seriesCsv } from './series-csv.ts';
import { SpanBar } from './span-bar.tsx';
import type { SpanWindow } from './use-span-window.ts';
import styles from './time-view.module.css';

const shapes = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
] as const;

/** What is drawn of the past, in which element the charts are, and how every server is shown with its figures. */
export interface ShownPast {
  readonly reply: SeriesReply;
  readonly picture: (element: HTMLDivElement | null) => void;
  readonly onAll: () => void;
}

interface TimeViewProps {
  readonly title: string;
  /** Beside the title. */
  readonly head: ReactNode;
  /** Below the choice of time. */
  readonly children?: ReactNode;
  readonly span: SpanWindow;
  readonly metrics: readonly HistoryMetric[];
  /** Undefined until it is known, and where nobody asks. */
  readonly reply: SeriesReply | undefined;
  readonly error: ErrorReport | undefined;
  readonly onAgain: () => void;
  /** Whose past it is, in words, and as files are called. */
  readonly whose: string;
  readonly file: string;
  /** Title of a picture, without its time. */
  readonly picture: string;
  /** Said in place of charts and table where there is nothing to show. */
  readonly nothing: ReactNode;
  readonly charts: (shown: ShownPast) => ReactNode;
  readonly table: (reply: SeriesReply) => ReactNode;
}

/** Figures of several servers over time, as charts or as a table: head, choice of time, what can be saved, and what went wrong. */
export function TimeView({
  title,
  head,
  children,
  span,
  reply,
  nothing,
  charts,
  table,
  ...past
}: TimeViewProps) {
  const { metrics, error, onAgain, whose, file, picture } = past;
  const [drawn, setDrawn] = useState<HTMLDivElement | null>(null);
  const [shape, setShape] = useState<(typeof shapes)[number]['value']>('charts');
  const saving = useSaving(file);
  return (
    <div className={styles.view} data-charts="">
      <header className={styles.header}>
        <h1 className={styles.title}>{title}</h1>
        {head}
        <Segments name="Shown as" value={shape} choices={shapes} onChange={setShape} />
      </header>
      <SpanBar {...span} bucketMs={reply?.stepMs}>
        {reply !== undefined && (
          <SaveTools
            {...{ saving, drawn, window: span.window }}
            csv={() => seriesCsv(reply, metrics)}
            title={`${picture} ${formatSpanOfTime(span.window)}`}
          />
        )}
      </SpanBar>
      {children}
      {error !== undefined && (
        <div className={styles.error}>
          <ErrorNote error={error} server={whose} lead="Could not read the past" />
          <TextButton onClick={onAgain}>Try again</TextButton>
        </div>
      )}
      {nothing !== undefined && <p className={styles.nothing}>{nothing}</p>}
      {nothing === undefined &&
        reply !== undefined &&
        (shape === 'table'
          ? table(reply)
          : charts({ reply, picture: setDrawn, onAll: () => setShape('table') }))}
    </div>
  );
}
