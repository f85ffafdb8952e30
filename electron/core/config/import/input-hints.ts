import { isJsonObject } from '../../../../shared/json-object.ts';
import type { AskHint, AskHints } from './entry-asks.ts';

/** Returns hints from the list of inputs of VS Code. */
export function inputHints(inputs: unknown): AskHints {
  const list = Array.isArray(inputs) ? (inputs as unknown[]) : [];
  return new Map(
    list.flatMap((input): [string, AskHint][] => {
      if (!isJsonObject(input) || typeof input['id'] !== 'string') return [];
      const { id, description, password, default: suggestion } = input;
      const hint = { description: textOf(description), suggestion: textOf(suggestion) };
      return [[`\${input:${id}}`, password === true ? { ...hint, isSecret: true } : hint]];
    }),
  );
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
