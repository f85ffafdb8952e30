import { CopyButton } from '../components/copy-button.tsx';
import { usePanel } from '../store/services.ts';
import styles from './empty-state.module.css';

/** Runs as it stands: the reference server of the protocol, from the public registry. */
const example = `{
  "mcpServers": {
    "everything": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-everything"]
    }
  }
}`;

/** Without servers: what this is, and the two things to do now. */
export function EmptyState() {
  const path = usePanel((state) => state.config.path);
  return (
    <div className={styles.page}>
      <p className={styles.what}>
        The panel starts your Model Context Protocol servers, restarts them when they crash or stop
        responding, and shows what they cost.
      </p>
      <ol className={styles.steps}>
        <li>
          <p className={styles.step}>Open servers.json, or create it, at this path:</p>
          <div className={styles.box}>
            <code className={styles.code}>{path}</code>
            <CopyButton name="Copy the path" text={path} />
          </div>
        </li>
        <li>
          <p className={styles.step}>
            Name your servers in it and save. They appear here within a second. The format is the one other
            clients use, so their entries can be pasted as they are:
          </p>
          <div className={styles.box}>
            <pre className={styles.code}>{example}</pre>
            <CopyButton name="Copy the example" text={example} />
          </div>
        </li>
      </ol>
    </div>
  );
}
