import { memo, type ReactNode } from 'react';
import type { MarkKind } from '../format/event-sentences.ts';
import type { ShownMark } from '../../shared/server-states.ts';

/** Glyph of each state on a grid of 14 × 14. It takes its colour from the CSS property `color`. */
const glyphs: Readonly<Record<MarkKind | ShownMark, ReactNode>> = {
  running: <circle cx="7" cy="7" r="5" fill="currentColor" />,
  starting: (
    <>
      <Ring />
      <path d="M7 2.25a4.75 4.75 0 0 0 0 9.5z" fill="currentColor" />
    </>
  ),
  suspect: (
    <>
      <Ring />
      <path d="M2.25 7a4.75 4.75 0 0 0 9.5 0z" fill="currentColor" />
    </>
  ),
  // One bar, as in the tray, because two bars would mean "paused".
  stalled: (
    <>
      <Ring />
      <path d="M7 2.3v9.4" stroke="currentColor" strokeWidth="3.4" />
    </>
  ),
  backoff: <path d="M7 1.6 13 12H1z" fill="currentColor" />,
  // Same glyph as in the tray menu.
  unstable: (
    <>
      <path d="M7 1.6 12.4 7 7 12.4 1.6 7z" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="7" cy="7" r="2.2" fill="currentColor" />
    </>
  ),
  stopping: <Ring dash="1.9 1.83" />,
  stopped: <Ring />,
  asleep: <path d="M9.2 1.9a5.3 5.3 0 1 0 3 8.2 4.4 4.4 0 0 1-3-8.2z" fill="currentColor" />,
  failed: (
    <>
      <Ring />
      <path
        d="M4.7 4.7l4.6 4.6M9.3 4.7 4.7 9.3"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
      />
    </>
  ),
  cause: <path d="M7 2.5 11.5 7 7 11.5 2.5 7z" fill="none" stroke="currentColor" strokeWidth="1.4" />,
  note: <circle cx="7" cy="7" r="2.5" fill="currentColor" />,
};

/** States without a colour of their own, and the state whose colour they use. */
const alike: Partial<Record<MarkKind | ShownMark, ShownMark>> = { unstable: 'suspect', asleep: 'stopped' };

interface GlyphProps {
  readonly kind: MarkKind | ShownMark;
}

/** Glyph without an svg element, for use in another drawing: 14 × 14 units, with its top left corner at the origin. */
export function StateGlyph({ kind }: GlyphProps) {
  return <g style={{ color: `var(--state-${alike[kind] ?? kind})` }}>{glyphs[kind]}</g>;
}

/** Glyph of a state in its colour. It is hidden from screen readers, because the name of the state is always beside it. */
export const StateShape = memo(function StateShape({
  kind,
  size = 14,
}: GlyphProps & { readonly size?: number }) {
  return (
    <svg
      className={`block flex-none ${kind === 'starting' ? 'animate-turn' : ''}`}
      width={size}
      height={size}
      viewBox="0 0 14 14"
      aria-hidden="true"
    >
      <StateGlyph kind={kind} />
    </svg>
  );
});

function Ring({ dash }: { readonly dash?: string }) {
  return (
    <circle
      cx="7"
      cy="7"
      r="4.75"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray={dash}
    />
  );
}
