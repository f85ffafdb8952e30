import { colourOf, type ColourSlots } from '../charts/colour-slots.ts';
import { serverHref } from '../store/route-store.ts';
import { TITLE_PX, yOf } from '../charts/plot-frame.ts';
import { figureOf, lastOf, type CompareChart } from './comparison.ts';
import { LABEL_PX, labelPlaces } from './label-places.ts';
import styles from './compare-charts.module.css';

interface EndLabelsProps {
  readonly chart: CompareChart;
  readonly slots: ColourSlots;
  readonly height: number;
  /** Place of the labels from the left. */
  readonly left: number;
  /** Instant of the cursor; without one the newest figures are told. */
  readonly at: number | undefined;
  readonly pointed: string | undefined;
  readonly onPoint: (server: string | undefined) => void;
}

/** Name and figure of each line beside its end; at a cursor the figures are those of its instant. */
export function EndLabels({ chart, slots, height, left, at, pointed, onPoint }: EndLabelsProps) {
  const { figure, axis, reachMs } = chart;
  const lines = chart.lines.filter(({ rows }) => rows.length > 0);
  const places = labelPlaces(
    lines.map(({ rows }) => TITLE_PX + yOf(lastOf(rows)?.average ?? 0, { axis, height })),
    TITLE_PX + height,
  );
  return (
    <ul className={styles.labels} style={{ left }} aria-label={`${figure.title} by server`}>
      {lines.map((line, index) => (
        <li key={line.server} style={{ top: places[index]! - LABEL_PX / 2 }}>
          <a
            href={serverHref(line.server)}
            className={line.server === pointed ? styles.chosen : undefined}
            onPointerEnter={() => onPoint(line.server)}
            onPointerLeave={() => onPoint(undefined)}
          >
            <span className={styles.dash} style={{ background: colourOf(line.server, slots) }} />
            <span className={styles.name}>{line.server}</span>
            <span className={styles.figure}>{figure.short(figureOf(line, at, reachMs))}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
