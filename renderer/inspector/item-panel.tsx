import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  type CSSProperties,
  type ReactNode,
} from 'react';
import { fieldIdOf } from '../forms/field-frame.tsx';
import { Form } from '../ui/form.tsx';
import type { InspectorStore } from '../store/inspector-store.ts';
import type { PastCall } from '../store/past-calls.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { CallBar } from './call-bar.tsx';
import { ItemForm, JSON_FIELD_PATH } from './item-form.tsx';
import { ResultPane } from './result-pane.tsx';
import { type ItemCall, useItemCall } from './use-item-call.ts';
import { Description } from './description.tsx';
import { useMediaQuery } from '@mantine/hooks';
import { PaneSeparator } from '../ui/pane-separator.tsx';
import { usePaneSizes, usualSizes } from '../store/pane-sizes.ts';
import { CheckField } from '../ui/check-field.tsx';
import { Dialog } from '../ui/dialog.tsx';

/** CSS selector of the entry that is chosen in the item list. The panel shows that entry's item. */
const CHOSEN_ENTRY = '[data-entry][aria-current="true"]';

interface ItemPanelProps {
  readonly item: OfferItem;
  readonly server: string;
  readonly inspector: InspectorStore;
  readonly isRunning: boolean;
}

/** Panel of an item (a server's tool, prompt or resource): its description, the call form, and the results beside the form. */
export function ItemPanel({ item, server, inspector, isRunning }: ItemPanelProps) {
  const [isTried, setTried] = useState(false);
  const [shown, setShown] = useState<string>();
  const itemCall = useItemCall(item, inspector);
  const { input, value, problems, limit, call, calls, asked, send, refill, answerQuestion } = itemCall;

  const submit = (isForced = false) => {
    setTried(true);
    const [first] = problems;
    if (first !== undefined && !isForced)
      document.getElementById(fieldIdOf(input.json === undefined ? first.path : JSON_FIELD_PATH))?.focus();
    else if (!('problem' in limit)) {
      setShown(undefined);
      send(value);
    }
  };
  const callAgain = (past: PastCall) => {
    setShown(undefined);
    refill(past.value);
    send(past.value);
  };
  const work = useRef<HTMLElement>(null);
  useCallKey(work, () => submit());

  const past = calls.find(({ id }) => id === shown);
  return (
    // The element can receive the focus, so that after a click on text inside it, Ctrl+Enter still calls this item.
    <section ref={work} tabIndex={-1} className="min-w-0 min-h-0 outline-none" aria-label={item.name}>
      <WorkPanes
        form={<CallForm {...{ item, isRunning, isTried, itemCall }} onSubmit={submit} />}
        result={
          <ResultPane
            item={item}
            server={server}
            call={past?.record ?? call}
            calls={calls}
            shown={past?.record === undefined ? undefined : shown}
            canCall={call?.phase !== 'pending'}
            onShow={setShown}
            onCallAgain={callAgain}
          />
        }
      />
      {asked && (
        <DestructiveQuestion
          name={item.name}
          onNo={() => answerQuestion(false)}
          onYes={(isTrusted) => answerQuestion(true, isTrusted)}
        />
      )}
    </section>
  );
}

interface CallFormProps extends Pick<ItemPanelProps, 'item' | 'isRunning'> {
  readonly itemCall: ItemCall;
  /** True if the user has tried to call the item; problems are shown only after that. */
  readonly isTried: boolean;
  readonly onSubmit: (isForced?: boolean) => void;
}

function CallForm({ item, isRunning, itemCall, isTried, onSubmit }: CallFormProps) {
  const { input, value, problems, setArguments } = itemCall;
  return (
    <Form
      className="flex flex-col h-full"
      aria-label={`Arguments of ${item.name}`}
      onSubmit={onSubmit}
      onKeyDown={leaveField}
    >
      <div className="flex flex-col flex-1 gap-12 min-h-0 pt-12 px-16 pb-16 overflow-auto">
        <ItemHead item={item} />
        <ItemForm {...{ item, input, value }} problems={isTried ? problems : []} onChange={setArguments} />
      </div>
      <CallBar
        {...{ item, itemCall, isRunning }}
        canForce={isTried && problems.length > 0 && problems.every(({ isOfSchema }) => isOfSchema === true)}
        onForce={() => onSubmit(true)}
      />
    </Form>
  );
}

