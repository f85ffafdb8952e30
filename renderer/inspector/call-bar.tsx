import { formatSpan } from '../format/durations.ts';
import type { ItemKind, OfferItem } from '../offer/offer-items.ts';
import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { ItemCall } from './use-item-call.ts';

interface CallBarProps {
  readonly item: OfferItem;
  readonly itemCall: ItemCall;
  readonly isRunning: boolean;
  /** True if only the schema rejects the arguments, so that they can be sent anyway. */
  readonly canForce: boolean;
  readonly onForce: () => void;
}

const verbs: Readonly<Record<ItemKind, string>> = {
  tool: 'Call',
  prompt: 'Get',
  resource: 'Read',
  template: 'Read',
};

/** Bar below the form, always visible: the call button, its time limit, and the status of the last call. */
export function CallBar({ item, itemCall, isRunning, canForce, onForce }: CallBarProps) {
  const { call, limit, cancel } = itemCall;
  const isPending = call?.phase === 'pending';
  return (
    <div className="flex flex-wrap items-center flex-none gap-8 py-8 px-16 border-t border-line bg-raised">
      {'problem' in limit && (
        <p id="time-limit-problem" className="basis-full text-12 text-failed" role="alert">
          {limit.problem}
        </p>
      )}
      <TextButton
        type="submit"
        look="main"
        isBusy={isPending}
        aria-disabled={isPending || undefined}
        data-tip="Ctrl+Enter"
      >
        <span className="max-w-260 truncate">
          {verbs[item.kind]} {shortNameOf(item)}
        </span>
      </TextButton>
      {isPending && (
        <TextButton isBusy={call.isCancelling} onClick={cancel}>
          {call.isCancelling ? 'Cancelling…' : 'Cancel'}
        </TextButton>
      )}
      {canForce && !isPending && (
        <TextButton data-tip="Send it as it is, to see what the server says" onClick={onForce}>
          {verbs[item.kind]} anyway
        </TextButton>
      )}
      <p role="status" className="flex items-center flex-1 gap-4 min-w-0 text-dim [&>svg]:flex-none">
        <State call={call} isRunning={isRunning} />
      </p>
      <TimeLimit itemCall={itemCall} />
    </div>
  );
}

function State({ call, isRunning }: Pick<ItemCall, 'call'> & Pick<CallBarProps, 'isRunning'>) {
  switch (call?.phase) {
    case 'done': {
      const isError = call.outcome.result['isError'] === true;
      return (
        <>
          <Icon name={isError ? 'warning' : 'done'} size={14} />
          {isError ? 'The tool reports an error, ' : 'Answered '}
          {formatSpan(call.outcome.durationMs)}
        </>
      );
    }
    case 'cancelled':
      return <>Cancelled after {formatSpan(call.afterMs)}</>;
    case 'pending':
      return <>{call.isCancelling ? '' : 'Waiting…'}</>;
    case 'failed':
      return <>No result</>;
    case undefined:
      return <>{isRunning ? '' : 'The server is not running; a call starts it.'}</>;
  }
}

function TimeLimit({ itemCall: { input, limit, change } }: Pick<CallBarProps, 'itemCall'>) {
  const isWrong = 'problem' in limit;
  return (
    <span className="flex items-center gap-4 whitespace-nowrap text-12 text-dim">
      <label htmlFor="time-limit">Time limit</label>
      <input
        id="time-limit"
        type="text"
        inputMode="decimal"
        className="box-border w-52 field text-13 text-right"
        value={input.timeLimit ?? ''}
        placeholder="–"
        data-tip="If empty, the setting of the server applies"
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? 'time-limit-problem' : undefined}
        autoComplete="off"
        onChange={(event) => change({ timeLimit: event.currentTarget.value })}
      />
      s
    </span>
  );
}

/** Returns a name that fits on the button: the item's kind if its name is too long. The full name is shown above the button. */
function shortNameOf({ kind, name, title }: OfferItem): string {
  const short = kind === 'resource' || kind === 'template' ? (title ?? name) : name;
  return short.length > 40 ? kind : short;
}
