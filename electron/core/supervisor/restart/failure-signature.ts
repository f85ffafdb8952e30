import type { PanelError } from '../../../../shared/error-codes.ts';

/** What tells one failure from the next that is the same: where, when and under which numbers it happened. */
const changing: readonly (readonly [pattern: RegExp, placeholder: (found: string) => string])[] = [
  [/(?:[a-z]:)?[\\/][^\s'"`,;:()]*/gi, () => '/'],
  // Ids and hashes.
  [/[\w-]{8,}/g, (word) => (/\d/.test(word) ? '#' : word)],
  [/\b0x[0-9a-f]+/gi, () => '#'],
  [/\d+(?:[.,:]\d+)*/g, () => '#'],
  [/\s+/g, () => ' '],
];

/** Equal for two failures of the same kind, with the same exit status and the same words. */
export function failureSignature({ code, message, data }: PanelError): string {
  const status = [data?.['exitCode'], data?.['signal']].map((part) => JSON.stringify(part) ?? '');
  const words = changing.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    message.trim(),
  );
  return [code, ...status, words].join(' ');
}
