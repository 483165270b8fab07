/** The first ones that together weigh no more than this; always one, however heavy. They leave the queue. */
export function takeGroup<Job>(queue: Job[], most: number, weigh: (job: Job) => number): Job[] {
  let weight = 0;
  let count = 0;
  for (const job of queue) {
    weight += weigh(job);
    if (count > 0 && weight > most) break;
    count++;
  }
  return queue.splice(0, count);
}
