import { useCallback, useEffect, useState } from 'react';
import type { AlertRule, AlertsView } from '../../shared/alerts.ts';
import { ruleDetails, ruleTitle, unsentText } from '../format/alert-words.ts';
import { usePanel, useServices } from '../services.ts';
import { ErrorNote } from '../ui/error-note.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { useTask } from '../use-task.ts';
import { AlertRuleForm } from './alert-rule-form.tsx';
import { QuietHoursFields, WebhookForm } from './alert-channel.tsx';
import { TestButton } from './alert-test.tsx';
import styles from './alerts.module.css';

/** Rules of alerts, where they are sent, and what could not be sent. */
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
          <h3 className={styles.title}>Not sent</h3>
          <ul className={styles.list}>
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
  /** Id of the rule in the form; empty for a new one. */
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
        <ul className={styles.list} aria-label="Rules">
          {rules.map((rule) => (
            <li key={rule.id} className={styles.rule}>
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
      {status?.phase === 'failed' && <ErrorNote error={status.error} server="" lead="Not saved" />}
      {edited === '' ? (
        form()
      ) : (
        <div className={styles.line} data-setting="alerts.rules">
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
    <div className={styles.line}>
      <span className={styles.what}>
        <strong>{title}</strong> <span className={styles.quiet}>{ruleDetails(rule)}</span>
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
