/** Equal, or one insertion, deletion, substitution or swap of neighbours apart. */
export function isWithinOneEdit(a: string, b: string): boolean {
  const longer = a.length >= b.length ? a : b;
  const shorter = a.length >= b.length ? b : a;
  if (longer.length - shorter.length > 1) return false;
  let at = 0;
  while (at < shorter.length && longer.charCodeAt(at) === shorter.charCodeAt(at)) at++;
  if (at === longer.length) return true;
  if (longer.length > shorter.length) return isSameFrom(longer, at + 1, shorter, at);
  if (isSameFrom(longer, at + 1, shorter, at + 1)) return true;
  const swapped =
    longer.charCodeAt(at) === shorter.charCodeAt(at + 1) && longer.charCodeAt(at + 1) === shorter.charCodeAt(at);
  return swapped && isSameFrom(longer, at + 2, shorter, at + 2);
}

function isSameFrom(a: string, fromA: number, b: string, fromB: number): boolean {
  if (a.length - fromA !== b.length - fromB) return false;
  for (let i = 0; fromA + i < a.length; i++) if (a.charCodeAt(fromA + i) !== b.charCodeAt(fromB + i)) return false;
  return true;
}
