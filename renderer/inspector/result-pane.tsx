import { useEffect, useRef } from 'react';
import type { CallProgress } from '../../shared/domain.ts';
import { formatDuration } from '../format/durations.ts';
import { toPlainText } from '../format/plain-text.ts';
import { useNow } from '../services.ts';
import type { CallRecord } from '../store/inspector-store.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { CallHistoryList, type CallHistoryProps } from './call-history.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { ResultView } from './result-view.tsx';

interface ResultPaneProps extends Omit<CallHistoryProps, 'name'> {
  readonly item: OfferItem;
  readonly call: CallRecord | undefined;
}

/** Pane with the answer and, below it, the earlier calls. */
export function ResultPane({ item, server, call, calls, shown, ...history }: ResultPaneProps) {
  const { name } = item;
  const scroller = useRef<HTMLDivElement>(null);
  // The id stays the same while progress updates change the call's record, because such updates must not scroll the pane.
  const callId = call?.phase === 'pending' ? call.callId : call?.at;
  useEffect(() => {
    // A new answer is shown from its beginning, regardless of how far the previous answer was scrolled.
    if (scroller.current !== null) scroller.current.scrollTop = 0;
  }, [callId]);
  const latest = calls[0];
  const isLatest = call !== undefined && latest?.record === call;
  return (
    <div ref={scroller} className="box-border h-full py-8 px-16 overflow-auto">
      {call === undefined ? (
        <p className="py-8 text-dim">
          {calls.length === 0
            ? 'The answer of a call is shown here.'
            : 'Choose a call below to see its answer, or call again.'}
        </p>
      ) : (
        <CallPanel name={name} server={server} call={call} />
      )}
      {calls.length > 0 && (
        <CallHistoryList
          name={name}
          server={server}
          calls={calls}
          shown={shown ?? (isLatest ? latest.id : undefined)}
          {...history}
        />
      )}
    </div>
  );
}

interface CallPanelProps {
  readonly name: string;
  readonly server: string;
  readonly call: CallRecord;
}

/** Call whose answer is shown: running, or completed with its result. */
function CallPanel({ name, server, call }: CallPanelProps) {
  return (
    <section className="flex flex-col gap-8 pt-4 pb-8" aria-label={`Result of ${name}`}>
      {call.phase === 'pending' && <Pending name={name} since={call.since} progress={call.progress} />}
      {call.phase === 'cancelled' && <p className="text-dim">The call was cancelled; there is no result.</p>}
      {call.phase === 'failed' && (
        <div role="alert">
          <ErrorNote error={call.error} server={server} lead="No result" />
        </div>
      )}
      {call.phase === 'done' && <ResultView key={call.at} at={call.at} outcome={call.outcome} />}
    </section>
  );
}

interface PendingProps {
  readonly name: string;
  readonly since: number;
  readonly progress: CallProgress | undefined;
}

function Pending({ name, since, progress }: PendingProps) {
  const elapsed = useNow((now) => formatDuration(now - since));
  const { progress: done, total, message } = progress ?? {};
  const isMeasured = done !== undefined && total !== undefined && total > 0;
  const part = isMeasured ? Math.min(1, Math.max(0, done / total)) : undefined;
  const figures = done === undefined ? '' : ` · ${done}${total === undefined ? '' : ` of ${total}`}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-12 gap-y-6">
      <p aria-live="polite">
        {toPlainText(message ?? 'Waiting for the answer…')}
        <span className="text-dim">{figures}</span>
      </p>
      <span className="text-dim">{elapsed}</span>
      <div
        role="progressbar"
        aria-label={`Progress of ${name}`}
        className="col-span-full h-4 rounded-full bg-line overflow-hidden"
        {...(part !== undefined && { 'aria-valuenow': Math.round(part * 100) })}
      >
        <div
          className={`h-full rounded-full bg-accent ${part === undefined ? 'w-[30%] animate-wander' : ''}`}
          {...(part !== undefined && { style: { width: `${part * 100}%` } })}
        />
      </div>
    </div>
  );
}
