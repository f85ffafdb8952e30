import { useState } from 'react';
import type { PanelEvent, ToldEvent } from '../../shared/events.ts';
import { formatSpan } from '../format/durations.ts';
import { silenceToAllow } from '../format/verdict-sentences.ts';
import { useAsk, useServices } from '../services.ts';
import { WayOut } from './way-out.tsx';
import styles from './event-details.module.css';

interface AllowSilenceProps {
  readonly event: PanelEvent & ToldEvent<'stalled'>;
  readonly server: string;
  /** Silence currently allowed, in ms. */
  readonly currentMs: number;
}

/** Remedy for a server whose stalls are only reported, and wrongly: a longer allowed silence, shown before it is set. */
export function AllowSilence({ event, server, currentMs }: AllowSilenceProps) {
  const { asks, api } = useServices();
  const key = `allow silence ${event.id}`;
  const status = useAsk(key);
  // The proposal is computed once, so that setting it does not raise it further.
  const [to] = useState(() => silenceToAllow(event.detail, currentMs));
  if (to === undefined) return null;
  if (status?.phase !== 'failed' && currentMs >= to) {
    return (
      <p className={styles.result} role="status">
        {server} may be silent for {formatSpan(currentMs)} now. <code>panel.health.stallThresholdMs</code> in
        its entry of servers.json says so.
      </p>
    );
  }
  return (
    <WayOut
      server={server}
      act={`This was wrong: allow ${formatSpan(to)} of silence`}
      hint={`It is ${formatSpan(currentMs)} now. Its stalls are only reported.`}
      status={status}
      onAct={() => void asks.run(key, () => api.setHealth(server, { stallThresholdMs: to }))}
    />
  );
}
