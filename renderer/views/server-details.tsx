import { useId, useState, type ReactNode } from 'react';
import type { ServerView } from '../../shared/domain.ts';
import { useEntry } from '../editor/use-entry.ts';
import { isObject } from '../entry/raw-entry.ts';
import { formatCount, MISSING } from '../format/figures.ts';
import { transportNames } from '../format/server-list.ts';
import { useServices } from '../services.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './server-header.module.css';

/** Rarely needed facts of a server: a button at the end of the line of chips, and the facts below it. */
export function ServerDetails({ server }: { readonly server: ServerView }) {
  const [isOpen, setIsOpen] = useState(false);
  const factsId = useId();
  return (
    <>
      <button
        type="button"
        className={styles.details}
        aria-expanded={isOpen}
        aria-controls={isOpen ? factsId : undefined}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Icon name="more" size={12} /> Details
      </button>
      {isOpen && <Facts id={factsId} server={server} />}
    </>
  );
}

function Facts({ id, server }: { readonly id: string; readonly server: ServerView }) {
  const { name, transport, generation, restarts24h = 0, autoStart, disabled = false } = server;
  const { api } = useServices();
  const { entry } = useEntry(api, name);
  const folder = entry?.['cwd'];
  const started = disabled ? 'by nobody, it is disabled' : autoStart ? 'with the panel' : 'by hand only';
  return (
    <dl id={id} className={styles.facts}>
      <Fact term="Started">{started}</Fact>
      <Fact term="Transport">{transportNames[transport]}</Fact>
      <Fact term="Starts so far">{formatCount(generation)}</Fact>
      <Fact term="Restarts">{formatCount(restarts24h)} in 24 h</Fact>
      {transport === 'stdio' ? (
        <>
          <Fact term="Working folder">
            {typeof folder === 'string' ? folder : entry && 'your home folder'}
          </Fact>
          <Fact term="Environment">{entry && namesOf(entry['env'])}</Fact>
        </>
      ) : (
        <Fact term="Headers">{entry && namesOf(entry['headers'])}</Fact>
      )}
    </dl>
  );
}

/** Names without values, because values may be secrets. */
function namesOf(pairs: unknown): string {
  const names = isObject(pairs) ? Object.keys(pairs) : [];
  return names.length === 0 ? 'nothing of its own' : names.join(', ');
}

function Fact({ term, children }: { readonly term: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{term}</dt>
      <dd>{children ?? MISSING}</dd>
    </div>
  );
}
