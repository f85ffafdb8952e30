import { useState, type ReactNode } from 'react';
import { knownSpans } from '../../shared/secrets/known-forms.ts';
import { withPlaceholders } from '../../shared/secrets/secret-spans.ts';
import { MASK, parseJsonText } from '../entry/entry-json.ts';
import { hasMasked, shownText } from '../entry/shown-entry.ts';
import { ownerWords } from '../format/program-words.ts';
import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { RevealButton } from '../ui/reveal-button.tsx';

interface EntryTextsProps {
  readonly server: string;
  readonly scope: string;
  readonly path?: string;
  /** Texts by label, in the order in which they are shown. */
  readonly texts: Readonly<Record<string, string>>;
  readonly children?: ReactNode;
}

/** Shows versions of one server's entry side by side. Secrets in them are masked until the user reveals them. */
export function EntryTexts({ server, scope, path, texts, children }: EntryTextsProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  const shown = Object.entries(texts).map(([label, text]) => ({ label, text, masked: withoutSecrets(text) }));
  return (
    <>
      <div className="flex items-center gap-8 mt-8">
        <strong>{server}</strong>
        <span className="hint">{ownerWords(scope)}</span>
        {path !== undefined && <code className="min-w-0 wrap-anywhere text-12 select-text">{path}</code>}
        {shown.some(({ text, masked }) => masked !== text) && (
          <RevealButton of={`of ${server}`} isRevealed={isRevealed} onChange={setIsRevealed} />
        )}
      </div>
      {children}
      <div className="grid grid-cols-2 gap-12">
        {shown.map(({ label, text, masked }) => (
          <EntryText key={label} label={label} text={isRevealed ? text : masked} />
        ))}
      </div>
    </>
  );
}

/** Masks secrets in a text: in JSON, the values that other views mask too; in any text, what looks like a secret. */
function withoutSecrets(text: string): string {
  const parsed = parseJsonText(text, {});
  const shown = parsed.ok && hasMasked(parsed.entry) ? shownText(parsed.entry, false) : text;
  return withPlaceholders(shown, knownSpans(shown), MASK);
}

function EntryText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className="mt-4 mx-0 mb-12 py-4 pr-4 pl-12 box">
      <figcaption className="hint">{label}</figcaption>
      {/* The focus allows scrolling by keyboard if the text does not fit. */}
      <pre className="max-h-300 py-4" aria-label={label} tabIndex={0}>
        {text.trim() === '' ? 'no entry' : withoutIndent(text).map(showHiddenCharacters).join('\n')}
      </pre>
    </figure>
  );
}

/**
 * Returns the lines without the indentation that all lines after the first share. The first line is not measured, because the
 * text begins in the middle of it.
 */
function withoutIndent(text: string): readonly string[] {
  const [first = '', ...rest] = text.trim().split(/\r?\n/);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return [first, ...rest.map((line) => line.slice(least))];
}
