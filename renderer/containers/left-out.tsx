import { optionsLeftBehind, variablesSent } from '../../shared/container-entry.ts';
import type { RawEntry } from '../entry/raw-entry.ts';
import { listWords } from '../format/figures.ts';

interface LeftOutProps {
  readonly entry: RawEntry;
  /** Whether the server is moved to another engine, or back from one. */
  readonly isMove: boolean;
  readonly isElsewhere: boolean;
}

/** What the server has now, and will not have in a container, or not in one of another machine. */
export function LeftOut({ entry, isMove, isElsewhere }: LeftOutProps) {
  const folder = entry['cwd'];
  if (isMove && !isElsewhere) return <p>Files, and what volumes hold, on the machine that it leaves</p>;
  return (
    <ul>
      <li>{isMove ? 'All' : 'All other'} files of this machine, its home folder among them</li>
      {isMove && <li>What its volumes hold</li>}
      {isMove &&
        optionsLeftBehind(entry).map((option) => (
          <li key={option}>
            <code>{option}</code>
          </li>
        ))}
      {typeof folder === 'string' && (
        <li>
          Its working folder <code>{folder}</code>
        </li>
      )}
      <li>Variables of your shell, and PATH and HOME of the entry</li>
      <li>Ports of this machine: there, localhost is {isMove ? 'that machine' : 'the container'}</li>
    </ul>
  );
}

/** What of this machine the engine elsewhere receives. */
export function Sent({ entry }: { readonly entry: RawEntry }) {
  const { own, ofMachine, files } = variablesSent(entry);
  if (own.length + ofMachine.length + files.length === 0) return <p>No variables, and no secrets</p>;
  return (
    <ul>
      {own.length > 0 && <li>Values of {listWords(own)}, as this entry has them</li>}
      {ofMachine.length > 0 && <li>Values that {listWords(ofMachine)} has in your shell here</li>}
      {files.length > 0 && <li>Variables in {listWords(files)}, a file of this machine</li>}
      <li>Who may use that engine can read them</li>
    </ul>
  );
}
