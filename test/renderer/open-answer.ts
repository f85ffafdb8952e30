/** Answer that the test gives when it likes. */
export interface OpenAnswer<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (reason: unknown) => void;
}

export function openAnswer<T>(): OpenAnswer<T> {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** Questions that the test answers one by one, in the order that it likes. */
export function openQuestions<Question, Answer>() {
  const asked: (OpenAnswer<Answer> & { readonly question: Question })[] = [];
  const settled = () => new Promise<void>((resolve) => setTimeout(resolve));
  return {
    asked,
    ask: (question: Question): Promise<Answer> => {
      const answer = openAnswer<Answer>();
      asked.push({ question, ...answer });
      return answer.promise;
    },
    answer: (at: number, answer: Answer): Promise<void> => {
      asked[at]!.resolve(answer);
      return settled();
    },
    refuse: (at: number, reason: unknown = new Error('no')): Promise<void> => {
      asked[at]!.reject(reason);
      return settled();
    },
    settled,
  };
}
