import { formatClockTime, formatDay, formatHourMinute, formatMoment } from '../format/moments.ts';
import { useServices } from '../services.ts';
import { without, type LogQuery } from '../store/log-query.ts';
import { Popover } from '../ui/popover.tsx';
import { TextButton } from '../ui/text-button.tsx';
import styles from './log-filters.module.css';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const spans = [
  { words: 'Last 15 minutes', spanMs: 15 * MINUTE_MS },
  { words: 'Last hour', spanMs: HOUR_MS },
  { words: 'Last 24 hours', spanMs: 24 * HOUR_MS },
  { words: 'Last 7 days', spanMs: 7 * 24 * HOUR_MS },
] as const;

interface LogTimeProps {
  readonly query: LogQuery;
  readonly onQuery: (query: LogQuery) => void;
}

/** Choice of the time range whose lines are shown. */
export function LogTime({ query, onQuery }: LogTimeProps) {
  const { clock } = useServices();
  const { from, to } = query;
  const rest = without(query, 'from', 'to', 'at');
  const change = (next: { readonly from?: number | undefined; readonly to?: number | undefined }) => {
    onQuery({
      ...rest,
      ...(next.from !== undefined && { from: next.from }),
      ...(next.to !== undefined && { to: next.to }),
    });
  };
  return (
    <Popover name="Time shown" label={timeWords(query)} icon="choose" tip="Time whose lines are shown">
      <div className={styles.choices}>
        {spans.map(({ words, spanMs }) => (
          <TextButton key={words} onClick={() => change({ from: clock.getState().now - spanMs })}>
            {words}
          </TextButton>
        ))}
        <MomentField label="From" value={from} onChange={(next) => change({ from: next, to })} />
        <MomentField label="Before" value={to} onChange={(next) => change({ from, to: next })} />
        <TextButton onClick={() => change({})}>Any time</TextButton>
      </div>
    </Popover>
  );
}

interface MomentFieldProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly onChange: (at: number | undefined) => void;
}

function MomentField({ label, value, onChange }: MomentFieldProps) {
  return (
    <label className={styles.moment}>
      {label}
      <input
        type="datetime-local"
        step={1}
        value={value === undefined ? '' : `${formatDay(value)}T${formatClockTime(value)}`}
        onChange={({ currentTarget }) => {
          const at = new Date(currentTarget.value).getTime();
          onChange(Number.isNaN(at) || at < 0 ? undefined : at);
        }}
      />
    </label>
  );
}

function timeWords({ from, to }: LogQuery): string {
  if (from === undefined) return to === undefined ? 'Any time' : `Before ${formatMoment(to)}`;
  if (to === undefined) return `Since ${formatMoment(from).slice(0, -3)}`;
  const isSameDay = formatDay(from) === formatDay(to);
  return `${formatMoment(from).slice(0, -3)} – ${isSameDay ? formatHourMinute(to) : formatMoment(to).slice(0, -3)}`;
}
