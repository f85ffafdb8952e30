import { useState } from 'react';
import { useShallow } from 'zustand/react/shallow';
import { judgedKind, needsAttention } from '../format/state-words.ts';
import { useNow, usePanel, useServices } from '../store/services.ts';

/** A pointer that has rested this long is not aiming at anything. */
const AIMING_MS = 10_000;

interface CalmAttention {
  readonly names: readonly string[];
  /** For the element under whose pointer nothing may move. */
  readonly handlers: { readonly onPointerMove: () => void; readonly onPointerLeave: () => void };
}

interface Hold {
  readonly until: number;
  readonly names: readonly string[];
}

/**
 * The servers that need attention, held still while the pointer moves over the view: the group above the rows would otherwise
 * push them away from under it. The verdict and the rows themselves stay live, so nothing is hidden meanwhile.
 */
export function useCalmAttention(): CalmAttention {
  const { clock } = useServices();
  const [hold, setHold] = useState<Hold>();
  const live = usePanel(
    useShallow(({ names, servers }) =>
      names.filter((name) => {
        const server = servers[name];
        return server !== undefined && needsAttention(judgedKind(server));
      }),
    ),
  );
  const isHeld = useNow((now) => hold !== undefined && now < hold.until);
  const names = isHeld && hold !== undefined ? hold.names : live;

  const onPointerMove = () => {
    const until = clock.getState().now + AIMING_MS;
    // The clock ticks once a second, and so at most does this: not every move may render the view.
    if (!isHeld || hold?.until !== until) setHold({ until, names });
  };
  return { names, handlers: { onPointerMove, onPointerLeave: () => setHold(undefined) } };
}
