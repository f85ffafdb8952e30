import { useCallback, useEffect, useState } from 'react';
import { formatPlural } from '../format/figures.ts';
import { ownerWords } from '../format/program-words.ts';
import { useServices, useTask } from '../services.ts';
import type { WantedMove } from '../store/manage-store.ts';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { EntryTexts } from './entry-texts.tsx';
import { carryOut, decided, type Decision, type MovePlan, previewMove, wantedOf } from './move-plan.ts';
import { entryValueAt } from '../entry/raw-entry.ts';
import { useSettings } from '../settings/use-settings.ts';
import { hasMoved } from '../store/polled-stores.ts';
import { CheckField } from '../ui/check-field.tsx';
import { answerOf, type Answers, unanswered } from '../entry/answers.ts';
import { AskFields } from '../entry/ask-fields.tsx';

const isOpen = ({ outcome, wanted }: MovePlan): boolean => outcome !== 'moved' && wanted.servers.length > 0;
const isComplete = ({ outcome, left }: MovePlan): boolean => outcome === 'moved' && left.length === 0;
const hasFailed = ({ outcome }: MovePlan): boolean => outcome !== undefined && outcome !== 'moved';

/** Dialog that shows how a move will change the files of programs, and then carries out the move. */
export function MoveDialog({ wanted }: { readonly wanted: readonly WantedMove[] }) {
  const { manage } = useServices();
  const { isAsked, save, ...start } = useStartChoice();
  const { plans, busy, preview, decide, move } = useMoving(wanted, save);
  const count = plans.filter(isOpen).reduce((sum, plan) => sum + plan.wanted.servers.length, 0);
  const again = plans.some(hasFailed);
  const act = again ? preview : move;
  const isDone = plans.length > 0 && count === 0;
  const main = {
    words: busy === 'move' ? 'Moving…' : again ? 'Preview again' : `Move ${formatPlural(count, 'server')}`,
    focus: 'yes' as const,
    isDisabled: count === 0,
    isBusy: busy !== undefined,
    run: act,
  };
  return (
    <Dialog
      title="Move servers to the panel"
      onClose={() => manage.close()}
      foot={
        <>
          <p role="status">
            {busy === 'preview'
              ? 'Reading the files…'
              : 'Names stay the same. Back restores each entry exactly as it was.'}
          </p>
          {isDone && <TextButton onClick={() => manage.close()}>Close</TextButton>}
        </>
      }
      main={isDone ? undefined : main}
    >
      {isAsked && !isDone && <StartQuestion {...start} />}
      {plans.map((plan) => (
        <Plan key={plan.wanted.client} plan={plan} onDecide={(decision) => decide(plan, decision)} />
      ))}
    </Dialog>
  );
}

interface Step {
  readonly busy: 'preview' | 'move';
  /** Plans that are shown until the step is done. */
  readonly before: readonly MovePlan[];
}

/** @param onMoved called after each step that has moved at least one server */
function useMoving(wanted: readonly WantedMove[], onMoved: () => Promise<void>) {
  const { api, clients, manage, programs } = useServices();
  const { status, run } = useTask<readonly MovePlan[], Step>();
  const plans = status?.phase === 'done' ? status.value : (status?.about.before ?? []);
  const show = useCallback(
    (next: readonly (WantedMove | MovePlan)[], before: readonly MovePlan[]) =>
      void run(() => Promise.all(next.map(async (one) => ('shown' in one ? one : previewMove(api, one)))), {
        busy: 'preview',
        before,
      }),
    [api, run],
  );
  useEffect(() => show(wanted, []), [show, wanted]);
  const move = async () => {
    programs.changing(plans.filter(isOpen).map((plan) => plan.wanted.client));
    const tried: MovePlan[] = [];
    // Programs are handled one after another, because each move adds to servers.json.
    for (const plan of plans) tried.push(await carryOut(api, plan));
    if (tried.some(({ outcome }) => outcome === 'moved')) await onMoved();
    await Promise.all([programs.refresh(), clients.refresh()]);
    if (tried.every(isComplete)) manage.close();
    return tried;
  };
  return {
    plans,
    busy: status?.phase === 'done' ? undefined : (status?.about.busy ?? 'preview'),
    preview: () => show(plans.filter(({ outcome }) => outcome !== 'moved').map(wantedOf), plans),
    decide: (plan: MovePlan, decision: Decision) =>
      show(
        plans.map((one) => (one === plan ? decided(plan, decision) : one)),
        plans,
      ),
    move: () => void run(move, { busy: 'move', before: plans }),
  };
}

interface PlanProps {
  readonly plan: MovePlan;
  readonly onDecide: (decision: Decision) => void;
}

