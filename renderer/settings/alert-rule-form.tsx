import { NativeSelect } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import type { AlertRule, AlertTest } from '../../shared/alerts.ts';
import { freeName } from '../../shared/server-names.ts';
import { alertChoices, testText } from '../format/alert-words.ts';
import { usePanel, useServices, useTask } from '../services.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Form } from '../ui/form.tsx';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { numberProblem } from './endpoint-fields.tsx';
import { FailedNote } from '../ui/error-note.tsx';

interface AlertRuleFormProps {
  /** Rule to edit; undefined for a new rule. */
  readonly rule: AlertRule | undefined;
  /** Ids of all existing rules. */
  readonly taken: readonly string[];
  readonly isBusy: boolean;
  readonly onSave: (rule: AlertRule) => void;
  readonly onCancel: () => void;
}

const places = ['desktop', 'webhook'] as const;
const choices = Object.entries(alertChoices).map(([value, label]) => ({ value, label }));
const isCondition = (value: string): value is AlertRule['what'] => Object.hasOwn(alertChoices, value);

/** Alert rule as the user typed it. */
interface Draft {
  readonly what: AlertRule['what'];
  readonly share: string;
  readonly pattern: string;
  readonly servers: string;
  readonly lasts: string;
  readonly repeat: string;
  readonly to: AlertRule['to'];
}

const draftFrom = (rule: AlertRule | undefined): Draft => ({
  what: rule?.what ?? 'failed',
  share: String(rule?.share ?? 20),
  pattern: rule?.pattern ?? '',
  servers: rule === undefined || rule.servers === 'all' ? '' : rule.servers.join(', '),
  lasts: String(rule?.lastsMinutes ?? 0),
  repeat: String(rule?.repeatHours ?? 0),
  to: rule?.to ?? ['desktop'],
});

const namesIn = ({ servers }: Draft): string[] =>
  servers
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

type Problems = Partial<Readonly<Record<keyof Draft, string | undefined>>>;

function problemsOf(draft: Draft, known: readonly string[]): Problems {
  const unknown = namesIn(draft).find((name) => !known.includes(name));
  return {
    share: draft.what === 'errors' ? numberProblem(draft.share, 100) : undefined,
    servers: unknown === undefined ? undefined : `There is no server ${unknown}.`,
    lasts: numberProblem(draft.lasts, 1440),
    repeat: numberProblem(draft.repeat, 720),
  };
}

function ruleFrom(draft: Draft, before: AlertRule | undefined, taken: readonly string[]): AlertRule {
  const { what, to } = draft;
  const servers = namesIn(draft);
  return {
    ...before,
    id: before?.id ?? freeName(what, taken),
    what,
    share: what === 'errors' ? Number(draft.share) : undefined,
    pattern: what === 'log' ? draft.pattern : undefined,
    servers: servers.length === 0 ? 'all' : servers,
    lastsMinutes: Number(draft.lasts),
    repeatHours: Number(draft.repeat),
    to,
  };
}

export const alertForm = 'flex flex-col gap-8 max-w-560 [--label-width:155px]';
export const alertChoice = 'grid grid-cols-[155px_minmax(0,1fr)] items-center gap-x-12';
export const alertLine = 'flex flex-wrap items-center gap-x-12 gap-y-4';

interface RuleField {
  readonly field: 'share' | 'pattern' | 'servers' | 'lasts' | 'repeat';
  /** Returns true if the field applies to a condition. If this function is absent, the field applies to all conditions. */
  readonly isFor?: (what: AlertRule['what']) => boolean;
  readonly words: Pick<
    ComponentProps<typeof TextField>,
    'label' | 'unit' | 'placeholder' | 'hint' | 'isCode'
  >;
}

const textFields: readonly RuleField[] = [
  {
    field: 'share',
    isFor: (what) => what === 'errors',
    words: {
      label: 'More than',
      unit: '%',
      hint: 'Of the calls of five minutes, if there are at least five.',
    },
  },
  {
    field: 'pattern',
    isFor: (what) => what === 'log',
    words: {
      ...{ label: 'Pattern', isCode: true, placeholder: 'error|fatal' },
      hint: 'A regular expression without look-around. Case does not matter.',
    },
  },
  {
    field: 'servers',
    words: {
      ...{ label: 'Servers', placeholder: 'all servers' },
      hint: 'Names with commas in between. Empty means all.',
    },
  },
  {
    field: 'lasts',
    isFor: (what) => what !== 'trend',
    words: { label: 'Only if it lasts', unit: 'min' },
  },
  { field: 'repeat', words: { label: 'Again every', unit: 'h', hint: 'While it lasts. 0 means once.' } },
];

/** Form for one alert rule. */
export function AlertRuleForm({ rule, taken, isBusy, onSave, onCancel }: AlertRuleFormProps) {
  const known = usePanel((state) => state.names);
  const [draft, setDraft] = useState(() => draftFrom(rule));
  const problems = problemsOf(draft, known);
  const isValid =
    Object.values(problems).every((problem) => problem === undefined) &&
    (draft.what !== 'log' || draft.pattern !== '');
  const set = (change: Partial<Draft>) => setDraft({ ...draft, ...change });
  return (
    <Form
      className={alertForm}
      aria-label={rule ? 'Change the rule' : 'New rule'}
      onSubmit={() => isValid && onSave(ruleFrom(draft, rule, taken))}
    >
      <NativeSelect
        size="xs"
        label="When"
        value={draft.what}
        classNames={{ root: alertChoice, label: 'label' }}
        onChange={({ currentTarget: { value } }) => isCondition(value) && set({ what: value })}
        data={choices}
      />
      {textFields
        .filter(({ isFor }) => isFor?.(draft.what) ?? true)
        .map(({ field, words }) => (
          <TextField
            key={field}
            {...words}
            value={draft[field]}
            error={problems[field]}
            onChange={(text) => set({ [field]: text })}
          />
        ))}
      <div className={alertLine}>
        {places.map((place) => (
          <CheckField
            key={place}
            label={place === 'desktop' ? 'On the desktop' : 'To the webhook'}
            isChecked={draft.to.includes(place)}
            onChange={(isChecked) =>
              set({ to: places.filter((one) => (one === place ? isChecked : draft.to.includes(one))) })
            }
          />
        ))}
      </div>
      <div className={alertLine}>
        <TextButton type="submit" disabled={!isValid} isBusy={isBusy}>
          {rule ? 'Save' : 'Add'}
        </TextButton>
        <TextButton onClick={onCancel}>Cancel</TextButton>
      </div>
    </Form>
  );
}

/** Button that sends a test alert. The result is shown in a line below the button. @param id id of a rule, or `webhook` */
export function TestButton({ id, name }: { readonly id: string; readonly name: string }) {
  const { api } = useServices();
  const { status, run } = useTask<AlertTest>();
  return (
    <>
      <TextButton
        aria-label={name}
        isBusy={status?.phase === 'pending'}
        onClick={() => void run(() => api.testAlert(id))}
      >
        Test
      </TextButton>
      {status?.phase === 'done' && (
        <span
          role="status"
          className={`w-full wrap-anywhere select-text ${status.value.error === undefined ? '' : 'text-failed'}`}
        >
          {testText(status.value)}
        </span>
      )}
      <FailedNote status={status} server="" lead="Not tested" />
    </>
  );
}
