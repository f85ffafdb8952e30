export interface FoundPattern {
  readonly source: string;
  readonly flags: string;
  readonly line: number;
}

export interface Unreadable {
  readonly line: number;
  readonly column: number;
  readonly why: string;
}

export function readPatterns(
  file: string,
  text?: string,
): { readonly patterns: readonly FoundPattern[]; readonly unreadable: readonly Unreadable[] };
