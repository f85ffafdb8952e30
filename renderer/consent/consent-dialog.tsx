import { useEffect, useState } from 'react';
import { useStore } from 'zustand/react';
import type { ControlPanelApi } from '../../shared/ipc-contract.ts';
import { formatPlural } from '../format/figures.ts';
import { useServer, useServices, useTask } from '../services.ts';
import { askingServers } from '../store/panel-store.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { FailedNote } from '../ui/error-note.tsx';
import { Icon } from '../ui/icon.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useByDigest } from './changed-tools-dialog.tsx';
import { Fact } from './approval-dialog.tsx';

interface ConsentDialogProps {
  /** Only server that the dialog asks about; if absent, it asks about all servers that wait for consent. */
  readonly server?: string | undefined;
}

type Consent = Awaited<ReturnType<ControlPanelApi['getConsent']>>;

/** Dialog with server definitions that came from outside the panel. None of them is run before the user agrees. */
export function ConsentDialog({ server }: ConsentDialogProps) {
  const { api, manage, panel } = useServices();
  const waiting = useStore(panel, (state) => askingServers(state).join('\n'));
  const names = waiting
    .split('\n')
    .filter((name) => name !== '' && (server === undefined || name === server));
  const isDone = names.length === 0;
  const { status, run } = useTask<void>();
  useEffect(() => {
    if (isDone) manage.close();
  }, [isDone, manage]);
  const agreeAll = () =>
    void run(async () => {
      for (const name of names) {
        const digest = panel.getState().servers.get(name)?.consent?.digest;
        if (digest !== undefined) await api.agree({ name, digest });
      }
    });
  return (
    <Dialog
      title={
        names.length === 1
          ? `Run ${names[0]} as it is written now?`
          : 'Run these servers as they are written now?'
      }
      onClose={() => manage.close()}
      foot={
        <>
          <p>servers.json was changed outside the panel. What ran before keeps running until you agree.</p>
          {names.length > 1 && (
            <TextButton isBusy={status?.phase === 'pending'} onClick={agreeAll}>
              Agree to all {formatPlural(names.length, 'server')}
            </TextButton>
          )}
          <TextButton data-autofocus onClick={() => manage.close()}>
            Decide later
          </TextButton>
        </>
      }
    >
      <FailedNote status={status} server="" lead="Not agreed" />
      {names.map((name) => (
        <Asked key={name} name={name} isAlone={names.length === 1} />
      ))}
    </Dialog>
  );
}

interface AskedProps {
  readonly name: string;
  /** True if the dialog asks about no other server. */
  readonly isAlone: boolean;
}

function Asked({ name, isAlone }: AskedProps) {
  const { api } = useServices();
  const consent = useByDigest(name, useServer(name)?.consent?.digest, api.getConsent);
  const [isPinned, setPinned] = useState(false);
  const { status, run } = useTask<void>();
  if (consent === undefined) return null;
  const { digest, difference } = consent;
  const { isNew, pin } = difference;
  const answer = { name, digest };
  return (
    <section className="border-line [&+&]:mt-16 [&+&]:pt-16 [&+&]:border-t" aria-label={name}>
      <h3 className="mb-6 text-13 font-semibold">
        {name}
        <span className="ml-8 hint">{isNew ? 'new' : 'changed'}</span>
      </h3>
      <Difference difference={difference} />
      {pin !== undefined && (
        <CheckField
          label={`Pin ${pin.package} to ${pin.version}, the installed version`}
          hint="Writes the version into servers.json, so that no newer version runs automatically."
          isChecked={isPinned}
          onChange={setPinned}
        />
      )}
      <FailedNote status={status} server={name} lead="Not agreed" />
      <div className="flex flex-wrap items-center gap-8 mt-8">
        <TextButton
          look="main"
          aria-label={`Agree to ${name}`}
          isBusy={status?.phase === 'pending'}
          onClick={() => void run(() => api.agree({ ...answer, ...(isPinned && { pin: true }) }))}
        >
          Agree
        </TextButton>
        <NotNow answer={answer} run={run} isAlone={isAlone} />
      </div>
    </section>
  );
}

/** Returns a readable name for a field of a definition: `args[0]`, `env.TOKEN`, `headers.Authorization`. */
function fieldWords(field: string): string {
  if (field.startsWith('args[')) return `argument ${Number.parseInt(field.slice('args['.length), 10) + 1}`;
  if (field.startsWith('env.')) return `variable ${field.slice('env.'.length)}`;
  if (field.startsWith('headers.')) return `header ${field.slice('headers.'.length)}`;
  return field;
}

function Difference({ difference: { receivers, words, lines } }: Pick<Consent, 'difference'>) {
  return (
    <>
      {receivers.map((line) => (
        <p
          key={line}
          className="flex items-start gap-8 mb-6 wrap-anywhere font-semibold [&>svg]:flex-none [&>svg]:mt-4 [&>svg]:text-suspect"
        >
          <Icon name="warning" size={14} />
          {line}
        </p>
      ))}
      {words.map((line) => (
        <p key={line}>{line}</p>
      ))}
      <dl className="mt-8 mb-12 box">
        {lines.map(({ field, before, after }) => (
          <Fact key={field} name={fieldWords(field)}>
            <Side mark="−" name={`${fieldWords(field)} before`} look="text-dim" text={before} />
            <Side mark="+" name={`${fieldWords(field)} now`} text={after} />
          </Fact>
        ))}
      </dl>
    </>
  );
}

interface NotNowProps extends Pick<AskedProps, 'isAlone'> {
  readonly answer: { readonly name: string; readonly digest: string };
  readonly run: (work: () => Promise<void>) => unknown;
}

function NotNow({ answer, run, isAlone }: NotNowProps) {
  const { api, manage } = useServices();
  const isPostponed = useServer(answer.name)?.consent?.isPostponed === true;
  if (isPostponed) return <span className="hint">Your answer: not now.</span>;
  const postpone = async () => {
    await api.postpone(answer);
    if (isAlone) manage.close();
  };
  return (
    <TextButton aria-label={`Not now for ${answer.name}`} onClick={() => void run(postpone)}>
      Not now
    </TextButton>
  );
}

interface SideProps {
  readonly mark: string;
  /** Accessible name of the line. */
  readonly name: string;
  readonly look?: string;
  readonly text: string | undefined;
}

function Side({ mark, name, look = '', text }: SideProps) {
  if (text === undefined) return null;
  return (
    <code
      className={`block wrap-anywhere whitespace-pre-wrap select-text text-12/16 font-mono ${look}`}
      aria-label={name}
    >
      <span aria-hidden="true">{mark} </span>
      {text}
    </code>
  );
}
