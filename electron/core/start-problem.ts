/** Reason why the panel cannot start, as a sentence for the user; its stack is not shown. */
export class StartProblem extends Error {}
