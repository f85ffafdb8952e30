import { useStore } from 'zustand/react';
import { canSleep } from '../commands/server-commands.ts';
import { formatMemory, formatPlural } from '../format/figures.ts';
import { addUp } from '../../shared/server-totals.ts';
import { SLEEP_OFFER_DAYS, unusedDays } from '../store/called.ts';
import { useNow, usePanel, useServices, useView } from '../services.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { TextButton } from '../ui/text-button.tsx';

/** Total memory in bytes that the unused servers must use for the offer to appear. */
const LEAST_BYTES = 256 * 1024 * 1024;

/**
 * Line above the list that offers to put servers to sleep. It is shown while servers that no client has called for days use
 * much memory. The user can dismiss it.
 */
export function SleepOffer() {
  const { past, manage } = useServices();
  const called = useStore(past.called);
  const servers = usePanel((state) => state.servers);
  const isOffered = useView((state) => state.offersSleep);
  const words = useNow((now) => {
    if (!isOffered) return undefined;
    const unused = [...servers.values()].filter(
      (server) => canSleep(server) && unusedDays(called.get(server.name), now) >= SLEEP_OFFER_DAYS,
    );
    const { memoryBytes: bytes = 0 } = addUp(unused);
    if (bytes < LEAST_BYTES) return undefined;
    const use = unused.length === 1 ? 'uses' : 'use';
    return `${formatPlural(unused.length, 'server')} without a call for ${SLEEP_OFFER_DAYS} days ${use} ${formatMemory(bytes)}`;
  });
  if (words === undefined) return null;
  return (
    <OfferLine
      name="Unused servers"
      words={words}
      accept="Let them sleep…"
      onAccept={() => manage.open({ kind: 'sleep' })}
      dismiss="Dismiss the suggestion"
      tip="Dismiss. You can find it later as the command “Let servers sleep”"
      setting="offersSleep"
    />
  );
}

interface OfferLineProps {
  /** Accessible name of the line. */
  readonly name: string;
  readonly words: string;
  readonly accept: string;
  readonly onAccept: () => void;
  /** Accessible name of the button that dismisses the offer. */
  readonly dismiss: string;
  /** Tooltip of the dismiss button, which says where the user can find the command after the offer has been dismissed. */
  readonly tip: string;
  /** Setting that says whether the offer is shown. */
  readonly setting: 'offersSleep' | 'offersImports';
}

/** Line above the list that suggests an action, such as an import, which the user can take or dismiss. */
export function OfferLine({ name, words, accept, onAccept, dismiss, tip, setting }: OfferLineProps) {
  const { view } = useServices();
  return (
    <section
      className="flex items-center gap-8 flex-none mx-16 mb-8 py-4 pr-4 pl-12 border border-line rounded-lg bg-raised"
      aria-label={name}
    >
      <p className="min-w-0 flex-1 truncate">{words}</p>
      <TextButton onClick={onAccept}>{accept}</TextButton>
      <IconButton icon="close" name={dismiss} tip={tip} onClick={() => view.setState({ [setting]: false })} />
    </section>
  );
}
