import { lazy, Suspense, useState } from 'react';
import { TextButton } from '../ui/text-button.tsx';
import { toPlainText } from '../format/plain-text.ts';

/** Markdown component, loaded only when needed: its parser is as large as the rest of the view in which the user calls tools. */
const Markdown = lazy(() => import('./markdown.tsx').then((module) => ({ default: module.Markdown })));

/** Lengths in characters and lines above which a description is collapsed, so that the form below it stays visible. */
const FOLDED_FROM_CHARACTERS = 700;
const FOLDED_FROM_LINES = 9;

const look = 'flex flex-col gap-8 max-w-720 pt-4 wrap-anywhere text-dim select-text';
/** Styles for the elements that Markdown produces. */
const parts =
  '[&_:is(ul,ol)]:pl-24 [&_ul]:list-disc [&_ol]:list-decimal [&_code]:text-12 [&_code]:text-text ' +
  '[&_pre]:p-8 [&_pre]:rounded-sm [&_pre]:bg-sunken [&_pre]:leading-[inherit]';
const folded = 'max-h-132 overflow-hidden [mask-image:linear-gradient(#000_70%,transparent)]';

/** Description of a tool, prompt or resource, as its server wrote it. */
export function Description({ text }: { readonly text: string }) {
  const [isOpen, setOpen] = useState(false);
  const plain = text.split('\n').map(toPlainText).join('\n');
  const isLong = plain.length > FOLDED_FROM_CHARACTERS || plain.split('\n').length > FOLDED_FROM_LINES;
  const asWritten = <p className="whitespace-pre-wrap">{plain}</p>;
  return (
    <>
      <div className={`${look} ${parts} ${isLong && !isOpen ? folded : ''}`}>
        {isShortMarkdown(plain) ? (
          <Suspense fallback={asWritten}>
            <Markdown text={plain} />
          </Suspense>
        ) : (
          asWritten
        )}
      </div>
      {isLong && (
        <TextButton look="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Fold the description' : 'Read the whole description'}
        </TextButton>
      )}
    </>
  );
}

/** Limits for a description that is parsed as Markdown, because parsing time grows quadratically with length. */
const MOST_CHARACTERS = 8192;
const MOST_LINES = 400;
const MOST_SIGNS = 500;

/** Whether a description is parsed as Markdown; others are shown as plain text. */
export function isShortMarkdown(text: string): boolean {
  if (text.length > MOST_CHARACTERS) return false;
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return (
    count(/\n/g) <= MOST_LINES && count(/[*_`~<>[\]!&\\#]|^[ \t]*(?:[-+]|\d+[.)])|[-+] /gm) <= MOST_SIGNS
  );
}
