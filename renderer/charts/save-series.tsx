import type { HistoryMetric, SeriesReply } from '../../shared/history.ts';
import type { TimeWindow } from './downsample.ts';
import { SaveTools } from './save-tools.tsx';
import { fileNameOf, useSaving } from './use-saving.ts';
import { domPicture } from './dom-picture.ts';
import { seriesCsv } from './series-csv.ts';

interface SaveSeriesProps {
  /** What the figures are of, for the names of the files. */
  readonly subject: string;
  readonly window: TimeWindow;
  readonly reply: SeriesReply;
  readonly metrics: readonly HistoryMetric[];
  /** What the picture shows; null while nothing is drawn. */
  readonly drawn: HTMLElement | null;
  /** Title of the picture. */
  readonly title: string;
}

/** Buttons that save the figures of several servers, and the charts that are drawn of them. */
export function SaveSeries({ subject, window, reply, metrics, drawn, title }: SaveSeriesProps) {
  return (
    <SaveTools
      saving={useSaving()}
      subject={subject}
      csv={() => ({
        name: fileNameOf(subject, window, 'csv'),
        content: seriesCsv(reply, metrics),
        encoding: 'utf8',
      })}
      png={
        drawn === null
          ? undefined
          : () => ({
              name: fileNameOf(subject, window, 'png'),
              content: domPicture(drawn, title),
              encoding: 'base64',
            })
      }
    />
  );
}
