import { useState } from 'react';
import { changesBetween, hasMaskedChange, type EntryChange } from '../entry/entry-changes.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { RevealButton } from '../ui/reveal-button.tsx';

interface ChangeListProps {
  readonly name: string;
  readonly before: RawEntry;
  readonly after: RawEntry;
}

/** List of the changes, field by field, that an import would make to an existing entry of servers.json. */
export function ChangeList({ name, before, after }: ChangeListProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  return (
    <>
      <dl aria-label={`What replacing ${name} changes`}>
        {changesBetween(before, after, isRevealed).map((change) => (
          <Change key={change.field} change={change} />
        ))}
      </dl>
      {hasMaskedChange(before, after) && (
        <RevealButton of={`of ${name}`} isRevealed={isRevealed} onChange={setIsRevealed} />
      )}
    </>
  );
}

function Change({ change: { field, before, after } }: { readonly change: EntryChange }) {
  const isHidden = before !== undefined && before === after;
  return (
    <div className="grid grid-cols-[155px_minmax(0,1fr)] gap-12 py-2 text-12/16">
      <dt className="wrap-anywhere text-dim">{showHiddenCharacters(field)}</dt>
      <dd className="flex flex-wrap gap-x-8 gap-y-2">
        {isHidden ? <span className="italic text-dim">another value</span> : <Value text={before} isOld />}
        {!isHidden && <span aria-hidden="true">→</span>}
        {!isHidden && <Value text={after} />}
      </dd>
    </div>
  );
}

function Value({ text, isOld = false }: { readonly text: string | undefined; readonly isOld?: boolean }) {
  if (text === undefined) return <span className="italic text-dim">not set</span>;
  const shown = showHiddenCharacters(text);
  return isOld ? (
    <del className="wrap-anywhere font-mono text-dim">{shown}</del>
  ) : (
    <ins className="wrap-anywhere font-mono no-underline">{shown}</ins>
  );
}
