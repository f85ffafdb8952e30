import { useCallback, useEffect, useState } from 'react';
import { knownSpans } from '../../shared/secrets/known-forms.ts';
import { withPlaceholders } from '../../shared/secrets/secret-spans.ts';
import { MASK, parseJsonText } from '../entry/entry-json.ts';
import { hasMasked, shownText } from '../entry/shown-entry.ts';
import { formatPlural } from '../format/figures.ts';
import { ownerWords } from '../format/program-words.ts';
import { showHiddenCharacters } from '../format/text-direction.ts';
import { useServices } from '../services.ts';
import type { WantedMove } from '../store/manage-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useTask } from '../use-task.ts';
import { carryOut, previewMove, type MovePlan } from './move-plan.ts';
import { StartQuestion, useStartChoice } from './start-question.tsx';
import styles from './client-dialog.module.css';

const isOpen = ({ outcome, wanted }: MovePlan): boolean => outcome !== 'moved' && wanted.servers.length > 0;
const isComplete = ({ outcome, refused }: MovePlan): boolean => outcome === 'moved' && refused.length === 0;
const hasFailed = ({ outcome }: MovePlan): boolean => outcome !== undefined && outcome !== 'moved';

/** Dialog that shows what a move changes in the files of programs, then moves. */
export function MoveDialog({ wanted }: { readonly wanted: readonly WantedMove[] }) {
  const { manage } = useServices();
  const { isAsked, save, ...start } = useStartChoice();
  const { plans, busy, preview, move } = useMoving(wanted, save);
  const count = plans.filter(isOpen).reduce((sum, plan) => sum + plan.wanted.servers.length, 0);
  const again = plans.some(hasFailed);
  const act = again ? preview : move;
  const isDone = plans.length > 0 && count === 0;
  return (
    <Dialog
      title="Move servers to the panel"
      onClose={() => manage.close()}
      onSubmit={() => count > 0 && busy === undefined && act()}
      foot={
        <>
          <p className={styles.gap} role="status">
            {busy === 'preview'
              ? 'Reading the files…'
              : 'Names stay the same. Back puts each entry back as it was.'}
          </p>
          <TextButton onClick={() => manage.close()}>{isDone ? 'Close' : 'Cancel'}</TextButton>
          {!isDone && (
            <TextButton
              look="main"
              data-autofocus
              disabled={count === 0}
              isBusy={busy !== undefined}
              onClick={act}
            >
              {busy === 'move'
                ? 'Moving…'
                : again
                  ? 'Preview again'
                  : `Move ${formatPlural(count, 'server')}`}
            </TextButton>
          )}
        </>
      }
    >
      {isAsked && !isDone && <StartQuestion {...start} />}
      {plans.map((plan) => (
        <Plan key={plan.wanted.client} plan={plan} />
      ))}
    </Dialog>
  );
}

interface Step {
  readonly busy: 'preview' | 'move';
  /** What is shown meanwhile. */
  readonly before: readonly MovePlan[];
}

/** @param onMoved called after each step that has moved something */
function useMoving(wanted: readonly WantedMove[], onMoved: () => Promise<void>) {
  const { api, clients, manage, programs } = useServices();
  const { status, run } = useTask<readonly MovePlan[], Step>();
  const plans = status?.phase === 'done' ? status.value : (status?.about.before ?? []);
  const show = useCallback(
    (moves: readonly WantedMove[], before: readonly MovePlan[]) =>
      void run(() => Promise.all(moves.map((one) => previewMove(api, one))), { busy: 'preview', before }),
    [api, run],
  );
  useEffect(() => show(wanted, []), [show, wanted]);
  const move = async () => {
    programs.changing(plans.filter(isOpen).map((plan) => plan.wanted.client));
    const tried: MovePlan[] = [];
    // One program after the other, because each move adds to servers.json.
    for (const plan of plans) tried.push(await carryOut(api, plan));
    if (tried.some(({ outcome }) => outcome === 'moved')) await onMoved();
    await Promise.all([programs.refresh(), clients.refresh()]);
    if (tried.every(isComplete)) manage.close();
    return tried;
  };
  return {
    plans,
    busy: status?.phase === 'done' ? undefined : (status?.about.busy ?? 'preview'),
    preview: () =>
      show(
        plans.filter(isOpen).map((plan) => plan.wanted),
        plans,
      ),
    move: () => void run(move, { busy: 'move', before: plans }),
  };
}

function Plan({ plan: { wanted, shown, refused, outcome } }: { readonly plan: MovePlan }) {
  const { name, reload } = wanted;
  return (
    <section className={styles.part} aria-label={name}>
      <h3 className={styles.name}>
        {name}
        {outcome === 'moved' && <span className={styles.hint}>Moved.</span>}
        {shown.length > 0 && <span className={styles.hint}>Afterwards: {reload}</span>}
      </h3>
      {outcome !== undefined && outcome !== 'moved' && (
        <ErrorNote error={outcome} server={name} lead="Not moved" />
      )}
      {refused.map((server) => (
        <ErrorNote
          key={`${server.scope} ${server.name}`}
          error={server.error}
          server={server.name}
          lead={`${server.name} (${ownerWords(server.scope)}) stays`}
        />
      ))}
      <ul className={styles.changes}>
        {shown.map((change) => (
          <Change key={`${change.scope} ${change.server}`} change={change} />
        ))}
      </ul>
    </section>
  );
}

function Change({ change }: { readonly change: MovePlan['shown'][number] }) {
  const { server, scope, path, before, after, notes } = change;
  const [isRevealed, setIsRevealed] = useState(false);
  const masked = withoutSecrets(before);
  return (
    <li aria-label={`What changes for ${server}`}>
      <div className={styles.file}>
        <strong>{server}</strong>
        <span className={styles.hint}>{ownerWords(scope)}</span>
        <code>{path}</code>
        {masked !== before && (
          <TextButton
            look="link"
            aria-label={`${isRevealed ? 'Hide' : 'Show'} the values of ${server}`}
            onClick={() => setIsRevealed(!isRevealed)}
          >
            {isRevealed ? 'Hide values' : 'Show values'}
          </TextButton>
        )}
      </div>
      {notes.map((note) => (
        <p key={note} className={styles.hint}>
          {note}
        </p>
      ))}
      <div className={styles.texts}>
        <EntryText label="Now" text={isRevealed ? before : masked} />
        <EntryText label="Then" text={after} />
      </div>
    </li>
  );
}

/** Masks values as other views do where it is JSON, and what looks like a secret in any form. */
function withoutSecrets(text: string): string {
  const parsed = parseJsonText(text, {});
  const shown = parsed.ok && hasMasked(parsed.entry) ? shownText(parsed.entry, false) : text;
  return withPlaceholders(shown, knownSpans(shown), MASK);
}

function EntryText({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <figure className={styles.box}>
      <figcaption className={styles.hint}>{label}</figcaption>
      {/* The keyboard can scroll what does not fit. */}
      <pre className={styles.code} aria-label={label} tabIndex={0}>
        {text.trim() === '' ? 'no entry' : withoutIndent(text).map(showHiddenCharacters).join('\n')}
      </pre>
    </figure>
  );
}

/** Lines without what all but the first are indented by, since the first begins within its line. */
function withoutIndent(text: string): readonly string[] {
  const [first = '', ...rest] = text.trim().split(/\r?\n/);
  const indents = rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const least = indents.length === 0 ? 0 : Math.min(...indents);
  return [first, ...rest.map((line) => line.slice(least))];
}
