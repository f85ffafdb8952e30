import { useEscape } from '../charts/use-escape.ts';
import { liveSpans } from '../store/span-choice.ts';
import { Icon } from '../ui/icon.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import type { SpanWindow } from './use-span-window.ts';

const choices = liveSpans.map(({ spanMs, label }) => ({ value: String(spanMs), label }));

/** Choice of the time shown, and the way back from a span that was dragged over. Escape goes back as well. */
export function SpanBar({ span }: { readonly span: SpanWindow }) {
  const isStill = span.liveMs === undefined;
  useEscape(isStill, span.back);
  return (
    <>
      {isStill && (
        <TextButton data-tip="The zoom before  Esc" onClick={span.back}>
          <Icon name="back" size={14} />
          Zoom back
        </TextButton>
      )}
      <Segments
        name="Time shown"
        value={isStill ? '' : String(span.liveMs)}
        choices={choices}
        onChange={(value) => span.chooseLive(Number(value))}
      />
    </>
  );
}
