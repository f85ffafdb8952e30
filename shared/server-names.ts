export const LONGEST_SERVER_NAME = 64;

/** Pattern of a server's name, which is restricted because it is part of URLs and file names. */
export const serverNamePattern = new RegExp(`^(?!\\.{1,2}$)[A-Za-z0-9._-]{1,${LONGEST_SERVER_NAME}}$`);
