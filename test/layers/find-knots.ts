/** Groups whose members all reach each other, as Tarjan finds them: those of one alone are left out. */
export function findKnots(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const knots: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    open.push(path);
    for (const next of graph.get(path) ?? []) {
      if (!order.has(next)) visit(next);
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) === order.get(path)) knots.push(open.splice(open.indexOf(path)));
  };
  for (const path of graph.keys()) if (!order.has(path)) visit(path);
  return knots.filter((knot) => knot.length > 1);
}
