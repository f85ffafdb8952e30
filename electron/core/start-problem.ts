/** Reason why the panel cannot start, in a sentence for users; its stack is not shown. */
export class StartProblem extends Error {}
