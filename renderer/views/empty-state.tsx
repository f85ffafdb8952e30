import { useEffect } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { formatPlural } from '../format/figures.ts';
import { listWords } from '../format/word-lists.ts';
import { choicesOfFiles, foundWords } from '../import/choices.ts';
import { usePanel, useServices } from '../services.ts';
import { useTask } from '../use-task.ts';
import styles from './empty-state.module.css';

/** Example that runs as it stands: the reference server of the protocol, from the public registry. */
const example = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}`;

/** View without servers: what this is, what was found on this machine, and the two things to do now. */
export function EmptyState() {
  const { manage } = useServices();
  const path = usePanel((state) => state.config.path);
  return (
    <div className={styles.page}>
      <p className={styles.what}>
        The panel starts your Model Context Protocol servers, restarts them when they crash or stop
        responding, and shows what they cost.
      </p>
      <Found />
      <div className={styles.ways}>
        <TextButton onClick={() => manage.open({ kind: 'add' })}>Add a server…</TextButton>
        <TextButton onClick={() => manage.open({ kind: 'paste', text: '' })}>
          Paste a configuration…
        </TextButton>
      </div>
      <details className={styles.file}>
        <summary>Or edit the file yourself</summary>
        <p className={styles.step}>
          Servers are named in servers.json, in the format other clients use. What you save appears here
          within a second.
        </p>
        <div className={styles.box}>
          <code className={styles.code}>{path}</code>
          <CopyButton name="Copy the path" text={path} />
        </div>
        <div className={styles.box}>
          <pre className={styles.code}>{example}</pre>
          <CopyButton name="Copy the example" text={example} />
        </div>
      </details>
    </div>
  );
}

/** Servers of other clients on this machine; one press shows them, ticked. */
function Found() {
  const { manage } = useServices();
  const { status, run } = useTask<ReturnType<typeof foundWords>>();
  useEffect(() => {
    void run(async () => foundWords(choicesOfFiles(await manage.api.findImports())));
  }, [run, manage]);
  // A failure offers nothing, because the import itself says why.
  if (status?.phase !== 'done' || status.value.count === 0) return null;
  const found = status.value;
  return (
    <section className={styles.found} aria-label="Found on this machine">
      <p className={styles.words}>
        Found {formatPlural(found.count, 'server')} in {listWords(found.labels)}
      </p>
      <TextButton look="main" onClick={() => manage.open({ kind: 'import', ticksNew: true })}>
        {found.count === 1 ? 'Look at it and import…' : 'Look at them and import…'}
      </TextButton>
    </section>
  );
}
