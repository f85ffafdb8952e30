import { useState, type Ref } from 'react';
import { formatPlural } from '../format/figures.ts';
import { formatSpanOfTime } from '../format/moments.ts';
import { formatSpan } from '../format/durations.ts';
import { hrefOf } from '../store/route-store.ts';
import { usePanel } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow, type SpanWindow } from '../charts/use-span-window.ts';
import { SaveTools, useSaving } from '../charts/save.tsx';
import { seriesCsv } from '../charts/series-csv.ts';
import { usageMetrics } from './usage-metrics.ts';
import { UsageCharts } from './usage-charts.tsx';
import { UsageTable } from './usage-table.tsx';
import { useSpanUsage } from './use-span-usage.ts';
import styles from './usage-view.module.css';

const shapes = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
] as const;
type Shape = (typeof shapes)[number]['value'];

/** Who uses what: memory and CPU of all servers over a span, stacked, or as a table. */
export function UsageView() {
  const names = usePanel((state) => state.names);
  const count = names.length;
  const span = useSpanWindow(names);
  const { usage, error, retry } = useSpanUsage(span.window);
  const [charts, setCharts] = useState<HTMLDivElement | null>(null);
  const [shape, setShape] = useState<Shape>('charts');
  const saving = useSaving('usage');
  return (
    <div className={styles.view} data-charts="">
      <header className={styles.header}>
        <h1 className={styles.title}>Usage</h1>
        <span className={styles.count}>{formatPlural(count, 'server')}</span>
        {count > 1 && (
          <a className={styles.compare} href={hrefOf({ view: 'compare', servers: [] })}>
            Compare…
          </a>
        )}
        <Segments name="Shown as" value={shape} choices={shapes} onChange={setShape} />
      </header>
      <SpanBar {...span} bucketMs={usage?.reply.stepMs}>
        {usage !== undefined && (
          <SaveTools
            saving={saving}
            window={span.window}
            csv={() => seriesCsv(usage.reply, usageMetrics)}
            drawn={charts}
            title={`Usage of ${formatPlural(count, 'server')}, ${formatSpanOfTime(span.window)}`}
          />
        )}
      </SpanBar>
      {error !== undefined && (
        <div className={styles.error}>
          <ErrorNote error={error} server="all servers" lead="Could not read the past" />
          <TextButton onClick={retry}>Try again</TextButton>
        </div>
      )}
      <Content {...{ usage, span, shape, count }} charts={setCharts} onAll={() => setShape('table')} />
    </div>
  );
}

interface ContentProps {
  readonly usage: ReturnType<typeof useSpanUsage>['usage'];
  readonly span: SpanWindow;
  readonly shape: Shape;
  readonly count: number;
  readonly onAll: () => void;
  /** Takes the element that the charts are in. */
  readonly charts: Ref<HTMLDivElement>;
}

function Content({ usage, span, shape, count, onAll, charts }: ContentProps) {
  if (count === 0)
    return <p className={styles.nothing}>Add a server, and what it uses over time is drawn here.</p>;
  if (usage === undefined) return null;
  if (usage.of.memoryBytes.servers.length + usage.of.cpuPercent.servers.length === 0)
    return <p className={styles.nothing}>{emptyWords(span)}</p>;
  if (shape === 'table') return <UsageTable usage={usage} />;
  return <UsageCharts usage={usage} span={span} onAll={onAll} ref={charts} />;
}

const emptyWords = ({ liveMs }: SpanWindow): string =>
  liveMs === undefined
    ? 'Nothing was measured in this span.'
    : `Nothing was measured in the last ${formatSpan(liveMs)}. Remote servers have no processes to measure here.`;
