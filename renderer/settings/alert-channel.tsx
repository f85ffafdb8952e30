import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import type { AlertsView } from '../../shared/alerts.ts';
import { templateChoices } from '../format/alert-words.ts';
import { useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { MaskedField } from '../ui/masked-field.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useTask } from '../use-task.ts';
import { TestButton } from './alert-test.tsx';
import styles from './alerts.module.css';

interface ChannelProps extends Pick<AlertsView, 'webhook' | 'quietHours'> {
  readonly refresh: () => Promise<void>;
}

type Template = NonNullable<AlertsView['webhook']>['template'];
const templates = Object.entries(templateChoices).map(([value, label]) => ({ value, label }));
const isTemplate = (value: string): value is Template => Object.hasOwn(templateChoices, value);

/** Form for the webhook. Its URL can be replaced, but never read. */
export function WebhookForm({ webhook, refresh }: Omit<ChannelProps, 'quietHours'>) {
  const { api } = useServices();
  const [url, setUrl] = useState('');
  const [template, setTemplate] = useState<Template>();
  const { status, run } = useTask<void>();
  const shown = template ?? webhook?.template ?? 'json';
  const put = (next: Parameters<typeof api.putAlertChannel>[0]) =>
    void run(async () => {
      await api.putAlertChannel(next);
      setUrl('');
      setTemplate(undefined);
      await refresh();
    });
  const isChanged = url.trim() !== '' || (webhook !== undefined && shown !== webhook.template);
  return (
    <form
      className={styles.form}
      aria-label="Webhook"
      data-setting="alerts.webhook"
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) put({ webhook: { ...(url.trim() !== '' && { url: url.trim() }), template: shown } });
      }}
    >
      <h3 className={styles.title}>Webhook</h3>
      <MaskedField
        label="URL"
        value={url}
        placeholder={webhook === undefined ? 'https://ntfy.sh/…' : `${webhook.url} is kept`}
        hint={
          webhook?.isInPlainText
            ? 'The store of secrets is not open, so the URL stands readable in settings.json.'
            : 'It is kept as a secret. A reference such as ${secret:NAME} can stand in it.'
        }
        onChange={setUrl}
      />
      <NativeSelect
        size="xs"
        label="Form"
        value={shown}
        classNames={{ root: styles.choice ?? '', label: styles.label ?? '' }}
        onChange={({ currentTarget: { value } }) => isTemplate(value) && setTemplate(value)}
        data={templates}
      />
      {status?.phase === 'failed' && <ErrorNote error={status.error} server="" lead="Not saved" />}
      <div className={styles.line}>
        <TextButton type="submit" disabled={!isChanged} isBusy={status?.phase === 'pending'}>
          Save webhook
        </TextButton>
        {webhook !== undefined && (
          <>
            <TextButton onClick={() => put({ webhook: null })}>Remove webhook</TextButton>
            <TestButton id="webhook" name="Test webhook" />
          </>
        )}
      </div>
    </form>
  );
}

/** Quiet hours. They are saved when the fields lose the focus, because half of them says nothing. */
export function QuietHoursFields({ quietHours, refresh }: Omit<ChannelProps, 'webhook'>) {
  const { api } = useServices();
  const [from, setFrom] = useState(quietHours?.from ?? '');
  const [to, setTo] = useState(quietHours?.to ?? '');
  const { status, run } = useTask<void>();
  const isWhole = (from === '') === (to === '') && [from, to].every(isTime);
  const isChanged = from !== (quietHours?.from ?? '') || to !== (quietHours?.to ?? '');
  const save = () => {
    if (!isWhole || !isChanged) return;
    void run(async () => {
      await api.putAlertChannel({ quietHours: from === '' ? null : { from, to } });
      await refresh();
    });
  };
  return (
    <form
      className={styles.form}
      aria-label="Quiet hours"
      data-setting="alerts.quietHours"
      onBlur={save}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <h3 className={styles.title}>
        Quiet hours <span className={styles.quiet}>Alerts wait until they are over.</span>
      </h3>
      <TextField label="From" value={from} placeholder="22:00" error={timeProblem(from)} onChange={setFrom} />
      <TextField label="To" value={to} placeholder="07:00" error={timeProblem(to)} onChange={setTo} />
      {status?.phase === 'failed' && <ErrorNote error={status.error} server="" lead="Not saved" />}
    </form>
  );
}

const isTime = (text: string): boolean => text === '' || /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
const timeProblem = (text: string): string | undefined =>
  isTime(text) ? undefined : 'Expected a time such as 22:00.';
