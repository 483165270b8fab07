/** Nothing: the server keeps its own log. The numbers of the two schemas go together. */
export const lastWrite = '';
