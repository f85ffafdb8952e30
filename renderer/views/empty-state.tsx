import { useEffect, type ReactNode } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatPlural, listWords } from '../format/figures.ts';
import { type ChoiceFile, useFound } from '../import/choices.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { usePanel, useServices, useTask } from '../services.ts';

/** Example that runs without changes: the reference server of the protocol from the public registry. */
const example = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}`;

/** View shown if there are no servers: servers found on this machine, a description of the panel, and ways to begin. */
export function EmptyState() {
  const { manage } = useServices();
  const { count } = useFound();
  return (
    <div className="max-w-640 px-16 pt-24 pb-32">
      <p className="text-16/24">
        The panel starts your Model Context Protocol servers, restarts them when they crash or stop
        responding, and shows how much memory and CPU they use.
      </p>
      <FoundServers />
      <div className="flex flex-wrap gap-8 mt-16">
        {/* If servers were found on this machine, the button that imports them is the primary one instead. */}
        <TextButton look={count === 0 ? 'main' : 'plain'} onClick={() => manage.open({ kind: 'add' })}>
          Add a server…
        </TextButton>
        <TextButton onClick={() => manage.open({ kind: 'paste', text: '' })}>
          Paste a configuration…
        </TextButton>
        <Examples />
      </div>
      <OwnFile />
    </div>
  );
}

/** Names of the servers found in other MCP clients on this machine. A click opens the import dialog with them selected. */
function FoundServers() {
  const { found, manage } = useServices();
  useEffect(() => void found.lookAgain(), [found]);
  const { count, labels, files } = useFound();
  if (count === 0) return null;
  return (
    <section className="card mt-24 p-16" aria-label="Found on this machine">
      <div className="flex items-center flex-wrap justify-between gap-x-16 gap-y-8">
        <p className="font-semibold">
          Found {formatPlural(count, 'server')} in {listWords(labels)}
        </p>
        <TextButton look="main" onClick={() => manage.open({ kind: 'import' })}>
          {count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
        </TextButton>
      </div>
      <dl className="mt-12">
        {labels.map((label) => (
          <div key={label} className="grid grid-cols-[132px_minmax(0,1fr)] gap-12 py-2">
            <dt className="text-dim">{label}</dt>
            <dd className="wrap-anywhere">{newNames(files, label).join(', ')}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Names of the new servers of one client, without duplicates. */
const newNames = (files: readonly ChoiceFile[], client: string): readonly string[] => [
  ...new Set(
    files
      .filter(({ label }) => label === client)
      .flatMap(({ choices }) => choices.filter(({ status }) => status === 'new').map(({ name }) => name)),
  ),
];

/** Button that adds the reference servers of the protocol, for users who have no server yet. */
function Examples() {
  const { manage } = useServices();
  const { status, run } = useTask();
  return (
    <>
      <TextButton
        isBusy={status?.phase === 'pending'}
        data-tip="Adds everything, memory and filesystem, the reference servers of the protocol"
        onClick={() => void run(() => manage.api.addExamples())}
      >
        Try with examples
      </TextButton>
      <FailedNote status={status} server="examples" lead="Could not add the examples" />
    </>
  );
}

function OwnFile() {
  const path = usePanel((state) => state.config.path);
  return (
    <details className="mt-24">
      <summary className="text-dim">Or edit the file yourself</summary>
      <p className="py-8">
        Servers are defined in servers.json, in the format other clients use. What you save appears here
        within a second.
      </p>
      <CopyBox name="Copy the path" text={path}>
        <code>{path}</code>
      </CopyBox>
      <CopyBox name="Copy the example" text={example}>
        <pre aria-label="Example" tabIndex={0}>
          {example}
        </pre>
      </CopyBox>
    </details>
  );
}

interface CopyBoxProps {
  readonly name: string;
  readonly text: string;
  readonly children: ReactNode;
}

const CopyBox = ({ name, text, children }: CopyBoxProps) => (
  <div className="box flex items-start justify-between gap-8 py-4 pr-4 pl-12 [&+&]:mt-8">
    <div className="min-w-0 py-4 text-12/16 wrap-anywhere select-text">{children}</div>
    <CopyButton name={name} text={text} />
  </div>
);
