import { useState } from 'react';
import { isObject, type RawEntry } from '../entry/raw-entry.ts';
import { RevealButton } from '../ui/reveal-button.tsx';
import { ownValue } from '../../shared/own-value.ts';
import { MASK, mapSecrets } from '../entry/entry-json.ts';
import { withMasks } from '../entry/shown-entry.ts';
import { showHiddenCharacters } from '../../shared/hidden-characters.ts';
import { changesProgram } from '../../shared/entry-warnings.ts';

interface EntryPreviewProps {
  readonly name: string;
  readonly entry: RawEntry;
}

/** Preview of everything that an imported entry would run and set, in full. */
export function EntryPreview({ name, entry }: EntryPreviewProps) {
  const [isRevealed, setIsRevealed] = useState(false);
  return (
    <>
      <dl className="flex flex-col gap-2" aria-label={`What ${name} runs`}>
        {previewOf(entry, isRevealed).map(({ label, lines }) => (
          <div key={label} className="grid grid-cols-[110px_minmax(0,1fr)] gap-8">
            <dt className="text-12 text-dim">{label}</dt>
            <dd className="flex flex-wrap gap-x-8 gap-y-2 max-h-240 overflow-auto">
              {/* All spaces are kept and lines can wrap at them, so that text cannot be hidden behind hundreds of spaces. */}
              {lines.map((line, index) => (
                <code key={index} className="min-w-0 whitespace-break-spaces wrap-anywhere text-12">
                  {line}
                </code>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {hidesValues(entry) && (
        <RevealButton of={`that ${name} gets`} isRevealed={isRevealed} onChange={setIsRevealed} />
      )}
    </>
  );
}

/** Part of an entry, with one line per value. */
interface PreviewRow {
  readonly label: string;
  readonly lines: readonly string[];
}

const LABELS: ReadonlyMap<string, string> = new Map([
  ['type', 'Transport'],
  ['command', 'Command'],
  ['args', 'Arguments'],
  ['env', 'Variables'],
  ['cwd', 'Folder'],
  ['url', 'Address'],
  ['headers', 'Headers'],
  ['panel', 'Panel settings'],
]);

/**
 * Returns everything that an entry would run and set, one line per value. Texts are quoted as in JSON, so that different
 * entries never look the same, unless they differ only in secrets, which are masked unless revealed.
 */
export function previewOf(entry: RawEntry, isRevealed: boolean): readonly PreviewRow[] {
  const shown = isRevealed ? entry : mapSecrets(withMasks(entry), maskedValue);
  const keys = [...LABELS.keys(), ...Object.keys(shown).filter((key) => !LABELS.has(key))];
  return keys.flatMap((key) => {
    const value = ownValue(shown, key);
    return value === undefined
      ? []
      : [{ label: LABELS.get(key) ?? nameLine(key), lines: linesOf(key, value) }];
  });
}

/** Whether any value is masked. */
const hidesValues = (entry: RawEntry): boolean =>
  JSON.stringify(previewOf(entry, false)) !== JSON.stringify(previewOf(entry, true));

/** Masks the value of a variable or header. A variable that decides which program runs stays visible, except for its secrets. */
function maskedValue(value: unknown, key: string, name: string): unknown {
  if (value === '') return value;
  return key === 'env' && changesProgram(name) ? shownVariable(name, value) : MASK;
}

/** Returns the value of a variable, masked by the same rules as an argument. */
function shownVariable(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const { args } = withMasks({ args: [`${name}=${value}`] });
  const [shown] = Array.isArray(args) ? (args as readonly unknown[]) : [];
  return typeof shown === 'string' ? shown.slice(name.length + 1) : value;
}

function linesOf(key: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.length === 0 ? ['none'] : value.map(quoted);
  if (!isObject(value)) return [quoted(value)];
  const entries = key === 'panel' ? leavesOf(value) : Object.entries(value);
  return entries.length === 0
    ? ['none']
    : entries.map(([name, inner]) => `${nameLine(name)} = ${inner === MASK ? MASK : quoted(inner)}`);
}

/** Returns all settings of a nested object, each with its path, such as `limits.maxMemoryMiB`. */
const leavesOf = (value: RawEntry): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, unknown])[] =>
    isObject(inner) && Object.keys(inner).length > 0
      ? leavesOf(inner).map(([path, leaf]) => [`${key}.${path}`, leaf] as const)
      : [[key, inner]],
  );

const quoted = (value: unknown): string => showHiddenCharacters(JSON.stringify(value) ?? '');

/** Name of a variable or a key, quoted if it has unusual characters. */
const nameLine = (name: string): string => (/^[\w.-]+$/.test(name) ? name : quoted(name));
