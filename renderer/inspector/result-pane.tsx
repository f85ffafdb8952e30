import { useEffect, useRef } from 'react';
import type { CallRecord } from '../store/inspector-store.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { CallHistoryList, type CallHistoryProps } from './call-history.tsx';
import { CallPanel } from './call-panel.tsx';

interface ResultPaneProps extends Omit<CallHistoryProps, 'name'> {
  readonly item: OfferItem;
  readonly call: CallRecord | undefined;
}

/** Pane with the answer and, below it, the earlier calls. */
export function ResultPane({ item, server, call, calls, shown, ...history }: ResultPaneProps) {
  const { name } = item;
  const scroller = useRef<HTMLDivElement>(null);
  // Progress changes the record of a call, too, but must not scroll.
  const callId = call?.phase === 'pending' ? call.callId : call?.at;
  useEffect(() => {
    // A new answer is read from its beginning, wherever the answer before it was scrolled to.
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
