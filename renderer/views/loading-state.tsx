import { ErrorNote } from '../ui/error-note.tsx';
import { usePanel } from '../services.ts';

const PLACEHOLDER_ROWS = 6;

/** Placeholder of the view until the first snapshot. Its text appears only if loading takes noticeably long. */
export function LoadingState() {
  const loadError = usePanel((state) => state.loadError);
  return (
    <div className="px-16" aria-busy="true">
      <p className="flex items-center h-52 text-dim animate-appear" role="status">
        {loadError === undefined ? 'Loading the servers…' : 'No answer from the main process; trying again…'}
      </p>
      {loadError !== undefined && <ErrorNote error={loadError} server="panel" />}
      <div aria-hidden="true">
        {Array.from({ length: PLACEHOLDER_ROWS }, (_, row) => (
          <div
            key={row}
            className="flex items-center gap-8 h-34 border-b border-line *:h-10 *:rounded-md *:bg-line"
          >
            <span className="w-10" />
            <span className="w-110" />
            <span className="flex-1 ml-60 opacity-50" />
          </div>
        ))}
      </div>
    </div>
  );
}
