import { useState, type KeyboardEvent } from 'react';
import { useColours, usePanel } from '../services.ts';
import { serverHref } from '../store/route-store.ts';
import { colourOf } from '../format/server-colours.ts';
import { legendOf, type UsageKind } from './usage-words.ts';

const looks = {
  open: 'absolute top-full -inset-x-1 z-3 min-w-180 p-4 border border-line rounded-md bg-raised [box-shadow:var(--shadow-pop)]',
  // The list is hidden only visually: screen readers still read it, and the Tab key still reaches it.
  hidden: 'sr-only',
};
const ENTRY = 'flex items-center gap-8 h-24 px-8 rounded-sm text-12';
const CHOSEN = `${ENTRY} bg-hover font-medium forced-colors:[outline:1px_solid_Highlight] forced-colors:-outline-offset-1`;

interface UsageLegendProps {
  readonly kind: UsageKind;
  /** Names of the servers whose bands the stack has, largest first; undefined for the band that combines all other servers. */
  readonly bands: readonly (string | undefined)[];
  /** Index of the band under the pointer or the focus; undefined if there is none. */
  readonly pointed: number | undefined;
  /** Whether the legend is visible; screen readers always find it. */
  readonly isOpen: boolean;
  readonly onPoint: (band: number | undefined) => void;
  /** Text with a second measure of the total, such as memory in RAM, shown as the last entry; undefined if there is none. */
  readonly beside: string | undefined;
}

/** Legend of a stack: name and value of each band. The whole legend is one tab stop; arrow keys move between the bands. */
export function UsageLegend({ kind, bands, pointed, isOpen, onPoint, beside }: UsageLegendProps) {
  const [home, setHome] = useState(0);
  const colours = useColours();
  // The selector returns one string, because a new array would cause a render on every push from the main process.
  const lines = usePanel(({ servers }) =>
    legendOf(kind, bands, servers)
      .map(({ words, figure }) => `${words}\n${figure}`)
      .join('\n\n'),
  ).split('\n\n');
  return (
    <ul className={looks[isOpen ? 'open' : 'hidden']} onKeyDown={moveBetweenLinks}>
      {bands.map((server, band) => {
        const [words, figure] = (lines[band] ?? '').split('\n');
        const entry = (
          <>
            <span className="swatch" style={{ background: colourOf(server, colours) }} />
            <span className="min-w-0 flex-1 truncate">{words}</span>{' '}
            <span className="flex-none text-dim">{figure}</span>
          </>
        );
        return (
          <li key={server ?? ''} onPointerEnter={() => onPoint(band)}>
            {server === undefined ? (
              <span className={band === pointed ? CHOSEN : ENTRY}>{entry}</span>
            ) : (
              <a
                className={band === pointed ? CHOSEN : ENTRY}
                href={serverHref(server)}
                tabIndex={band === Math.min(home, bands.length - 1) ? 0 : -1}
                onFocus={() => {
                  setHome(band);
                  onPoint(band);
                }}
              >
                {entry}
              </a>
            )}
          </li>
        );
      })}
      {beside !== undefined && <li className="px-8 py-4 text-12 text-dim">{beside}</li>}
    </ul>
  );
}

/** Moves the focus to the link above or below, in a list that is one tab stop. */
export function moveBetweenLinks(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const links = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button')];
  event.preventDefault();
  links[links.findIndex((link) => link === document.activeElement) + step]?.focus();
}
