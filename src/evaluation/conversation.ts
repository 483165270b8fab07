/** One item becomes one memory. */
export interface Item {
  id: string;
  text: string;
  session: string;
}

export interface Question {
  text: string;
  /** Ids of the items that answer it; none: nothing does. */
  gold: readonly string[];
  category: string;
}

/** What is searched together, in the order in which it was said. */
export interface Conversation {
  name: string;
  items: readonly Item[];
  questions: readonly Question[];
}