function Plan({ plan: { wanted, shown, left, outcome }, onDecide }: PlanProps) {
  const { name, reload } = wanted;
  return (
    <section className="[&+&]:mt-16" aria-label={name}>
      <h3 className="mb-6 text-13 font-semibold">
        {name}
        {outcome === 'moved' && <span className="ml-8 hint">Moved.</span>}
        {shown.length > 0 && <span className="ml-8 hint">Afterwards: {reload}</span>}
      </h3>
      {outcome !== undefined && outcome !== 'moved' && (
        <ErrorNote error={outcome} server={name} lead="Not moved" />
      )}
      {left.map((server) => (
        <Left key={`${server.scope} ${server.name}`} server={server} program={name} onDecide={onDecide} />
      ))}
      <ul>
        {shown.map(({ server, scope, path, before, after, notes }) => (
          <li key={`${scope} ${server}`} aria-label={`What changes for ${server}`}>
            <EntryTexts {...{ server, scope, path }} texts={{ Now: before, Then: after }}>
              {notes.map((note) => (
                <p key={note} className="hint">
                  {note}
                </p>
              ))}
            </EntryTexts>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LeftProps {
  readonly server: MovePlan['left'][number];
  /** Name of the program. */
  readonly program: string;
  readonly onDecide: (decision: Decision) => void;
}

function Left({ server, program, onDecide }: LeftProps) {
  const { name, scope, error, asks, twin } = server;
  if ((asks ?? twin) !== undefined) return <MoveQuestion {...{ server, program, onDecide }} />;
  return <ErrorNote error={error} server={name} lead={`${name} (${ownerWords(scope)}) stays`} />;
}

const choices = [
  {
    path: 'gateway.startWithClients',
    label: 'Start with the first client',
    hint: 'Without a window, when a program needs it; not after you have quit it.',
  },
  { path: 'startAtLogin', label: 'Start at login', hint: 'Servers are up before you need them.' },
];

/**
 * Lets the user choose when the panel starts automatically. The choice is offered when servers are moved for the first time in
 * this data folder, because from then on a program needs the panel.
 */
function useStartChoice() {
  const { manage, programs, settings: store } = useServices();
  const settings = useSettings();
  const [isAsked] = useState(() => programs.state.getState().found?.some(hasMoved) === false);
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isSet = (path: string) => entryValueAt(settings ?? {}, path) === true;
  const save = async () => {
    for (const [path, isOn] of chosen) {
      if (isOn === isSet(path)) continue;
      await store.set(path, isOn);
      const status = store.changes.getState().byKey.get(path);
      if (status?.phase === 'failed')
        manage.setNote({ kind: 'failed', lead: 'Not saved', server: 'settings.json', error: status.error });
    }
  };
  return {
    isAsked,
    isOn: (path: string) => chosen.get(path) ?? isSet(path),
    choose: (path: string, isOn: boolean) => setChosen(new Map([...chosen, [path, isOn]])),
    save,
  };
}

type StartQuestionProps = Pick<ReturnType<typeof useStartChoice>, 'isOn' | 'choose'>;

const StartQuestion = ({ isOn, choose }: StartQuestionProps) => (
  <fieldset className="flex flex-col gap-8 min-w-0 mb-16">
    <legend className="mb-6 p-0 text-13 font-semibold">
      These programs will need the panel. When should it start?
    </legend>
    {choices.map(({ path, label, hint }) => (
      <CheckField
        key={path}
        label={label}
        hint={hint}
        isChecked={isOn(path)}
        onChange={(next) => choose(path, next)}
      />
    ))}
  </fieldset>
);

/** Asks for an entry's open values and which of two definitions to use. A server stays where it is until the user answers. */
function MoveQuestion({ server, program, onDecide }: LeftProps) {
  const { name, scope, asks = [], twin } = server;
  const [answers, setAnswers] = useState<Answers>({});
  const given = {
    ...server.answers,
    ...Object.fromEntries(asks.map((ask) => [ask.id, answerOf(ask, answers)])),
  };
  const take = (as = server.as) => onDecide({ server, answers: given, as, use: undefined });
  const isOpen = unanswered(asks, answers).length > 0;
  return (
    <div className="pb-12" role="group" aria-label={`What to do with ${name}`}>
      <EntryTexts
        server={name}
        scope={scope}
        texts={twin === undefined ? {} : { 'In the panel': twin.here, [`In ${program}`]: twin.there }}
      >
        <p>
          {twin !== undefined && 'The panel has another server of this name. '}
          {asks.length > 0 && 'Its entry has values that are not filled in; servers.json will keep them so. '}
          Without an answer, {name} stays as it is in {program}.
        </p>
      </EntryTexts>
      <AskFields
        name={`Values for ${name}`}
        asks={asks}
        answers={answers}
        onAnswer={(ask, value) => setAnswers({ ...answers, [ask]: value })}
      />
      <div className="flex flex-wrap gap-8">
        {twin === undefined ? (
          <TextButton disabled={isOpen} onClick={() => take()}>
            Use these values
          </TextButton>
        ) : (
          <>
            <TextButton onClick={() => onDecide({ server, as: undefined, use: 'panel' })}>
              Use the panel’s definition
            </TextButton>
            <TextButton disabled={isOpen} onClick={() => take(twin.freeName)}>
              Take this one as {twin.freeName}
            </TextButton>
          </>
        )}
      </div>
    </div>
  );
}
