/** What is opened by the first who asks for it; one that could not be opened is tried again by the next. */
export interface LatePort<Port> {
  /** The same one for everybody. */
  get(): Promise<Port>;
  /** Closes it where somebody has asked for it; opens nothing. */
  close(): Promise<void>;
}

export function latePort<Port extends { close(): Promise<void> }>(open: () => Promise<Port>): LatePort<Port> {
  let opened: Promise<Port> | null = null;
  return {
    get() {
      opened ??= open().catch((error: unknown) => {
        opened = null;
        throw error;
      });
      return opened;
    },
    close: async () => (await opened)?.close(),
  };
}
