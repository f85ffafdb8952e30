import { useEffect, useMemo } from 'react';
import type { LogContent } from '../../shared/log-lines.ts';
import { formatData } from '../format/figures.ts';
import type { ShownLine } from '../format/log-lines.ts';
import { jsonWithin } from '../inspector/json-rows.ts';
import { JsonTree } from '../inspector/json-tree.tsx';
import { LongText } from '../inspector/long-text.tsx';
import { useServices, useTask } from '../services.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { pairWords } from './log-rows.ts';

/** Content of a message; it is fetched when its line is expanded. */
export function TrafficContent({ line: { key, traffic } }: { readonly line: ShownLine }) {
  const { api } = useServices();
  const { status, run } = useTask<LogContent | undefined>();
  useEffect(() => void run(() => api.getLogContent(key)), [api, key, run]);
  return (
    <div
      className="flex flex-col items-start gap-4 max-w-960 pt-4 pb-8 whitespace-normal"
      role="group"
      aria-label="What the message said"
    >
      {status === undefined || status.phase === 'pending' ? (
        <p className="text-dim">Reading…</p>
      ) : status.phase === 'failed' ? (
        <p className="text-dim" role="alert">
          It could not be read: {status.error.message}
        </p>
      ) : status.value === undefined ? (
        <p className="text-dim">
          Its content is no longer kept. It is held in memory for the last messages of each server, and not on
          disk.
        </p>
      ) : (
        <Message content={status.value} />
      )}
      {traffic?.pairKey !== undefined && (
        <TextButton look="link" data-does="pair">
          {pairWords(traffic)}
        </TextButton>
      )}
    </div>
  );
}

function Message({ content: { text, leftOutBytes } }: { readonly content: LogContent }) {
  const json = useMemo(() => jsonWithin(text), [text]);
  return (
    <>
      {json === undefined ? (
        <LongText text={text} name="Message" />
      ) : (
        <div className="flex flex-col self-stretch items-start gap-4 *:first:self-stretch">
          <JsonTree value={json.value} name="Message" />
          <CopyButton name="Copy the message" label="Copy" text={() => JSON.stringify(json.value, null, 2)} />
        </div>
      )}
      {leftOutBytes > 0 && <p className="text-dim">{formatData(leftOutBytes)} of it is not kept.</p>}
    </>
  );
}
