import { useState } from 'react';
import { formatLimit, raiseFor, type Breach } from '../format/limit-sentences.ts';
import { useAsk, usePanel, useServices } from '../services.ts';
import { WayOut } from './way-out.tsx';
import styles from './event-details.module.css';

interface RaiseLimitProps {
  readonly eventId: string;
  readonly breach: Breach;
  readonly server: string;
}

/** Remedy for a server that needs more than its limit: the next sensible limit, shown before it is set. */
export function RaiseLimit({ eventId, breach, server }: RaiseLimitProps) {
  const { asks, api, panel } = useServices();
  const key = `raise limit ${eventId}`;
  const status = useAsk(key);
  // The proposal is computed once, so that a server that keeps growing does not change the button under the pointer.
  const [raise] = useState(() => raiseFor(breach, panel.getState().servers.get(server)?.sample));
  const current = usePanel(({ servers }) => (raise && servers.get(server)?.limits)?.[raise.setting]);
  if (raise === undefined || current === undefined) return null;
  const { setting, to } = raise;
  const isWarning = setting === 'maxCpuPercent';
  if (status?.phase !== 'failed' && current >= to) {
    return (
      <p className={styles.result} role="status">
        {isWarning ? `${server} warns above` : `The limit of ${server} is`} {formatLimit(setting, current)}{' '}
        now. <code>panel.limits.{setting}</code> in its entry of servers.json says so.
      </p>
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
