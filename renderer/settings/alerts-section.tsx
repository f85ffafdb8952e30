import { useCallback, useEffect, useState } from 'react';
import { NativeSelect } from '@mantine/core';
import type { AlertRule, AlertsView } from '../../shared/alerts.ts';
import { ruleDetails, ruleTitle, templateChoices, unsentText } from '../format/alert-words.ts';
import { usePanel, useServices, useTask } from '../services.ts';
import { FailedNote } from '../ui/error-note.tsx';
import { Form } from '../ui/form.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { alertChoice, alertForm, alertLine, AlertRuleForm, TestButton } from './alert-rule-form.tsx';
import { MaskedField } from '../ui/masked-field.tsx';
import { TextField } from '../ui/text-field.tsx';

/** Settings of alerts: the rules, the destinations, and the alerts that could not be sent. */
export function AlertsSection() {
  const { api } = useServices();
  const [alerts, setAlerts] = useState<AlertsView>();
  const lastFailure = usePanel(({ events }) => events.findLast(({ kind }) => kind === 'alert-failed')?.id);
  const refresh = useCallback(async () => setAlerts(await api.getAlerts()), [api]);
  useEffect(() => {
    api.getAlerts().then(setAlerts, () => setAlerts(undefined));
  }, [api, lastFailure]);
  if (alerts === undefined) return null;
  const { rules, webhook, quietHours, unsent } = alerts;
  return (
    <>
      <Rules rules={rules} refresh={refresh} />
      <WebhookForm webhook={webhook} refresh={refresh} />
      <QuietHoursFields quietHours={quietHours} refresh={refresh} />
      {unsent.length > 0 && (
        <section aria-label="Not sent">
          <h3 className="mt-12 text-13 font-semibold">Not sent</h3>
          <ul>
            {unsent.map((one) => (
              <li key={`${one.at} ${one.rule} ${one.reason}`}>{unsentText(one)}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface RulesProps {
  readonly rules: readonly AlertRule[];
  readonly refresh: () => Promise<void>;
}

function Rules({ rules, refresh }: RulesProps) {
  const { api } = useServices();
  /** Id of the rule in the form: empty for a new rule, undefined if the form is closed. */
  const [edited, setEdited] = useState<string>();
  const { status, run } = useTask<void>();
  const put = (next: readonly AlertRule[]) =>
    run(async () => {
      await api.putAlertRules([...next]);
      setEdited(undefined);
      await refresh();
    });
  const form = (rule?: AlertRule) => (
    <AlertRuleForm
      rule={rule}
      taken={rules.map(({ id }) => id)}
      isBusy={status?.phase === 'pending'}
      onSave={(next) =>
        void put(rule ? rules.map((one) => (one.id === rule.id ? next : one)) : [...rules, next])
      }
      onCancel={() => setEdited(undefined)}
    />
  );
  return (
    <>
      {rules.length > 0 && (
        <ul aria-label="Rules">
          {rules.map((rule) => (
            <li key={rule.id} className="py-8 border-b border-line">
              {edited === rule.id ? (
                form(rule)
              ) : (
                <RuleRow
                  rule={rule}
                  onEdit={() => setEdited(rule.id)}
                  onRemove={() => void put(rules.filter(({ id }) => id !== rule.id))}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      <FailedNote status={status} server="" lead="Not saved" />
      {edited === '' ? (
        form()
      ) : (
        <div className={alertLine} data-setting="alerts.rules">
          <TextButton onClick={() => setEdited('')}>Add a rule…</TextButton>
        </div>
      )}
    </>
  );
}

interface RuleRowProps {
  readonly rule: AlertRule;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function RuleRow({ rule, onEdit, onRemove }: RuleRowProps) {
  const title = ruleTitle(rule);
  return (
    <div className={alertLine}>
      <span className="flex-1 min-w-200 wrap-anywhere">
        <strong>{title}</strong> <span className="hint">{ruleDetails(rule)}</span>
      </span>
      <TextButton aria-label={`Change ${title}`} onClick={onEdit}>
        Change
      </TextButton>
      <TextButton aria-label={`Remove ${title}`} onClick={onRemove}>
        Remove
      </TextButton>
      <TestButton id={rule.id} name={`Test ${title}`} />
    </div>
  );
}

interface ChannelProps extends Pick<AlertsView, 'webhook' | 'quietHours'> {
  readonly refresh: () => Promise<void>;
}

type Template = NonNullable<AlertsView['webhook']>['template'];

const templates = Object.entries(templateChoices).map(([value, label]) => ({ value, label }));

const isTemplate = (value: string): value is Template => Object.hasOwn(templateChoices, value);

/** Form for the webhook. The webhook's URL can be replaced, but the panel never shows it. */
function WebhookForm({ webhook, refresh }: Omit<ChannelProps, 'quietHours'>) {
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
  const save = () => {
    if (isChanged) put({ webhook: { ...(url.trim() !== '' && { url: url.trim() }), template: shown } });
  };
  const isChanged = url.trim() !== '' || (webhook !== undefined && shown !== webhook.template);
  return (
    <Form className={alertForm} aria-label="Webhook" data-setting="alerts.webhook" onSubmit={save}>
      <h3 className="mt-12 text-13 font-semibold">Webhook</h3>
      <MaskedField
        label="URL"
        value={url}
        placeholder={webhook === undefined ? 'https://ntfy.sh/…' : `${webhook.url} is kept`}
        hint={
          webhook?.isInPlainText
            ? 'The store of secrets is not open, so the URL is readable in settings.json.'
            : 'It is kept as a secret. It may contain a reference such as ${secret:NAME}.'
        }
        onChange={setUrl}
      />
      <NativeSelect
        size="xs"
        label="Format"
        value={shown}
        classNames={{ root: alertChoice, label: 'label' }}
        onChange={({ currentTarget: { value } }) => isTemplate(value) && setTemplate(value)}
        data={templates}
      />
      <FailedNote status={status} server="" lead="Not saved" />
      <div className={alertLine}>
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
    </Form>
  );
}

/**
 * Fields for the quiet hours. They are saved when a field loses focus, but only if both times are set or both are empty,
 * because one time without the other is not a valid setting.
 */
function QuietHoursFields({ quietHours, refresh }: Omit<ChannelProps, 'webhook'>) {
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
    <Form
      className={alertForm}
      aria-label="Quiet hours"
      data-setting="alerts.quietHours"
      onBlur={save}
      onSubmit={save}
    >
      <h3 className="mt-12 text-13 font-semibold">
        Quiet hours <span className="hint">Alerts wait until they are over.</span>
      </h3>
      <TextField label="From" value={from} placeholder="22:00" error={timeProblem(from)} onChange={setFrom} />
      <TextField label="To" value={to} placeholder="07:00" error={timeProblem(to)} onChange={setTo} />
      <FailedNote status={status} server="" lead="Not saved" />
    </Form>
  );
}

const isTime = (text: string): boolean => text === '' || /^([01]\d|2[0-3]):[0-5]\d$/.test(text);

const timeProblem = (text: string): string | undefined =>
  isTime(text) ? undefined : 'Expected a time such as 22:00.';
