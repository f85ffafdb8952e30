import { type ReactNode, useState } from 'react';
import type { TaskStatus } from '../store/task.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { type Breach, formatLimit, raiseFor } from '../format/limit-sentences.ts';
import { useAsk, usePanel, useServices } from '../services.ts';

interface WayOutProps {
  readonly server: string;
  /** Label of the button that applies the remedy. */
  readonly act: string;
  /** Hint on what the user should know before applying the remedy. */
  readonly hint: string;
  /** Status of the requested change. */
  readonly status: TaskStatus | undefined;
  readonly onAct: () => void;
}

/** Remedy that changes the server's entry so an event does not recur. It shows the change first, and the error if it fails. */
export function WayOut({ server, act, hint, status, onAct }: WayOutProps) {
  const isPending = status?.phase === 'pending';
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-6 pl-140">
      <TextButton isBusy={isPending} onClick={onAct}>
        {act}
      </TextButton>
      <span className="text-dim">{isPending ? 'Writing it into servers.json…' : hint}</span>
      <FailedNote status={status} server={server} lead="Not changed" />
    </div>
  );
}

/** Text on what a remedy has changed. */
export const Changed = ({ children }: { readonly children: ReactNode }) => (
  <p className="pl-140 [&>code]:text-12" role="status">
    {children}
  </p>
);

interface RaiseLimitProps {
  readonly eventId: string;
  readonly breach: Breach;
  readonly server: string;
}

/** Remedy for a server that needs more than its limit: raises the limit to the next sensible value, shown before it is set. */
export function RaiseLimit({ eventId, breach, server }: RaiseLimitProps) {
  const { asks, api, panel } = useServices();
  const key = `raise limit ${eventId}`;
  const status = useAsk(key);
  // The proposal is computed once, so that the button does not change under the pointer while the server's use grows.
  const [raise] = useState(() => raiseFor(breach, panel.getState().servers.get(server)?.sample));
  const current = usePanel(({ servers }) => (raise && servers.get(server)?.limits)?.[raise.setting]);
  if (raise === undefined || current === undefined) return null;
  const { setting, to } = raise;
  const isWarning = setting === 'maxCpuPercent';
  if (status?.phase !== 'failed' && current >= to) {
    return (
      <Changed>
        {isWarning ? `${server} warns above` : `The limit of ${server} is`} {formatLimit(setting, current)}{' '}
        now. <code>panel.limits.{setting}</code> in its entry of servers.json says so.
      </Changed>
    );
  }
  return (
    <WayOut
      server={server}
      act={`${isWarning ? 'Warn above' : 'Raise limit to'} ${formatLimit(setting, to)}`}
      hint={`It is ${formatLimit(setting, current)} now.`}
      status={status}
      onAct={() => void asks.run(key, () => api.setLimits(server, { [setting]: to }))}
    />
  );
}
