import { useMemo, useState } from 'react';
import { SpanBar } from '../charts/span-bar.tsx';
import { useSpanWindow } from '../charts/use-span-window.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatSpanOfTime } from '../format/moments.ts';
import { SaveTools, useSaving } from '../charts/save.tsx';
import { seriesCsv } from '../charts/series-csv.ts';
import { comparedMetrics } from './comparison.ts';
import { CompareCharts } from './compare-charts.tsx';
import { CompareTable } from './compare-table.tsx';
import { ComparedServers, ServerPicker } from './server-picker.tsx';
import { useComparison } from './use-comparison.ts';
import styles from './compare-view.module.css';

const shapes = [
  { value: 'charts', label: 'Charts' },
  { value: 'table', label: 'Table' },
] as const;
type Shape = (typeof shapes)[number]['value'];

/** Up to six servers beside each other, each figure in one chart. The servers are those of the address. */
export function CompareView({ servers: named }: { readonly servers: readonly string[] }) {
  const key = named.join('\n');
  // The same servers keep the identity of their list, because each change of it asks anew.
  const servers = useMemo(() => (key === '' ? [] : key.split('\n')), [key]);
  const span = useSpanWindow(servers);
  const { reply, charts, slots, error, retry } = useComparison(servers, span.window);
  const [drawn, setDrawn] = useState<HTMLDivElement | null>(null);
  const [shape, setShape] = useState<Shape>('charts');
  const saving = useSaving('comparison');
  return (
    <div className={styles.view} data-charts="">
      <header className={styles.header}>
        <h1 className={styles.title}>Compare</h1>
        <span className={styles.picker}>
          <ServerPicker servers={servers} />
        </span>
        <Segments name="Shown as" value={shape} choices={shapes} onChange={setShape} />
      </header>
      <SpanBar {...span} bucketMs={reply?.stepMs}>
        {reply !== undefined && servers.length > 0 && (
          <SaveTools
            saving={saving}
            window={span.window}
            csv={() => seriesCsv(reply, comparedMetrics)}
            drawn={drawn}
            title={`${servers.join(', ')}: ${formatSpanOfTime(span.window)}`}
          />
        )}
      </SpanBar>
      {servers.length > 0 && <ComparedServers servers={servers} slots={slots} />}
      {error !== undefined && (
        <div className={styles.error}>
          <ErrorNote error={error} server={servers.join(', ')} lead="Could not read the past" />
          <TextButton onClick={retry}>Try again</TextButton>
        </div>
      )}
      {servers.length === 0 && (
        <p className={styles.nothing}>
          Choose up to six servers above, or select them in the list of servers, and their memory, CPU, open
          files and round trips are drawn on one scale.
        </p>
      )}
      {reply !== undefined && charts !== undefined && servers.length > 0 && (
        <>
          {shape === 'table' ? (
            <CompareTable charts={charts} servers={servers} />
          ) : (
            <CompareCharts charts={charts} reply={reply} slots={slots} span={span} ref={setDrawn} />
          )}
        </>
      )}
    </div>
  );
}
