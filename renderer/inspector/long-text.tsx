import { useState } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatCount } from '../format/figures.ts';

/** Number of characters shown at first, because laying out megabytes of text would block the app window. */
const SHOWN_CHARACTERS = 20_000;
const MOST_SHOWN_CHARACTERS = 300_000;

interface LongTextProps {
  readonly text: string;
  readonly name: string;
}

/** Plain text without markup, truncated if it is very long. */
export function LongText({ text, name }: LongTextProps) {
  const [most, setMost] = useState(SHOWN_CHARACTERS);
  const isCut = text.length > most;
  return (
    <div className="relative">
      <pre className="max-h-420 py-8 pr-40 pl-12 box" tabIndex={0} role="group" aria-label={name}>
        {isCut ? text.slice(0, most) : text}
      </pre>
      <span className="absolute top-3 right-12">
        <CopyButton name="Copy this text" text={text} />
      </span>
      {isCut && (
        <p className="pt-4 text-dim">
          {formatCount(most)} of {formatCount(text.length)} characters are shown.{' '}
          {most < MOST_SHOWN_CHARACTERS ? (
            <TextButton look="link" onClick={() => setMost(MOST_SHOWN_CHARACTERS)}>
              Show {text.length > MOST_SHOWN_CHARACTERS ? 'more' : 'all'}
            </TextButton>
          ) : (
            'The rest can be copied.'
          )}
        </p>
      )}
    </div>
  );
}
