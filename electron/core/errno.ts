/** Returns the system's code of an error, such as "EACCES"; undefined if the error has none. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
