import { useEffect, useState } from 'react';

/**
 * Details of a question whose digest stands in the view of a server; a later question replaces them. Undefined until they are
 * known. @param ask asks for the details; must keep its identity
 */
export function useByDigest<T extends { readonly digest: string }>(
  server: string,
  digest: string | undefined,
  ask: (server: string) => Promise<T>,
): T | undefined {
  const [found, setFound] = useState<T>();
  useEffect(() => {
    let isWanted = digest !== undefined;
    ask(server).then(
      (details) => isWanted && setFound(details),
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [ask, server, digest]);
  return found?.digest === digest ? found : undefined;
}
