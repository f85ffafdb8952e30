/** "the folder is gone" as a sentence: "The folder is gone." */
export const asSentence = (phrase: string): string => `${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.`;

/** What happened to a server, as a sentence about it. */
export const aboutServer = (phrase: string): string => `The server ${phrase}.`;
