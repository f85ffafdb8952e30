import { useContext } from 'react';
import type { Sample, ServerView } from '../../shared/domain.ts';
import { ListScaleContext, type ScaledFigure, shareOf } from '../charts/list-scale.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { formatCpu, formatMemory, MISSING } from '../format/figures.ts';
import { useServices } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import { columns, columnsWithCurves, useShownColumns } from './list-columns.ts';

interface UsageCellProps {
  readonly server: ServerView;
  readonly figure: ScaledFigure;
}

/** Curve and figure of memory or CPU. The background is filled by its share of the use of all servers. */
export function UsageCell({ server, figure }: UsageCellProps) {
  const { name, sample } = server;
  const text = figure === 'memory' ? formatMemory(sample?.memoryBytes) : formatCpu(sample?.cpuPercent);
  const { curves } = useShownColumns();
  const width = (curves ? columnsWithCurves : columns)[figure];
  const warning = useCpuWarning(server, figure);
  const title = figure === 'memory' ? 'Memory' : 'CPU';
  return (
    <span
      role="cell"
      className={`flex items-center justify-end gap-8 ${width} @max-[881px]/servers:[&>svg]:hidden!`}
      aria-label={[`${title} ${text}`, warning].filter(Boolean).join(', ')}
    >
      {warning !== undefined && (
        <span className="flex text-suspect" data-tip={warning}>
          <Icon name="warning" size={14} />
        </span>
      )}
      {curves && <Sparkline server={name} figure={figure} />}
      <Share figure={figure} value={figure === 'memory' ? sample?.memoryBytes : sample?.cpuPercent}>
        {text}
      </Share>
    </span>
  );
}

interface ShareProps {
  readonly figure: ScaledFigure;
  readonly value: number | undefined;
  readonly children: string;
}

/** The ground goes a little further than the words, which end where their header does. */
const shareLook = {
  memory: '-mr-4 px-4 py-2 rounded-sm text-right whitespace-nowrap w-70',
  // The distance to the memory on its left is larger than that to its own curve.
  cpu: '-mr-4 px-4 py-2 rounded-sm text-right whitespace-nowrap w-58',
} as const;

/** Figure, above a line for the server's share of all. Shades are not the system's, and the figure says what they say. */
function Share({ figure, value, children }: ShareProps) {
  const share = `${shareOf(useContext(ListScaleContext), figure, value) * 100}%`;
  const look = shareLook[figure];
  if (children === MISSING) return <span className={`${look} text-faint`}>{children}</span>;
  return (
    <span
      className={`${look} forced-colors:bg-none!`}
      style={{
        background: `linear-gradient(to right, var(--${figure}) ${share}, transparent ${share}) bottom / 100% 2px no-repeat`,
      }}
    >
      {children}
    </span>
  );
}

/** Milliseconds in which every sample must be above the warning level, because a single peak is not worth a warning. */
const OVER_FOR_MS = 3500;

/** Warning text for a CPU use that stays above the warning level; undefined otherwise. */
function useCpuWarning({ name, sample, limits }: ServerView, figure: ScaledFigure): string | undefined {
  const { history } = useServices();
  if (figure !== 'cpu' || sample === undefined) return undefined;
  const isOver = isOverWarning(history.since(name, sample.at - OVER_FOR_MS), limits.maxCpuPercent);
  return isOver ? warnAboveWords(limits.maxCpuPercent) : undefined;
}

/** Number of samples in a row that must be above the warning, the same as the default for limits. */
const SUSTAINED_SAMPLES = 3;

/** Whether all of the latest samples are above the CPU warning. */
export function isOverWarning(latest: readonly Sample[], warnAbovePercent: number): boolean {
  return (
    latest.length >= SUSTAINED_SAMPLES &&
    latest.every(({ cpuPercent }) => cpuPercent !== undefined && cpuPercent > warnAbovePercent)
  );
}

/** Text for a CPU above its limit. It says "warning" because the CPU limit only warns, unlike the others. */
const warnAboveWords = (warnAbovePercent: number): string =>
  `over its warning: warn above ${formatCpu(warnAbovePercent)}`;
