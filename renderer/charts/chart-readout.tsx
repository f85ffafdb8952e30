import { useView } from '../services.ts';
import { ROOMY_PX, type FigureLook } from './figures.ts';

interface ChartReadoutProps {
  readonly figure: Pick<FigureLook, 'title' | 'meaning' | 'heightPx'>;
  readonly server: string;
  readonly latest: string;
  /** Returns the lines below the latest value. They describe the cursor's instant, or the time shown if there is no cursor. */
  readonly linesAt?: (cursorAt: number | undefined) => readonly string[];
}

const NO_LINES = () => [];

/** Readout of a chart: its title, the latest value, and either a summary of the time shown or the value at the cursor. */
export function ChartReadout({ figure, server, latest, linesAt = NO_LINES }: ChartReadoutProps) {
  const { title, meaning, heightPx } = figure;
  const lines = linesAt(useView((state) => state.cursorAt ?? state.pinnedAt));
  return (
    <div className="flex flex-col pt-4 whitespace-nowrap">
      <span className="caption" {...(meaning !== undefined && { 'data-tip': meaning })}>
        {title} now
      </span>
      <span role="group" aria-label={`${title} of ${server}`} className="text-16/24 font-semibold">
        {latest}
      </span>
      {(heightPx >= ROOMY_PX ? lines : lines.slice(0, 1)).map((words) => (
        <span key={words} className="text-12/16 text-faint">
          {words}
        </span>
      ))}
    </div>
  );
}
