import { useState } from 'react';
import { formatCount } from '../format/figures.ts';
import { figures } from '../charts/figures.ts';
import { formatShare, spanColumns, type SpanUse, UsedServer } from '../charts/span-table.tsx';
import { colourOf } from '../format/server-colours.ts';
import { useColours } from '../services.ts';
import { moveBetweenLinks } from '../overview/usage-legend.tsx';
import type { SpanUsage, UsageMetric } from './span-usage.ts';
import { bandKey, type BandKey } from './usage-cursor.ts';
import styles from './usage-charts.module.css';

interface UsageListProps {
  readonly metric: UsageMetric;
  readonly usage: SpanUsage;
  /** Key of the band that is under the pointer or has the focus; undefined if there is none. */
  readonly pointed: BandKey | undefined;
  readonly onPoint: (band: BandKey | undefined) => void;
  /** Called to show the table with every server. */
  readonly onAll: () => void;
}

/** Legend of a stacked chart, with each band's values in the time range. It is one Tab stop; arrow keys move between bands. */
export function UsageList({ metric, usage, pointed, onPoint, onAll }: UsageListProps) {
  const colours = useColours();
  const [home, setHome] = useState(0);
  const { title, short: format } = figures[metric];
  const { bands, servers } = usage;
  const isOwn = pointed === undefined || bands.some(({ server }) => bandKey(server) === pointed);
  const chosen = isOwn ? pointed : bandKey(undefined);
  const others = servers.length - bands.filter(({ server }) => server !== undefined).length;
  return (
    <table
      className={`${styles.list} self-start mt-2 text-12/16`}
      aria-label={`${title} by server`}
      onPointerLeave={() => onPoint(undefined)}
      onBlur={() => onPoint(undefined)}
      onKeyDown={moveBetweenLinks}
    >
      {head}
      <tbody>
        {bands.map((use, band) => {
          const key = bandKey(use.server);
          const focus = {
            tabIndex: band === Math.min(home, bands.length - 1) ? 0 : -1,
            onFocus: () => {
              setHome(band);
              onPoint(key);
            },
          };
          return (
            <tr
              key={key}
              className={key === chosen ? styles.chosen : undefined}
              onPointerEnter={() => onPoint(key)}
            >
              <th scope="row">
                <span
                  className="swatch inline-block mr-8"
                  style={{ background: colourOf(use.server, colours) }}
                />
                {use.server === undefined ? (
                  <button type="button" {...focus} onClick={onAll}>
                    {formatCount(others)} others
                  </button>
                ) : (
                  <UsedServer server={use.server} {...focus} />
                )}
              </th>
              <Figures use={use} format={format} />
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const head = (
  <thead>
    <tr>
      <th scope="col">Server</th>
      {(['average', 'peak', 'share'] as const).map((column) => (
        <th key={column} scope="col" data-tip={spanColumns[column].meaning}>
          {spanColumns[column].title}
        </th>
      ))}
    </tr>
  </thead>
);

interface FiguresProps {
  readonly use: SpanUse;
  readonly format: (figure: number | undefined) => string;
}

/** Table cells with the average, peak and share of one band. */
const Figures = ({ use: { average, peak, share }, format }: FiguresProps) => (
  <>
    <td>{format(average)}</td>
    <td>{format(peak)}</td>
    <td>{formatShare(share)}</td>
  </>
);
