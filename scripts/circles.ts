/** Files that lead to each other by what they import: groups of more than one, each sorted (Tarjan's algorithm). */
export function circlesOf(imports: readonly { readonly from: string; readonly to: string }[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { from, to } of imports) next.set(from, [...(next.get(from) ?? []), to]);
  const visited = new Map<string, number>();
  const open: string[] = [];
  const closed = new Set<string>();
  const circles: string[][] = [];
  /** The earliest open file that this one leads to. */
  function visit(file: string): number {
    const order = visited.size;
    visited.set(file, order);
    open.push(file);
    let earliest = order;
    for (const to of next.get(file) ?? []) {
      if (!closed.has(to)) earliest = Math.min(earliest, visited.get(to) ?? visit(to));
    }
    if (earliest === order) {
      const circle = open.splice(open.indexOf(file));
      for (const each of circle) closed.add(each);
      if (circle.length > 1) circles.push(circle.sort());
    }
    return earliest;
  }
  for (const file of next.keys()) if (!visited.has(file)) visit(file);
  return circles;
}
