import { useState } from 'react';
import { useStore } from 'zustand/react';
import type { InspectorStore, ItemInput } from '../store/inspector-store.ts';
import type { OfferItem } from '../offer/offer-items.ts';
import { asForm, asJson, readInput } from './item-form.tsx';
import { numberBounds } from '../../shared/bounds.ts';

const noCalls: readonly never[] = [];

export type ItemCall = ReturnType<typeof useItemCall>;

/**
 * Returns the user's input for an item (a tool, prompt or resource), its calls and their results, and the functions to call it.
 */
export function useItemCall(item: OfferItem, inspector: InspectorStore) {
  const { key, form } = item;
  const input = useStore(inspector.state, ({ inputs }) => inputs.get(key)) ?? {};
  const call = useStore(inspector.state, ({ calls }) => calls.get(key));
  const calls = useStore(inspector.state, ({ history }) => history.get(key) ?? noCalls);
  const isTrusted = useStore(inspector.state, ({ trusted }) => trusted.includes(key));
  const [asked, setAsked] = useState<{ readonly value: unknown }>();
  const limit = readTimeLimit(input.timeLimit ?? '');

  const change = (changes: ItemInput) => inspector.setInput(key, { ...input, ...changes });
  /** Sets the arguments, either as form fields or as JSON. This removes the input of the other kind. */
  const setArguments = (next: ItemInput) =>
    inspector.setInput(key, { ...next, timeLimit: input.timeLimit ?? '' });
  const callNow = (value: unknown) => {
    const timeLimit = 'problem' in limit ? {} : limit;
    void inspector.call(key, { ...item.toCall(value), ...timeLimit, value });
  };
  const send = (value: unknown) => {
    if (call?.phase === 'pending') return;
    if (item.isDestructive === true && !isTrusted) setAsked({ value });
    else callNow(value);
  };
  const answerQuestion = (isYes: boolean, trusts = false) => {
    if (trusts) inspector.trust(key);
    if (isYes && asked !== undefined) callNow(asked.value);
    setAsked(undefined);
  };
  const refill = (value: unknown) => {
    const inForm = form.kind === 'json' ? undefined : asForm(form, value);
    setArguments(inForm ?? asJson(value));
  };
  return {
    ...{ input, change, setArguments, limit, call, calls, send, answerQuestion, refill },
    ...readInput(form, input, item.schemaOf?.()),
    asked: asked !== undefined,
    cancel: () => inspector.cancel(key),
  };
}

/** Limits of the setting `calls.timeoutMs`, in ms. */
const { min, max } = numberBounds['calls.timeoutMs'];

/** Converts a call's time limit from seconds. If the text is empty, the result has no limit and the server's setting applies. */
export function readTimeLimit(text: string): { readonly timeoutMs?: number } | { readonly problem: string } {
  const trimmed = text.trim();
  if (trimmed === '') return {};
  const seconds = /^(?:\d+|\d*[.,]\d+)$/.test(trimmed) ? Number(trimmed.replace(',', '.')) : Number.NaN;
  const timeoutMs = Math.round(seconds * 1000);
  if (timeoutMs >= min && seconds * 1000 <= max) return { timeoutMs };
  return { problem: `Takes seconds, up to ${max / 1000} (a day).` };
}
