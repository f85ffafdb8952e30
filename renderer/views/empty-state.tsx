import { useEffect } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatPlural, listWords } from '../format/figures.ts';
import { type ChoiceFile, useFound } from '../import/choices.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { usePanel, useServices, useTask } from '../services.ts';
import styles from './empty-state.module.css';

/** Example that runs without changes: the protocol's reference server from the public registry. */
const example = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}`;

/** View without servers: servers found on this machine, a description of the panel, and ways to begin. */
export function EmptyState() {
  const { manage } = useServices();
  return (
    <div className={styles.page}>
      <p className="text-16/24">
        The panel starts your Model Context Protocol servers, restarts them when they crash or stop
        responding, and shows what they cost.
      </p>
      <FoundServers />
      <div className={`${styles.ways} flex flex-wrap gap-8`}>
        <TextButton onClick={() => manage.open({ kind: 'add' })}>Add a server…</TextButton>
        <TextButton onClick={() => manage.open({ kind: 'paste', text: '' })}>
          Paste a configuration…
        </TextButton>
        <Examples />
      </div>
      <OwnFile />
    </div>
  );
}

/** Servers found in other clients on this machine, by name; one press shows them, selected for import. */
function FoundServers() {
  const { found, manage } = useServices();
  useEffect(() => void found.lookAgain(), [found]);
  const { count, labels, files } = useFound();
  if (count === 0) return null;
  return (
    <section className={`${styles.found} card`} aria-label="Found on this machine">
      <div className={`${styles.head} flex items-center flex-wrap justify-between`}>
        <p className="font-semibold">
          Found {formatPlural(count, 'server')} in {listWords(labels)}
        </p>
        <TextButton look="main" onClick={() => manage.open({ kind: 'import' })}>
          {count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
        </TextButton>
      </div>
      <dl className={styles.clients}>
        {labels.map((label) => (
          <div key={label} className={styles.client}>
            <dt>{label}</dt>
            <dd>{newNames(files, label).join(', ')}</dd>
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

/** Button that adds the protocol's reference servers, for users who have no server yet. */
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
    <details className={styles.file}>
      <summary>Or edit the file yourself</summary>
      <p className={styles.step}>
        Servers are defined in servers.json, in the format other clients use. What you save appears here
        within a second.
      </p>
      <div className={`${styles.box} box flex items-start gap-8 justify-between`}>
        <code className={`${styles.code} min-w-0 overflow-auto wrap-anywhere select-text text-12/16`}>
          {path}
        </code>
        <CopyButton name="Copy the path" text={path} />
      </div>
      <div className={`${styles.box} box flex items-start gap-8 justify-between`}>
        <pre
          className={`${styles.code} min-w-0 overflow-auto wrap-anywhere select-text text-12/16`}
          aria-label="Example"
          tabIndex={0}
        >
          {example}
        </pre>
        <CopyButton name="Copy the example" text={example} />
      </div>
    </details>
  );
}
