import { useEffect, useRef } from 'react';
import type { ConnectionTest } from '../../shared/manage.ts';
import { ErrorNote, FailedNote } from '../ui/error-note.tsx';
import { StateShape } from '../ui/state-shape.tsx';
import { formatDuration, formatSpan } from '../format/durations.ts';
import { formatPlural } from '../format/figures.ts';
import { toPlainText } from '../format/plain-text.ts';
import { useNow, useTask } from '../services.ts';
import { isSameJson, type RawEntry, withKey } from '../entry/raw-entry.ts';
import type { ManageApi } from '../store/manage-store.ts';
import type { TaskStatus } from '../store/task.ts';

interface TestResultProps {
  readonly test: ConnectionTesting['status'];
  readonly name: string;
  /** Entry as currently edited. */
  readonly entry: RawEntry;
}

/** Result of the last test: the handshake duration and the server's capabilities, or the error and the server's output. */
export function TestResult({ test, name, entry }: TestResultProps) {
  const box = useRef<HTMLElement>(null);
  // The result is scrolled into view, because the user has requested it and it may be further down.
  useEffect(() => {
    if (test?.phase !== undefined) box.current?.scrollIntoView({ block: 'nearest' });
  }, [test?.phase]);
  if (test === undefined) return null;
  const isOutdated = test.phase === 'done' && !isSameJson(test.about, entry);
  return (
    <section
      ref={box}
      className="flex flex-col gap-6 py-8 px-12 box"
      aria-label="Connection test"
      role="status"
    >
      {isOutdated && <p className="text-12 text-dim">Tested before the last changes:</p>}
      {test.phase === 'pending' && <Running since={test.since} />}
      <FailedNote status={test} server={name} lead="Could not test" />
      {test.phase === 'done' && <Outcome outcome={test.value} name={name} />}
    </section>
  );
}

function Running({ since }: { readonly since: number }) {
  const words = useNow((now) => (now - since < 1000 ? '' : ` ${formatDuration(now - since)}`));
  return (
    <p className="flex items-center gap-8">
      <StateShape kind="starting" />
      <span>Starting a test copy and waiting for its reply…{words}</span>
    </p>
  );
}

function Outcome({ outcome, name }: { readonly outcome: ConnectionTest; readonly name: string }) {
  const { ok, handshakeMs, serverInfo, tools = [], stderr, error } = outcome;
  const facts = [
    handshakeMs === undefined ? 'Answered' : `Answered in ${formatSpan(handshakeMs)}`,
    serverInfo && `${serverInfo.name} ${serverInfo.version}`,
    formatPlural(tools.length, 'tool'),
  ];
  return (
    <>
      {ok && (
        <p className="flex items-center gap-8">
          <StateShape kind="running" />
          <strong>{facts.filter(Boolean).join(' · ')}</strong>
        </p>
      )}
      {ok && tools.length > 0 && (
        <p className="max-h-54 pl-(--indent) overflow-auto wrap-anywhere text-12 font-mono text-dim select-text">
          {tools.join(', ')}
        </p>
      )}
      {error !== undefined && <ErrorNote error={error} server={name} lead="Did not connect" />}
      {stderr.trim() !== '' && (
        <details open={!ok}>
          <summary className="text-12 text-dim">What it wrote to stderr</summary>
          <pre className="max-h-120 mt-4">{stderr.trimEnd().split('\n').map(toPlainText).join('\n')}</pre>
        </details>
      )}
    </>
  );
}

interface ConnectionTesting {
  /** Status of the last test; undefined before the first test. `about` is the tested entry, which may have been edited since. */
  readonly status: TaskStatus<ConnectionTest, RawEntry> | undefined;
  readonly run: (entry: { readonly name: string } & RawEntry) => void;
}

/** Tests a server with its own process or connection, even if the server is already running. */
export function useConnectionTest(api: ManageApi): ConnectionTesting {
  const { status, run } = useTask<ConnectionTest, RawEntry>();
  return {
    status,
    run: (named) => void run(() => api.testConnection(named), withKey(named, 'name', undefined)),
  };
}
