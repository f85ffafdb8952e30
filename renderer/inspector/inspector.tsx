import { useEffect, type CSSProperties } from 'react';
import { useStore } from 'zustand/react';
import type { ServerView } from '../../shared/domain.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useServices } from '../services.ts';
import { MOST_LIST_PX, usePaneSizes, usualSizes } from '../store/pane-sizes.ts';
import { PaneSeparator } from '../ui/pane-separator.tsx';
import { ItemPanel } from './item-panel.tsx';
import { OfferItems, type OfferTrouble, troublesOf } from './offer-list.tsx';

/** Inspector of a server's tools, prompts and resources, with a form to call each of them. */
export function Inspector({ server }: { readonly server: ServerView }) {
  const { name, generation } = server;
  const inspector = useServices().inspectors.of(name);
  const state = useStore(inspector.state);
  const [{ listPx }, setSizes] = usePaneSizes();
  const { items, isListing, selected } = state;
  const isRunning = server.state.kind === 'running';
  const troubles = isRunning ? troublesOf(state) : [];

  useEffect(() => {
    if (isRunning) void inspector.list();
  }, [inspector, isRunning, generation]);

  if (items === undefined || items.length === 0) {
    return (
      <div className="flex flex-col items-start gap-12 p-16 text-dim">
        <Troubles server={name} troubles={troubles} look="self-stretch text-text" />
        {troubles.length === 0 ? (
          <p>{emptyWords(isRunning, isListing, items !== undefined)}</p>
        ) : (
          <TextButton isBusy={isListing} onClick={() => void inspector.list()}>
            List again
          </TextButton>
        )}
      </div>
    );
  }
  const item = items.find(({ key }) => key === selected) ?? items[0];
  return (
    <>
      <Troubles server={name} troubles={troubles} look="py-8 pr-12 pl-16" />
      <div
        className="grid grid-cols-[minmax(140px,min(var(--list),34%))_auto_minmax(0,1fr)] grid-rows-1 flex-[1_0_320px] min-h-0"
        style={{ '--list': `${listPx}px` } as CSSProperties}
      >
        <OfferItems inspector={inspector} items={items} current={item?.key} />
        <PaneSeparator
          name="Width of the list"
          pane="tool-list"
          percent={(listPx / MOST_LIST_PX) * 100}
          onSize={(sizePx) => setSizes({ listPx: sizePx })}
          onReset={() => setSizes({ listPx: usualSizes.listPx })}
        />
        {item !== undefined && (
          <ItemPanel key={item.key} item={item} server={name} inspector={inspector} isRunning={isRunning} />
        )}
      </div>
    </>
  );
}

interface TroublesProps {
  readonly server: string;
  readonly troubles: readonly OfferTrouble[];
  readonly look: string;
}

function Troubles({ server, troubles, look }: TroublesProps) {
  if (troubles.length === 0) return null;
  return (
    <div className={`${look} flex flex-col gap-8 flex-none`}>
      {troubles.map(({ lead, error }) => (
        <ErrorNote key={lead} error={error} server={server} lead={lead} />
      ))}
    </div>
  );
}

function emptyWords(isRunning: boolean, isListing: boolean, isKnown: boolean): string {
  if (!isRunning) return 'Tools, prompts and resources are listed once the server runs.';
  if (isListing || !isKnown) return 'Asking the server what it offers…';
  return 'This server offers no tools, prompts or resources.';
}
