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

/** Curve and value of memory or CPU. A line below the value shows the server's share of the use of all servers. */
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

/** The box of the value extends a little beyond the text, and a negative margin aligns the text with the column header. */
const shareLook = {
  memory: '-mr-4 px-4 py-2 rounded-sm text-right whitespace-nowrap w-70',
  // The CPU box is narrower, so that the distance to the memory on its left is larger than the distance to the CPU curve.
  cpu: '-mr-4 px-4 py-2 rounded-sm text-right whitespace-nowrap w-58',
} as const;

/**
 * Value, above a line that shows the server's share of the total. The line is hidden if the system forces its own colours,
 * because the value gives the same information.
 */
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

/** Milliseconds during which every sample must be above the warning level. A single peak does not justify a warning. */
const OVER_FOR_MS = 3500;

/** Returns a warning text if the CPU use stays above the warning level; otherwise undefined. */
function useCpuWarning({ name, sample, limits }: ServerView, figure: ScaledFigure): string | undefined {
  const { history } = useServices();
  if (figure !== 'cpu' || sample === undefined) return undefined;
  const isOver = isOverWarning(history.since(name, sample.at - OVER_FOR_MS), limits.maxCpuPercent);
  return isOver ? warnAboveWords(limits.maxCpuPercent) : undefined;
}

/** Number of consecutive samples that must be above the warning level, the same as the default for limits. */
const SUSTAINED_SAMPLES = 3;

/** Whether the CPU use of all of the latest samples is above the warning level. */
export function isOverWarning(latest: readonly Sample[], warnAbovePercent: number): boolean {
  return (
    latest.length >= SUSTAINED_SAMPLES &&
    latest.every(({ cpuPercent }) => cpuPercent !== undefined && cpuPercent > warnAbovePercent)
  );
}

/** Text for a CPU use above its limit. It says "warning" because the CPU limit only warns, unlike the other limits. */
const warnAboveWords = (warnAbovePercent: number): string =>
  `over its warning: warn above ${formatCpu(warnAbovePercent)}`;
