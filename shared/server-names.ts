export const LONGEST_SERVER_NAME = 64;

/** Pattern of a server's name. It is restrictive because the name is part of URLs and file names. */
export const serverNamePattern = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,${LONGEST_SERVER_NAME}}$`);

/** Returns the wanted name if no server uses it, or else a numbered one, such as `github-2`. */
export function freeName(wanted: string, takenNames: readonly string[]): string {
  const root = wanted.replace(/-\d+$/, '').slice(0, 60);
  let number = 2;
  while (takenNames.includes(`${root}-${number}`)) number += 1;
  return takenNames.includes(wanted) ? `${root}-${number}` : wanted;
}
