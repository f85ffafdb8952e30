import { useMemo, useState } from 'react';
import type { CallOutcome } from '../../shared/domain.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon } from '../ui/icon.tsx';
import { Segments } from '../ui/segments.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatSpan } from '../format/durations.ts';
import { formatClockTime } from '../format/moments.ts';
import { formatCount } from '../format/figures.ts';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';
import { jsonWithin } from './json-rows.ts';
import { leftOutWords, toBlocks, toJson, type ResultBlock } from './result-blocks.ts';

/** Blocks shown at first, because a result may have thousands, each with a frame and buttons. */
const BLOCKS_AT_ONCE = 100;

const modes = [
  { value: 'content', label: 'Content' },
  { value: 'json', label: 'JSON' },
] as const;
type Mode = (typeof modes)[number]['value'];

interface ResultViewProps {
  /** Time of the answer, in epoch ms. */
  readonly at: number;
  readonly outcome: CallOutcome;
}

/** Result of a call as content blocks, or all of it as JSON. */
export function ResultView({ at, outcome }: ResultViewProps) {
  const [mode, setMode] = useState<Mode>('content');
  const { result, durationMs, leftOut } = outcome;
  const [blockCount, setBlockCount] = useState(BLOCKS_AT_ONCE);
  const blocks = useMemo(() => toBlocks(result), [result]);
  const isError = result['isError'] === true;
  return (
    <>
      <div className="flex items-center gap-8">
        <h3 className="flex items-center flex-1 gap-6 text-13 font-semibold">
          <span className={`flex ${isError ? 'text-failed' : 'text-running'}`}>
            <Icon name={isError ? 'warning' : 'done'} size={14} />
          </span>
          {isError ? 'Error of the tool' : 'Result'}
          <span className="font-normal text-dim">
            {formatClockTime(at)} · {formatSpan(durationMs)}
          </span>
        </h3>
        <Segments name="Result as" value={mode} choices={modes} onChange={setMode} />
        <CopyButton
          name={leftOut === undefined ? 'Copy the whole result' : 'Copy this part of the result'}
          text={() => toJson(result)}
        />
      </div>
      {leftOut !== undefined && (
        <p role="note" className="text-dim">
          {leftOutWords(leftOut)}
        </p>
      )}
      {mode === 'json' ? (
        <JsonTree value={result} name="Result as JSON" />
      ) : (
        <>
          {blocks.length === 0 && <p className="text-dim">The result is empty.</p>}
          {blocks.slice(0, blockCount).map((block, index) => (
            <Block key={index} block={block} />
          ))}
          {blocks.length > blockCount && (
            <p className="pt-4 text-dim">
              {formatCount(blockCount)} of {formatCount(blocks.length)} parts are shown.{' '}
              <TextButton look="link" onClick={() => setBlockCount(blockCount + BLOCKS_AT_ONCE)}>
                Show more
              </TextButton>
            </p>
          )}
        </>
      )}
    </>
  );
}

/** Background of an image, which makes its transparent parts visible. */
const chequered = 'bg-[repeating-conic-gradient(var(--line)_0_25%,transparent_0_50%)] bg-[length:16px_16px]';

function Block({ block }: { readonly block: ResultBlock }) {
  return (
    <div>
      {block.label !== undefined && block.label !== '' && (
        <h3 className="pb-4 wrap-anywhere label">{block.label}</h3>
      )}
      {block.kind === 'note' && <p className="text-dim">{block.words}</p>}
      {block.kind === 'image' && (
        <img
          className={`block max-w-full max-h-420 border border-line rounded-md ${chequered}`}
          src={block.source}
          alt={`Picture from the server, ${block.mimeType}`}
        />
      )}
      {block.kind === 'text' && <TextBlock text={block.text} name={block.label ?? 'Text'} />}
      {block.kind === 'json' && <JsonTree value={block.value} name={block.label ?? 'Value'} />}
    </div>
  );
}

const textModes = [
  { value: 'tree', label: 'Tree' },
  { value: 'text', label: 'Text' },
] as const;

/** Text of a result. If the text is JSON, which most tools use to return data, it can also be shown as a tree. */
function TextBlock({ text, name }: { readonly text: string; readonly name: string }) {
  const [mode, setMode] = useState<(typeof textModes)[number]['value']>('tree');
  const json = useMemo(() => jsonWithin(text), [text]);
  if (json === undefined) return <LongText text={text} name={name} />;
  return (
    <>
      <div className="flex items-center justify-between pb-4 text-12">
        <span className="text-dim">JSON in a text</span>
        <Segments name={`${name} as`} value={mode} choices={textModes} onChange={setMode} />
      </div>
      {mode === 'tree' ? <JsonTree value={json.value} name={name} /> : <LongText text={text} name={name} />}
    </>
  );
}
