import { Fragment, useCallback, useEffect, useId, useState } from 'react';
import type { EndLeftOutcome, LeftTreeView } from '../../shared/ipc/topics/left-behind.ts';
import { formatMemory, formatPlural } from '../format/figures.ts';
import {
  leftBehindText,
  outcomeText,
  processCount,
  startText,
  treeLine,
  treeName,
} from '../format/left-behind-text.ts';
import { arrangeProcesses, processCommand } from '../format/process-tree.ts';
import { useNow, useServices, useTask } from '../services.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { Unseen } from '../ui/page.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useToggles } from '../ui/use-toggles.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Question } from '../ui/question.tsx';

/** Milliseconds between two scans. The panel reports a process tree only if two scans, half a minute apart, agree. */
const LOOK_AGAIN_MS = 30_000;

interface Outcome {
  readonly outcome: EndLeftOutcome;
  readonly asked: readonly LeftTreeView[];
}

/** Lists servers whose clients are gone, so that the user can end them. Not shown if there are none. */
export function LeftBehindSection() {
  const { api } = useServices();
  const { trees, look } = useLeftBehind();
  const { status, run } = useTask<Outcome>();
  const [asked, setAsked] = useState<readonly LeftTreeView[]>();
  const headline = useNow((now) => leftBehindText(trees, now));
  const outcome = status?.phase === 'done' ? status.value : undefined;
  if (trees.length === 0 && outcome === undefined) return null;

  const end = (chosen: readonly LeftTreeView[]) =>
    void run(async () => {
      const ended = await api.endLeftBehind(chosen.map(({ id }) => id));
      await look();
      return { outcome: ended, asked: chosen };
    }).then(() => setAsked(undefined));
  const certain = trees.filter((tree) => tree.certain);
  return (
    <section className="py-12 px-16 border-b border-line" aria-label="Left behind">
      <header className="flex items-center gap-8">
        <h2 className="flex-1 text-13 font-semibold">
          {trees.length > 0 ? headline : 'Nothing is left behind'}
        </h2>
        {certain.some(({ listens }) => !listens) && (
          <TextButton onClick={() => setAsked(certain)}>End all…</TextButton>
        )}
      </header>
      {outcome && <Told {...outcome} />}
      <FailedNote status={status} server="clients" lead="Not ended" />
      {trees.length > 0 && <Trees trees={trees} onEnd={(tree) => setAsked([tree])} />}
      {asked && (
        <LeftBehindQuestion
          asked={asked}
          isBusy={status?.phase === 'pending'}
          onNo={() => setAsked(undefined)}
          onYes={end}
        />
      )}
    </section>
  );
}

/** Scans for process trees that were left behind: immediately, and then every half minute while the list is shown. */
function useLeftBehind() {
  const { api, clock } = useServices();
  const [trees, setTrees] = useState<readonly LeftTreeView[]>([]);
  const look = useCallback(async () => {
    // A failed scan keeps the earlier result. Ending processes does not rely on it, because the main process scans again first.
    await api.findLeftBehind().then(setTrees, () => undefined);
  }, [api]);
  useEffect(() => {
    let lookedAt = clock.getState().now;
    void look();
    return clock.subscribe(({ now }) => {
      if (now - lookedAt < LOOK_AGAIN_MS) return;
      lookedAt = now;
      void look();
    });
  }, [clock, look]);
  return { trees, look };
}

/** Shows which process trees were ended and which were not. It takes the focus, because the pressed button no longer exists. */
function Told({ outcome, asked }: Outcome) {
  const takeFocus = useCallback((element: HTMLElement | null) => element?.focus(), []);
  return (
    <div
      ref={takeFocus}
      className="py-4 outline-none wrap-anywhere"
      role="status"
      aria-label="Ended processes"
      tabIndex={-1}
    >
      {outcomeText(outcome, asked).map((words) => (
        <p key={words}>{words}</p>
      ))}
    </div>
  );
}

interface TreesProps {
  readonly trees: readonly LeftTreeView[];
  readonly onEnd: (tree: LeftTreeView) => void;
}

const cells = '*:py-4 *:pl-0 *:not-last:pr-12 *:last:pr-0 *:wrap-anywhere *:align-baseline';
const bodyCells = `${cells} *:border-t *:border-line`;

function Trees({ trees, onEnd }: TreesProps) {
  return (
    <table className="table-fixed" aria-label="Processes left behind">
      <thead>
        <tr className={`${cells} *:h-28`}>
          <th scope="col">What it is</th>
          <th scope="col" className="w-[18%] max-[901px]:hidden">
            Client
          </th>
          <th scope="col" className="w-88 max-[901px]:hidden">
            Since
          </th>
          <th scope="col" className="w-88 whitespace-nowrap text-right">
            Processes
          </th>
          <th scope="col" className="w-88 whitespace-nowrap text-right">
            Memory
          </th>
          <th scope="col" className="w-152">
            <Unseen>What to do</Unseen>
          </th>
        </tr>
      </thead>
      <tbody>
        {trees.map((tree) => (
          <Tree key={tree.id} tree={tree} onEnd={() => onEnd(tree)} />
        ))}
      </tbody>
    </table>
  );
}

