/** Local storage of a window that was opened with these texts. */
export function aStorage(kept: Record<string, string> = {}) {
  const texts = new Map(Object.entries(kept));
  return {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
    texts,
  };
}

const refuse = () => {
  throw new Error('full');
};
/** Local storage that is full or forbidden. */
export const noStorage = { getItem: refuse, setItem: refuse };
