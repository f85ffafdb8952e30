import type { PanelError } from '../../../../shared/error-codes.ts';

/** Parts that differ between equal failures: paths, times and numbers. */
const changing: readonly (readonly [pattern: RegExp, placeholder: (found: string) => string])[] = [
  [/(?:[a-z]:)?[\\/][^\s'"`,;:()]*/gi, () => '/'],
  // Ids and hashes.
  [/[\w-]{8,}/g, (word) => (/\d/.test(word) ? '#' : word)],
  [/\b0x[0-9a-f]+/gi, () => '#'],
  [/\d+(?:[.,:]\d+)*/g, () => '#'],
  [/\s+/g, () => ' '],
];

/** Returns a text that is equal for failures of the same kind with the same exit status and message. */
export function failureSignature({ code, message, data }: PanelError): string {
  const status = [data?.['exitCode'], data?.['signal']].map((part) => JSON.stringify(part) ?? '');
  const words = changing.reduce(
    (text, [pattern, placeholder]) => text.replace(pattern, placeholder),
    message.trim(),
  );
  return [code, ...status, words].join(' ');
}