function Tree({ tree, onEnd }: { readonly tree: LeftTreeView; readonly onEnd: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { certain, client = 'Not known', listens, memoryBytes, pids, startedAt } = tree;
  const since = useNow((now) => (startedAt === undefined ? '–' : startText(startedAt, now)));
  const name = treeName(tree);
  return (
    <Fragment>
      <tr className={bodyCells} aria-label={name}>
        <td>
          <span className="font-semibold">{name}</span>
          {!certain && (
            <span className="block text-12 text-dim">
              This system does not say whether it is still in use, so it is only shown.
            </span>
          )}
          {certain && listens && (
            <span className="block text-12 text-dim">Other programs may connect to its port or socket.</span>
          )}
        </td>
        <td className="max-[901px]:hidden">{client}</td>
        <td className="max-[901px]:hidden">{since}</td>
        <td className="whitespace-nowrap text-right">{pids.length}</td>
        <td className="whitespace-nowrap text-right">{formatMemory(memoryBytes)}</td>
        <td>
          <span className="flex justify-end gap-6">
            <TextButton
              aria-label={`Details: ${name}`}
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setOpen(!isOpen)}
            >
              Details
            </TextButton>
            {certain && (
              <TextButton aria-label={`End ${name}`} onClick={onEnd}>
                End…
              </TextButton>
            )}
          </span>
        </td>
      </tr>
      <tr id={id} className={bodyCells} hidden={!isOpen}>
        <td colSpan={6}>{isOpen && <Processes tree={tree} />}</td>
      </tr>
    </Fragment>
  );
}

/** Lists the processes of a process tree, each below its parent. */
function Processes({ tree }: { readonly tree: LeftTreeView }) {
  return (
    <ul className="wrap-anywhere" aria-label={`Processes of ${treeName(tree)}`}>
      {arrangeProcesses(tree.processes, 'started').map(({ process, level }) => (
        <li
          key={process.pid}
          className="grid grid-cols-[minmax(0,1fr)_96px_80px] gap-12 text-12"
          style={{ paddingLeft: (level - 1) * 16 }}
        >
          <code className="truncate" data-tip={processCommand(process)} data-tip-if-cut>
            {processCommand(process)}
          </code>
          <span className="text-dim">pid {process.pid}</span>
          <span className="whitespace-nowrap text-right">{formatMemory(process.memoryBytes)}</span>
        </li>
      ))}
    </ul>
  );
}

interface LeftBehindQuestionProps {
  readonly asked: readonly LeftTreeView[];
  readonly isBusy: boolean;
  readonly onNo: () => void;
  readonly onYes: (chosen: readonly LeftTreeView[]) => void;
}

/**
 * Asks the user before process trees are ended, and lists them. A tree that listens on a port or socket must be ticked, unless
 * it is the only tree in the question.
 */
function LeftBehindQuestion({ asked, isBusy, onNo, onYes }: LeftBehindQuestionProps) {
  const { on: ticked, toggle } = useToggles<string>();
  const isOne = asked.length === 1;
  const hasTick = ({ listens }: LeftTreeView) => listens && !isOne;
  const chosen = asked.filter((tree) => !hasTick(tree) || ticked.has(tree.id));
  const count = formatPlural(processCount(chosen), 'process', 'processes');
  return (
    <Question
      title={`End ${count}?`}
      no="Keep them"
      yes={`End ${count}`}
      isBusy={isBusy}
      onNo={onNo}
      onYes={() => onYes(chosen)}
    >
      <ul className="pt-4 pb-12 wrap-anywhere" aria-label="Processes to end">
        {asked
          .filter((tree) => !hasTick(tree))
          .map((tree) => (
            <li key={tree.id}>{treeLine(tree)}</li>
          ))}
      </ul>
      {asked.filter(hasTick).map((tree) => (
        <CheckField
          key={tree.id}
          label={`Also ${treeLine(tree)}`}
          hint="Other programs may connect to its port or socket."
          isChecked={ticked.has(tree.id)}
          onChange={() => toggle(tree.id)}
        />
      ))}
      <p className="pt-8">
        {isOne && asked[0]?.listens === true && 'Other programs may connect to its port or socket. '}
        Their client is gone, so nobody reads their output. The panel checks again first, and leaves running
        what is in use. Each process is asked to end, and ended by force after two seconds.
      </p>
    </Question>
  );
}
