/** What summaries have cost on one day (UTC), by the model that made them. */
export interface DaySpend {
  day: string;
  model: string;
  calls: number;
  inputTokens: number;
  outputTokens: number;
  /** Observations that got a summary, and those that got none. */
  summarized: number;
  failed: number;
}

export interface SpendReport {
  /** The latest first; none: nothing was ever spent. */
  days: DaySpend[];
  /** The model that is asked; null: none, and nothing is spent. */
  model: string | null;
  /** Most calls a day; 0: any number. */
  dailyCalls: number;
  callsToday: number;
}
