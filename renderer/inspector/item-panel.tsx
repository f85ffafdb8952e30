import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useStore } from 'zustand/react';
import { TextButton } from '../ui/text-button.tsx';
import { TextField } from '../ui/text-field.tsx';
import { fieldIdOf } from '../forms/field-frame.tsx';
import { toPlainText } from '../format/plain-text.ts';
import { CallPanel } from './call-panel.tsx';
import { readInput } from './item-input.ts';
import { ItemForm, JSON_FIELD_PATH } from './item-form.tsx';
import type { InspectorStore } from '../store/inspector-store.ts';
import type { ItemKind, OfferItem } from '../offer/offer-items.ts';
import { readTimeLimit } from './time-limit.ts';
import styles from './inspector.module.css';

interface ItemPanelProps {
  readonly item: OfferItem;
  readonly server: string;
  readonly inspector: InspectorStore;
  readonly isRunning: boolean;
}

const verbs: Readonly<Record<ItemKind, string>> = {
  tool: 'Call',
  prompt: 'Get',
  resource: 'Read',
  template: 'Read',
};

/** Item on offer: what it is, the form to call it, and the last result. */
export function ItemPanel({ item, server, inspector, isRunning }: ItemPanelProps) {
  const input = useStore(inspector.state, ({ inputs }) => inputs[item.key]) ?? {};
  const call = useStore(inspector.state, ({ calls }) => calls[item.key]);
  const [isTried, setTried] = useState(false);
  const { value, problems } = readInput(item.form, input);
  const { timeLimit = '' } = input;
  const limit = readTimeLimit(timeLimit);
  const isPending = call?.phase === 'pending';

  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    setTried(true);
    const [first] = problems;
    if (first !== undefined)
      document.getElementById(fieldIdOf(input.json === undefined ? first.path : JSON_FIELD_PATH))?.focus();
    else if (!('problem' in limit)) void inspector.call(item.key, { ...item.toCall(value), ...limit });
  };

  return (
    <section className={styles.panel} aria-label={item.name}>
      <form
        className={styles.form}
        aria-label={`Arguments of ${item.name}`}
        onSubmit={submit}
        onKeyDown={(event) => pressKey(event, submit)}
      >
        <Head item={item} />
        <ItemForm
          item={item}
          input={input}
          value={value}
          problems={isTried ? problems : []}
          onChange={(next) => inspector.setInput(item.key, { ...next, timeLimit })}
        />
        <div className={styles.limit}>
          <TextField
            label="Time limit"
            value={timeLimit}
            onChange={(next) => inspector.setInput(item.key, { ...input, timeLimit: next })}
            unit="s"
            placeholder="The server’s setting"
            error={'problem' in limit ? limit.problem : undefined}
          />
        </div>
        <div className={styles.actions}>
          <TextButton
            type="submit"
            look="main"
            isBusy={isPending}
            aria-disabled={isPending || undefined}
            data-tip="Ctrl+Enter"
          >
            {verbs[item.kind]} {shortNameOf(item)}
          </TextButton>
          {isPending && (
            <TextButton isBusy={call.isCancelling} onClick={() => inspector.cancel(item.key)}>
              {call.isCancelling ? 'Cancelling…' : 'Cancel'}
            </TextButton>
          )}
          {!isRunning && <span className={styles.hint}>The server is not running; a call starts it.</span>}
        </div>
      </form>
      {call !== undefined && <CallPanel name={item.name} server={server} call={call} />}
    </section>
  );
}

/** Short name for the button; the full name stands above it. */
function shortNameOf({ kind, name, title }: OfferItem): string {
  const short = kind === 'resource' || kind === 'template' ? (title ?? name) : name;
  return short.length > 40 ? kind : short;
}

function Head({ item }: { readonly item: OfferItem }) {
  return (
    <header>
      <h2 className={styles.name}>
        <code>{item.name}</code>
        {item.title !== undefined && <span className={styles.title}>{item.title}</span>}
        {item.hints.map((hint) => (
          <span key={hint} className={styles.badge} data-tip="The server says so; nothing checks it.">
            {hint}
          </span>
        ))}
      </h2>
      {item.description !== undefined && (
        <p className={styles.description}>{item.description.split('\n').map(toPlainText).join('\n')}</p>
      )}
    </header>
  );
}

/**
 * Keys of the form: Enter is a new line in a text, and calls with Ctrl. Escape leaves the field before it
 * leaves the page.
 */
function pressKey(event: KeyboardEvent<HTMLElement>, submit: () => void): void {
  const { target } = event;
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
    event.preventDefault();
    submit();
  } else if (
    event.key === 'Escape' &&
    target instanceof HTMLElement &&
    target.matches('input, textarea, select')
  ) {
    event.preventDefault();
    target.blur();
  }
}