/**
 * Makes Ctrl+Enter call the item while the focus is in its panes or on its list entry; elsewhere on the page, Ctrl+Enter starts
 * the server. Enter without Ctrl inserts a new line in a text.
 */
function useCallKey(work: RefObject<HTMLElement | null>, call: () => void): void {
  const press = useEffectEvent((event: globalThis.KeyboardEvent) => {
    const isKey = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
    if (!isKey || event.shiftKey || event.altKey || event.defaultPrevented) return;
    if (!(event.target instanceof Element)) return;
    if (work.current?.contains(event.target) !== true && !event.target.matches(CHOSEN_ENTRY)) return;
    // An open dialog handles its own keys, and nothing may happen behind it.
    if (document.querySelector('dialog[open]') !== null) return;
    event.preventDefault();
    call();
  });
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent) => press(event);
    document.addEventListener('keydown', listen, { capture: true });
    return () => document.removeEventListener('keydown', listen, { capture: true });
  }, []);
}

/** Makes the first Escape leave the field, and only the next one leave the page. */
function leaveField(event: KeyboardEvent<HTMLElement>): void {
  const { target } = event;
  if (event.key !== 'Escape' || !(target instanceof HTMLElement)) return;
  if (!target.matches('input, textarea, select')) return;
  event.preventDefault();
  target.blur();
}

const warning = 'border-failed text-failed';
const usual = 'border-strong-line text-dim';

/** Heading of an item: its name, its server's hints about it, such as whether a tool is destructive, and its description. */
function ItemHead({ item }: { readonly item: OfferItem }) {
  return (
    <header>
      <h2 className="flex flex-wrap items-baseline gap-x-8 gap-y-4">
        <code className="wrap-anywhere text-14 font-semibold select-text">{item.name}</code>
        {item.title !== undefined && <span className="text-dim">{item.title}</span>}
        {item.hints.map((hint) => (
          <span
            key={hint}
            className={`px-6 border rounded-full text-12/16 ${hint === 'destructive' ? warning : usual}`}
            data-tip="The server says so; nothing checks it."
          >
            {hint}
          </span>
        ))}
      </h2>
      {item.description !== undefined && <Description text={item.description} />}
    </header>
  );
}

const beside = 'grid-cols-[minmax(260px,var(--form))_auto_minmax(260px,1fr)] grid-rows-1';
const stacked = 'grid-cols-1 grid-rows-[minmax(120px,var(--form))_auto_minmax(120px,1fr)]';

/** Form and result, side by side, or stacked in a narrow app window. */
function WorkPanes({ form, result }: { readonly form: ReactNode; readonly result: ReactNode }) {
  const isNarrow = useMediaQuery('(max-width: 1099.98px)', false, { getInitialValueInEffect: false });
  const [{ formPercent }, setSizes] = usePaneSizes();
  return (
    <div
      className={`grid h-full ${isNarrow ? stacked : beside}`}
      style={{ '--form': `${formPercent}%` } as CSSProperties}
    >
      <div id="tool-form" className="min-w-0 min-h-0">
        {form}
      </div>
      <PaneSeparator
        name={isNarrow ? 'Height of the form' : 'Width of the form'}
        pane="tool-form"
        isAcross={isNarrow}
        percent={formPercent}
        onSize={(sizePx, wholePx) => setSizes({ formPercent: (sizePx / Math.max(1, wholePx)) * 100 })}
        onReset={() => setSizes({ formPercent: usualSizes.formPercent })}
      />
      <div className="min-w-0 min-h-0">{result}</div>
    </div>
  );
}

interface DestructiveQuestionProps {
  readonly name: string;
  readonly onNo: () => void;
  /** Called when the user confirms; `isTrusted` tells whether later calls of this tool need no confirmation. */
  readonly onYes: (isTrusted: boolean) => void;
}

/** Confirmation before a call of a tool that its server marks as destructive. */
function DestructiveQuestion({ name, onNo, onYes }: DestructiveQuestionProps) {
  const [isTrusted, setTrusted] = useState(false);
  return (
    <Dialog
      title={`Call ${name}?`}
      size="small"
      onClose={onNo}
      main={{
        look: 'danger',
        no: 'Do not call',
        focus: 'no',
        tip: 'Ctrl+Enter',
        words: 'Call it',
        run: () => onYes(isTrusted),
      }}
    >
      <p>{name} may change or delete data. Call it?</p>
      <CheckField
        label="Do not ask again for this tool in this session"
        isChecked={isTrusted}
        onChange={setTrusted}
      />
    </Dialog>
  );
}
