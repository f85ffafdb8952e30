import type { PanelEvent, ToldEvent } from '../../shared/events.ts';
import { valueInForce } from '../entry/effective-settings.ts';
import { useEntry } from '../editor/use-entry.ts';
import { useSettingDefaults } from '../settings/use-settings.ts';
import { useAsk, useServices } from '../services.ts';
import { Changed, WayOut } from './way-out.tsx';
import { useState } from 'react';
import { formatSpan } from '../format/durations.ts';
import { silenceToAllow } from '../format/verdict-sentences.ts';

interface DisputeVerdictProps {
  readonly event: PanelEvent & ToldEvent<'stalled'>;
  readonly server: string;
}

/**
 * Remedy for a server that was wrongly judged as stalled: its future stalls are reported without a restart. If its stalls are
 * already only reported, the remedy is to allow a longer silence instead.
 */
export function DisputeVerdict({ event, server }: DisputeVerdictProps) {
  const { asks, api } = useServices();
  const { entry, error } = useEntry(api, server);
  const defaults = useSettingDefaults();
  const key = `dispute ${event.id}`;
  const status = useAsk(key);
  const isPending = status?.phase === 'pending';
  if (status?.phase === 'done') {
    return (
      <Changed>
        From now on stalls of {server} are only reported. <code>panel.health.onStall</code> in its entry of
        servers.json says so.
      </Changed>
    );
  }
  // The entry in the file decides which remedy applies. If the file is unreadable, the error is reported when the remedy is
  // written to it.
  if (entry === undefined && error === undefined) return null;
  if (!isPending && valueInForce('health.onStall', entry ?? {}, defaults) === 'notify') {
    const currentMs = valueInForce('health.stallThresholdMs', entry ?? {}, defaults);
    return typeof currentMs === 'number' ? (
      <AllowSilence event={event} server={server} currentMs={currentMs} />
    ) : null;
  }
  return (
    <WayOut
      server={server}
      act="This was wrong"
      hint="It was busy. From now on report stalls, do not restart."
      status={status}
      onAct={() => void asks.run(key, () => api.disputeVerdict(server))}
    />
  );
}

interface AllowSilenceProps {
  readonly event: PanelEvent & ToldEvent<'stalled'>;
  readonly server: string;
  /** Maximum silence in ms that the server is currently allowed. */
  readonly currentMs: number;
}

/** Remedy for a server whose stalls are only reported, but wrongly: allows a longer silence, which is shown before it is set. */
function AllowSilence({ event, server, currentMs }: AllowSilenceProps) {
  const { asks, api } = useServices();
  const key = `allow silence ${event.id}`;
  const status = useAsk(key);
  // The proposal is computed once, so that accepting it does not raise the proposed value further.
  const [to] = useState(() => silenceToAllow(event.detail, currentMs));
  if (to === undefined) return null;
  if (status?.phase !== 'failed' && currentMs >= to) {
    return (
      <Changed>
        {server} may be silent for {formatSpan(currentMs)} now. <code>panel.health.stallThresholdMs</code> in
        its entry of servers.json says so.
      </Changed>
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
